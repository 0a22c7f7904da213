import { parseJson } from "../../lib/contract/lines.ts";
import type { Manifest } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import type { ExperimentPage } from "../../lib/report/experiment-report.ts";
import { type ReportedExperiment, renderOverview } from "../../lib/report/overview.ts";
import type { OverviewRequest, ReportedRun, RunOutcome } from "../../lib/run/messages.ts";
import { checksumsOfAll, checksumsPath, formatChecksums } from "../../lib/sampler/checksums.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";

const announced = ["report.html", "report.md", "summary.json"];

/** The last state: returns the report's location. With several experiments, it first combines their reports. */
export const handler = (request: OverviewRequest) => overview(request, awsPorts());

export async function overview(request: OverviewRequest, ports: DriverPorts): Promise<ReportedRun> {
  const { runId } = request;
  const reported = await reportedExperiments(request, ports);
  const headline =
    reported.length > 1
      ? await writeOverview(request, reported, ports)
      : reported[0]?.page?.headline;
  const { warnings, fetchCommand } = request;
  const ended = {
    runId,
    ...(await runOutcome(request, ports)),
    warnings,
    fetch: `${fetchCommand} --run ${runId}`,
  };
  if (headline === undefined) return { ...ended, headline: [], files: {} };
  const store = resultStore(ports, runId);
  const files = Object.fromEntries(announced.map((name) => [name, store.uri(name)]));
  const lines = headline.trimEnd().split("\n");
  return { ...ended, headline: lines, report: consolePage(runId, ports), files };
}

/** Returns the address of report.html in the S3 console, which has a button to open it. */
function consolePage(runId: string, { region, bucketName }: DriverPorts): string {
  const key = `runs/${runId}/report.html`;
  return `https://${region}.console.aws.amazon.com/s3/object/${bucketName}?region=${region}&prefix=${key}`;
}

async function reportedExperiments(
  { experiments, failures }: OverviewRequest,
  ports: DriverPorts,
): Promise<readonly ReportedExperiment[]> {
  const reported = experiments.map(async ({ experiment, folder }): Promise<ReportedExperiment> => {
    const text = await resultStore(ports, folder).readText("report.json");
    const failure = failures.find((each) => each.experiment === experiment)?.cause;
    return {
      experiment,
      ...(text !== undefined && { page: JSON.parse(text) as ExperimentPage }),
      ...(failure !== undefined && { failure }),
    };
  });
  return await Promise.all(reported);
}

async function writeOverview(
  { runId, experiments }: OverviewRequest,
  reported: readonly ReportedExperiment[],
  ports: DriverPorts,
): Promise<string> {
  const store = resultStore(ports, runId);
  const { files, headline } = renderOverview({ runId, experiments: reported });
  for (const [name, text] of Object.entries(files)) await store.writeText(name, text);
  const stores = experiments.map(
    ({ experiment, folder }) => [experiment, resultStore(ports, folder)] as const,
  );
  const checksums = await checksumsOfAll(new Map(stores));
  // Written last: a run that has it is complete.
  if (checksums !== undefined) await store.writeText(checksumsPath, formatChecksums(checksums));
  return headline;
}

/** Combines the experiments' manifests. An experiment without one has no counts and makes the run partial. */
async function runOutcome(
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
