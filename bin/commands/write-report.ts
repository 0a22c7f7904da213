import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { type ResultStore, storedSamples } from "../../lib/protocol/result-store.ts";
import { type RenderedReport, renderReport } from "../../lib/report/render-report.ts";

/** Renders the report of everything that the store holds and writes its files beside the samples. */
export async function writeReport(
  store: ResultStore,
  plan: Plan,
  manifest: Omit<Manifest, "counts">,
  prices: PriceTable,
): Promise<RenderedReport> {
  const subject = experimentById(plan.experiment);
  const samples = storedSamples(store);
  const report = await renderReport({ plan, manifest, subject, samples, prices });
  for (const [path, text] of Object.entries(report.files)) await store.writeText(path, text);
  return report;
}
