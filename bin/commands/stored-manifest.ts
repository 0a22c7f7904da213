import type { Manifest } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { localRegion } from "../../lib/local/local-functions.ts";
import { storedFailures } from "../../lib/protocol/result-store.ts";
import { isEnded, type StoredExperiment } from "./stored-run.ts";
import type { Verification } from "./verify-run.ts";

const unfinished =
  "unfinished: the run was stopped before its end, and this is of what it had measured by then";
const notVerified =
  "not verified: the run left no SHA256SUMS, so that a change of its files since would go unnoticed";

type ToReport = Omit<Manifest, "counts">;

/** The manifest that an experiment left; of one that was stopped, what can be told from the rest. */
export async function storedManifest(
  run: StoredExperiment,
  verification: Verification,
  prices: PriceTable,
): Promise<ToReport> {
  const left = run.manifest === undefined ? unwritten(run, prices) : withoutCounts(run.manifest);
  const warnings = [...left.warnings, ...(verification.kind === "verified" ? [] : [notVerified])];
  if (isEnded(run.manifest)) return { ...left, warnings };
  return {
    ...left,
    status: "partial",
    cellFailures: [...(await storedFailures(run.store))],
    warnings: [unfinished, ...warnings],
  };
}

/** They are counted anew. */
function withoutCounts({ counts: _, ...manifest }: Manifest): ToReport {
  return manifest;
}

function unwritten({ plan }: StoredExperiment, prices: PriceTable): ToReport {
  const isLocal = plan.target === "local";
  const region = isLocal ? localRegion : plan.estimate?.pricesRegion;
  return {
    schemaVersion: 1,
    runId: plan.runId,
    experiment: plan.experiment,
    target: plan.target,
    status: "partial",
    startedAt: plan.createdAt,
    cellFailures: [],
    artefacts: [],
    versions: {},
    ...(region !== undefined && !isLocal && { region }),
    prices: { date: prices.date, region: region ?? "a region not recorded" },
    warnings: [...plan.warnings],
  };
}
