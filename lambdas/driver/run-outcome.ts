import { parseJson } from "../../lib/contract/lines.ts";
import type { Manifest } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import type { OverviewRequest, RunOutcome } from "../../lib/run/messages.ts";
import { type DriverPorts, resultStore } from "./ports.ts";

/** Combines the experiments' manifests. An experiment without one has no counts and makes the run partial. */
export async function runOutcome(
  { experiments, failures }: OverviewRequest,
  ports: DriverPorts,
): Promise<RunOutcome> {
  const read = experiments.map(({ folder }) => readManifest(folder, ports));
  const manifests = (await Promise.all(read)).flatMap((manifest) => manifest ?? []);
  const isComplete =
    failures.length === 0 &&
    manifests.length === experiments.length &&
    manifests.every(({ status }) => status === "complete");
  const counts = sumOfCounts(manifests);
  const firstError = failures[0]?.cause ?? firstFailure(manifests);
  return {
    status: isComplete ? "complete" : "partial",
    counts,
    samples: `${counts.kept} of ${counts.planned} planned samples count`,
    ...(firstError !== undefined && { firstError }),
  };
}

async function readManifest(folder: string, ports: DriverPorts): Promise<Manifest | undefined> {
  const manifest = parseJson((await resultStore(ports, folder).readText("manifest.json")) ?? "");
  return contractProblem("manifest", manifest) === undefined ? (manifest as Manifest) : undefined;
}

function sumOfCounts(manifests: readonly Manifest[]): RunOutcome["counts"] {
  const sum = (field: "planned" | "recorded" | "kept") =>
    manifests.reduce((total, { counts }) => total + counts[field], 0);
  const rejected: Record<string, number> = {};
  for (const { counts } of manifests) {
    for (const [reason, count] of Object.entries(counts.rejected)) {
      rejected[reason] = (rejected[reason] ?? 0) + count;
    }
  }
  return { planned: sum("planned"), recorded: sum("recorded"), kept: sum("kept"), rejected };
}

function firstFailure(manifests: readonly Manifest[]): string | undefined {
  const [failure] = manifests.flatMap(({ cellFailures }) => cellFailures);
  return failure && `${failure.cellId}: ${failure.type}: ${failure.message}`;
}
