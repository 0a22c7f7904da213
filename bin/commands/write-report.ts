import { readFileSync } from "node:fs";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { parsePrices } from "../../lib/cost/parse-prices.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { publishedPrices } from "../../lib/cost/published-prices.ts";
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

/** The price table of a file, or the dated one that Kelvin carries. Throws InvalidInput. */
export function readPrices(path: string | undefined): PriceTable {
  if (path === undefined) return publishedPrices;
  try {
    return parsePrices(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput("prices", path, `a JSON price table (${(error as Error).message})`);
  }
}
