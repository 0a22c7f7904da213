import { join } from "node:path";
import type { ReportSubject } from "../../lib/analysis/report-subject.ts";
import { defined } from "../../lib/contract/defined.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { measuredSubject } from "../../lib/experiments/catalogue.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { importedSubject } from "../../lib/import/imported-run.ts";
import type { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import type { RenderedReport, ReportInputs } from "../../lib/report/experiment-report.ts";
import {
  type RenderedOverview,
  type ReportedExperiment,
  renderOverview,
} from "../../lib/report/overview.ts";
import {
  checksumsOfAll,
  checksumsPath,
  computeChecksums,
  formatChecksums,
} from "../../lib/sampler/checksums.ts";
import {
  type CutLine,
  cutLines,
  type ResultStore,
  storedSamples,
} from "../../lib/sampler/result-store.ts";
import { printable } from "../progress.ts";
import { styledScreen } from "../terminal-style.ts";
import type { CostBasis } from "./cost-basis.ts";
import type { StoredRun } from "./stored-run.ts";
import { findStudy } from "./studies.ts";

/** A run that was measured, completely or in part. */
interface MeasuredRun {
  readonly store: ResultStore;
  readonly plan: Plan;
  /** The counts are computed from the samples. */
  readonly manifest: Omit<Manifest, "counts">;
  readonly costs: CostBasis;
  readonly split?: ReportInputs["split"];
}

/** Writes the report of a run that has ended beside its samples and, last, the run's checksums. */
export async function writeReport(run: MeasuredRun): Promise<RenderedReport> {
  const { store } = run;
  const report = await renderStored(run);
  for (const [path, text] of Object.entries(report.files)) await store.writeText(path, text);
  await store.writeText(checksumsPath, formatChecksums(await computeChecksums(store)));
  return report;
}

/** Rewrites the report of a run. Its manifest stays as the run left it: it describes what was measured. */
export async function rewriteReport(run: MeasuredRun): Promise<RenderedReport> {
  const report = await renderStored(run);
  for (const [path, text] of Object.entries(report.files)) {
    if (path !== "manifest.json") await run.store.writeText(path, text);
  }
  return report;
}

/** Renders the report of everything in the store. Its warnings list cut-off lines, which are not samples. */
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
  const study = findStudy(plan.experiment);
  if (study !== undefined) return await study.renderStored(inputs, store);
  return await renderReport({ ...inputs, subject: findSubject(plan), ...defined({ split }) });
}

/** Returns the subject of a report: what was imported, or what was measured. */
function findSubject(plan: Plan): ReportSubject {
  return plan.target === "imported" ? importedSubject(plan) : measuredSubject(plan);
}

function describeCutLine({ path, line, characters }: CutLine): string {
  return `${path} line ${line}: cut off in the middle of a write; its ${characters} characters are kept but are not a sample`;
}

/** Writes the overview of a run of several experiments to the folder above theirs. */
export async function writeOverview(
  { runId, store }: Pick<StoredRun, "runId" | "store">,
  experiments: readonly ReportedExperiment[],
): Promise<RenderedOverview> {
  const overview = renderOverview({ runId, experiments });
  for (const [path, text] of Object.entries(overview.files)) await store.writeText(path, text);
  return overview;
}

/** Writes the checksums last: a run of several experiments that has them is complete. */
export async function writeChecksumsOfAll(
  store: DiskResultStore,
  experiments: readonly { readonly folder: string; readonly store: DiskResultStore }[],
): Promise<void> {
  const stores = experiments.map(({ folder, store: own }) => [folder, own] as const);
  const checksums = await checksumsOfAll(new Map(stores));
  if (checksums !== undefined) await store.writeText(checksumsPath, formatChecksums(checksums));
}

/** A report to print: of a run with one experiment, or with several. */
export interface PrintedReport extends Pick<RenderedReport, "headline" | "lastLine"> {
  /** The manifest of each experiment that was reported. */
  readonly manifests: readonly Manifest[];
  /** Whether the run has several experiments. */
  readonly isMultiExperiment: boolean;
}

/** Formats the first screen, the page's path with what lies beside it, and the outcome in one sentence. */
export function printedText(
  { headline, lastLine }: Pick<PrintedReport, "headline" | "lastLine">,
  folder: string,
): string {
  const path = `Report: ${join(folder, "report.html")} (also report.md, summary.json)`;
  return [headline.trimEnd(), path, ...(lastLine === undefined ? [] : [lastLine])].join("\n");
}

/** Prints the first screen and the report's path; for scripts, the manifests as one JSON line. */
export function printReport(report: PrintedReport, folder: string, asJson: boolean): void {
  const { manifests, isMultiExperiment } = report;
  const files = ["report.html", "report.md"].map((name) => join(folder, name));
  const ended = isMultiExperiment ? { manifests } : { manifest: manifests[0] };
  const text = asJson ? JSON.stringify({ folder, files, ...ended }) : printedText(report, folder);
  const shown = printable(text);
  process.stdout.write(`${asJson ? shown : styledScreen(shown)}\n`);
}
