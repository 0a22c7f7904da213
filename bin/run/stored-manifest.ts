import type { Manifest } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { localRegion } from "../../lib/local/local-functions.ts";
import { manifestHead, storedFailures } from "../../lib/sampler/result-store.ts";
import { isEnded, type StoredExperiment } from "./stored-run.ts";
import type { Verification } from "./verify-run.ts";

const unfinished =
  "the run has not ended, or was stopped before its end; this covers what it had measured by then";
const notVerified =
  "not verified: the run wrote no SHA256SUMS, so later changes to its files would go unnoticed";

type ToReport = Omit<Manifest, "counts">;

/** Returns the manifest that an experiment left. If it was stopped, the manifest is derived from its other files. */
export async function storedManifest(
  run: StoredExperiment,
  verification: Verification,
  prices: PriceTable,
): Promise<ToReport> {
  const manifest =
    run.manifest === undefined ? unwritten(run, prices) : withoutCounts(run.manifest);
  const isVerified = verification.kind === "verified";
  const warnings = [...manifest.warnings, ...(isVerified ? [] : [notVerified])];
  if (isEnded(run.manifest)) return { ...manifest, warnings };
  return {
    ...manifest,
    status: "partial",
    endedEarly: `${unfinished.charAt(0).toUpperCase()}${unfinished.slice(1)}`,
    cellFailures: [...(await storedFailures(run.store))],
    warnings: [`unfinished: ${unfinished}`, ...warnings],
  };
}

/** Drops the counts, which are computed anew. */
function withoutCounts({ counts: _, ...manifest }: Manifest): ToReport {
  return manifest;
}

/** Derives the manifest of an experiment that was stopped before it wrote one. */
function unwritten({ plan }: StoredExperiment, prices: PriceTable): ToReport {
  const isLocal = plan.target === "local";
  const region = isLocal ? localRegion : plan.estimate?.pricesRegion;
  return {
    ...manifestHead(plan, "partial"),
    cellFailures: [],
    artefacts: [],
    versions: {},
    ...(region !== undefined && !isLocal && { region }),
    prices: { date: prices.date, region: region ?? "a region not recorded" },
    warnings: [...plan.warnings],
  };
}
