import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { emulators } from "../../lib/experiment/catalogue/emulators.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { importedSubject } from "../../lib/import/imported-subject.ts";
import { checksumsOf, checksumsPath, formatChecksums } from "../../lib/protocol/checksums.ts";
import {
  type CutLine,
  cutLines,
  type ResultStore,
  storedSamples,
} from "../../lib/protocol/result-store.ts";
import { storedMicro } from "../../lib/protocol/stored-micro.ts";
import { renderEngineReport } from "../../lib/report/catalogue/emulators/render.ts";
import type { RenderedReport, ReportInputs } from "../../lib/report/experiment-report.ts";
import { renderReport } from "../../lib/report/render-report.ts";
import type { CostBasis } from "./cost-basis.ts";

/** A run that was measured, as far as it came. */
export interface MeasuredRun {
  readonly store: ResultStore;
  readonly plan: Plan;
  /** Its counts are made of the samples. */
  readonly manifest: Omit<Manifest, "counts">;
  readonly costs: CostBasis;
  readonly split?: ReportInputs["split"];
}

/** Writes the report of a run that has ended beside its samples and, last, the run's checksums. */
export async function writeReport(run: MeasuredRun): Promise<RenderedReport> {
  const { store } = run;
  const report = await renderStored(run);
  for (const [path, text] of Object.entries(report.files)) await store.writeText(path, text);
  await store.writeText(checksumsPath, formatChecksums(await checksumsOf(store)));
  return report;
}

/** Writes the report of a run anew. Its manifest stays as the run left it: it was measured by that one. */
export async function rewriteReport(run: MeasuredRun): Promise<RenderedReport> {
  const report = await renderStored(run);
  for (const [path, text] of Object.entries(report.files)) {
    if (path !== "manifest.json") await run.store.writeText(path, text);
  }
  return report;
}

/** The report of everything that the store holds; what is no sample there stands among its warnings. */
async function renderStored({
  store,
  plan,
  manifest,
  costs,
  split,
}: MeasuredRun): Promise<RenderedReport> {
  const cut = (await cutLines(store)).map(describeCutLine);
  const inputs = {
    plan,
    manifest: { ...manifest, warnings: [...new Set([...manifest.warnings, ...cut])] },
    samples: storedSamples(store),
    ...costs,
  };
  if (plan.experiment === emulators.id) {
    const { engines, baselineEngine, ...study } = emulators;
    const subject = { ...study, variants: engines, baselineVariant: baselineEngine };
    const micro = await storedMicro(store);
    return await renderEngineReport({ ...inputs, subject, ...(micro !== undefined && { micro }) });
  }
  const subject =
    plan.target === "imported" ? importedSubject(plan) : experimentById(plan.experiment);
  return await renderReport({ ...inputs, subject, ...(split !== undefined && { split }) });
}

function describeCutLine({ path, line, characters }: CutLine): string {
  return `${path} line ${line}: cut in the middle of a write; its ${characters} characters are kept, and are no sample`;
}
