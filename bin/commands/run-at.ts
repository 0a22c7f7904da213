import { parseRunAddress } from "../../lib/aws/run-address.ts";
import { s3Problem } from "../../lib/aws/s3-problem.ts";
import { publishedPrices } from "../../lib/cost/published-prices.ts";
import { runCostTotal } from "../../lib/cost/run-cost.ts";
import { storedSamples } from "../../lib/protocol/result-store.ts";
import { experimentReport } from "../../lib/report/catalogue.ts";
import { collectSamples } from "../../lib/report/collect/collect-samples.ts";
import { madePlan } from "../../lib/report/made-plan.ts";
import type { OneRun } from "../../lib/report/two-runs/compare-runs.ts";
import { Progress } from "../progress.ts";
import { bringRun } from "./bring-run.ts";
import { interruption } from "./interruption.ts";
import { storedManifest } from "./stored-manifest.ts";
import { openRun, type StoredExperiment } from "./stored-run.ts";
import { type Verification, verifyRun } from "./verify-run.ts";

/**
 * Every experiment of the run in a folder or at an address in S3, from where it is fetched. Throws
 * InvalidInput naming the side, and ChangedRun.
 */
export async function runAt(side: string, address: string): Promise<readonly OneRun[]> {
  const folder = address.startsWith("s3://") ? await fetched(address) : address;
  const run = await openRun(side, folder);
  const { experiments } = await verifyRun(run, folder);
  return await Promise.all(
    run.experiments.map((each, index) => readRun(each, experiments[index] as Verification)),
  );
}

async function readRun(stored: StoredExperiment, verification: Verification): Promise<OneRun> {
  const { plan, store } = stored;
  const manifest = await storedManifest(stored, verification, publishedPrices);
  const { quantitiesOf } = experimentReport(plan.experiment);
  const runCost = runCostTotal(publishedPrices, manifest.prices.region, plan);
  const samples = await collectSamples(plan, storedSamples(store), runCost, quantitiesOf);
  return { plan: madePlan(plan, manifest, samples), manifest, samples };
}

async function fetched(address: string): Promise<string> {
  const where = parseRunAddress(address);
  const progress = new Progress();
  const { signal, release } = interruption(progress, "what was brought");
  try {
    return (await bringRun(where, undefined, progress, signal)).folder;
  } catch (error) {
    throw s3Problem(error, where.bucket);
  } finally {
    release();
  }
}
