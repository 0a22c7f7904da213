import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { checksumsOf, checksumsPath, formatChecksums } from "../../lib/protocol/checksums.ts";
import {
  type CutLine,
  cutLines,
  type ResultStore,
  storedSamples,
} from "../../lib/protocol/result-store.ts";
import { type RenderedReport, renderReport } from "../../lib/report/render-report.ts";

/** Writes the report of a run that has ended beside its samples and, last, the run's checksums. */
export async function writeReport(
  store: ResultStore,
  plan: Plan,
  manifest: Omit<Manifest, "counts">,
  prices: PriceTable,
): Promise<RenderedReport> {
  const report = await renderStored(store, plan, manifest, prices);
  for (const [path, text] of Object.entries(report.files)) await store.writeText(path, text);
  await store.writeText(checksumsPath, formatChecksums(await checksumsOf(store)));
  return report;
}

/** The report of everything that the store holds; what is no sample there stands among its warnings. */
export async function renderStored(
  store: ResultStore,
  plan: Plan,
  manifest: Omit<Manifest, "counts">,
  prices: PriceTable,
): Promise<RenderedReport> {
  const cut = (await cutLines(store)).map(describeCutLine);
  return await renderReport({
    plan,
    manifest: { ...manifest, warnings: [...new Set([...manifest.warnings, ...cut])] },
    subject: experimentById(plan.experiment),
    samples: storedSamples(store),
    prices,
  });
}

function describeCutLine({ path, line, characters }: CutLine): string {
  return `${path} line ${line}: cut in the middle of a write; its ${characters} characters are kept, and are no sample`;
}
