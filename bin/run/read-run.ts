import { collectSamples } from "../../lib/analysis/collect-samples.ts";
import type { OneRun } from "../../lib/analysis/compare-runs.ts";
import { madePlan } from "../../lib/analysis/report-subject.ts";
import { runCostTotal } from "../../lib/cost/invocation-cost.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { experimentReport } from "../../lib/experiments/render-report.ts";
import { storedSamples } from "../../lib/sampler/result-store.ts";
import { storedManifest } from "./stored-manifest.ts";
import type { StoredExperiment, StoredRun } from "./stored-run.ts";
import { type Verification, verifyRun } from "./verify-run.ts";

/** Verifies a stored run and reads every experiment of it. Throws ChangedRun. */
export async function readRun(run: StoredRun, folder: string): Promise<readonly OneRun[]> {
  const { experiments } = await verifyRun(run, folder);
  return await Promise.all(
    run.experiments.map((each, index) => readExperiment(each, experiments[index] as Verification)),
  );
}

async function readExperiment(
  stored: StoredExperiment,
  verification: Verification,
): Promise<OneRun> {
  const { plan, store } = stored;
  const { prices = publishedPrices } = plan;
  const manifest = await storedManifest(stored, verification, prices);
  const { metricsOf } = experimentReport(plan.experiment);
  const runCost = runCostTotal(prices, manifest.prices.region, plan);
  const samples = await collectSamples(plan, storedSamples(store), runCost, metricsOf);
  return { plan: madePlan(plan, manifest, samples), manifest, samples };
}
