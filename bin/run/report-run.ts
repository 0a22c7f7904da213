import { isDeepStrictEqual } from "node:util";
import { limitFinding } from "../../lib/analysis/limits.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { requireJson } from "../../lib/contract/lines.ts";
import type { Limit, Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { lockRun } from "../../lib/local/run-lock.ts";
import type {
  ExperimentPage,
  RenderedReport,
  ReportInputs,
} from "../../lib/report/experiment-report.ts";
import { type ReportedExperiment, renderOverview } from "../../lib/report/overview.ts";
import { checksumsPath } from "../../lib/sampler/checksums.ts";
import packageJson from "../../package.json" with { type: "json" };
import { exitCodes, gravestCode, isWhole, limitExitCode } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { type CostBasis, type CostOptions, costBasis } from "./cost-basis.ts";
import { type FetchedRun, verifiedBy } from "./download-run.ts";
import { storedManifest } from "./stored-manifest.ts";
import {
  isEnded,
  isMultiExperiment,
  openRun,
  type StoredExperiment,
  type StoredRun,
} from "./stored-run.ts";
import { writeComment } from "./until-ended.ts";
import { type Verification, verifyRun } from "./verify-run.ts";
import { printReport, rewriteReport, writeOverview } from "./write-report.ts";

export interface ReportOptions extends CostOptions {
  readonly json?: true;
  readonly split?: "cpu";
  /** The limits that functions are to stay below, instead of the run's own. */
  readonly limit?: readonly Limit[];
  /** File for the comparisons as a pull-request comment; `-` prints them to stdout instead of the report. */
  readonly markdown?: string;
}

/** What a command shows of a report that it rendered, or that the driver wrote. */
type ShownReport = Omit<RenderedReport, "files">;

export interface ReportedRun {
  readonly code: number;
  /** One per experiment. */
  readonly summaries: readonly Summary[];
}

/**
 * Verifies a run's samples, renders its report again and prints it. The run's other files stay unchanged, including
 * its manifests.
 */
export async function reportRun(folder: string, options: ReportOptions): Promise<ReportedRun> {
  const { run, verification, rendered } = await renderRun(folder, costBasis(options), {
    ...defined({ split: options.split, limits: options.limit }),
  });
  if (verification.kind === "verified") {
    new Progress().say(`${verification.files} files verified against ${checksumsPath}`);
  }
  if (isMultiExperiment(run)) await writeOverview(run, pagesOf(rendered));
  return await show(run, rendered, folder, options);
}

/** Prints the report of a run that was fetched as its driver wrote it, unless the options ask for another one. */
export async function reportFetched(
  fetched: FetchedRun,
  options: ReportOptions,
): Promise<ReportedRun> {
  const { folder } = fetched;
  const run = await openRun("folder", folder);
  const isAnother = run.experiments.some(({ plan }) => asksForAnother(options, plan));
  const stored = isAnother ? [undefined] : await Promise.all(run.experiments.map(storedReport));
  const reports = stored.filter((report) => report !== undefined);
  if (reports.length < stored.length) return await reportRun(folder, options);
  new Progress().say(verifiedBy(fetched));
  return await show(run, reports, folder, options);
}

/** Returns whether the options ask for more than the driver wrote, or for figures by other prices or limits. */
function asksForAnother(options: ReportOptions, plan: Plan): boolean {
  const { prices, arePricesGiven, traffic } = costBasis(options);
  const { limit, markdown, split } = options;
  if (markdown !== undefined || split !== undefined || Object.keys(traffic).length > 0) return true;
  const hasOtherPrices = arePricesGiven && !isDeepStrictEqual(prices, plan.prices);
  return hasOtherPrices || (limit !== undefined && !isDeepStrictEqual(limit, plan.limits));
}

/** Returns the report that a driver of this version wrote; undefined if there is none. */
async function storedReport(stored: StoredExperiment): Promise<ShownReport | undefined> {
  const { store, manifest } = stored;
  if (!isEnded(manifest) || manifest.versions.kelvin !== packageJson.version) return undefined;
  const [page, summary] = [
    await store.readText("report.json"),
    await store.readText("summary.json"),
  ];
  if (page === undefined || summary === undefined) return undefined;
  const shown = requireJson("report.json", page) as ExperimentPage;
  const { headline, lastLine } = shown;
  const figures = requireJson("summary.json", summary) as Summary;
  return { page: shown, manifest, summary: figures, headline, ...defined({ lastLine }) };
}

function pagesOf(reports: readonly ShownReport[]): readonly ReportedExperiment[] {
  return reports.map(({ page }) => ({ experiment: page.experiment, page }));
}

/** Prints the first screen, or the comment. */
async function show(
  run: StoredRun,
  reports: readonly ShownReport[],
  folder: string,
  options: ReportOptions,
): Promise<ReportedRun> {
  const { runId } = run;
  const [only] = isMultiExperiment(run) ? [] : reports;
  const manifests = reports.map(({ manifest }) => manifest);
  const summaries = reports.flatMap(({ summary }) => summary ?? []);
  const code = gravestCode([
    manifests.every(isWhole) ? exitCodes.complete : exitCodes.partial,
    ...summaries.map(({ limits = [] }) => limitExitCode(limitFinding(limits))),
  ]);
  if (options.markdown !== undefined) {
    const isPrinted = await writeComment(options.markdown, requireComment(reports, folder));
    if (isPrinted) return { code, summaries };
  }
  const { headline } = only ?? renderOverview({ runId, experiments: pagesOf(reports) });
  const lastLine = only?.lastLine;
  const printed = { headline, manifests, isMultiExperiment: only === undefined };
  printReport({ ...printed, ...defined({ lastLine }) }, folder, options.json === true);
  return { code, summaries };
}

function requireComment(reports: readonly ShownReport[], folder: string): string {
  const [first, ...others] = reports;
  if (first?.comment !== undefined && others.length === 0) return first.comment;
  throw new InvalidInput("markdown", folder, "a run of one experiment that has functions");
}

/** Options of the new report, beyond or instead of the run's own. */
interface ReportOverrides extends Pick<ReportInputs, "split"> {
  readonly limits?: readonly Limit[];
}

interface RenderedRun {
  readonly run: StoredRun;
  readonly verification: Verification;
  /** One per experiment, in the run's order. */
  readonly rendered: readonly RenderedReport[];
}

/**
 * Verifies a run and rewrites each experiment's report while it holds the folder's lock. Throws InvalidInput and
 * ChangedRun.
 */
export async function renderRun(
  folder: string,
  costs: CostBasis,
  asked: ReportOverrides = {},
): Promise<RenderedRun> {
  const run = await openRun("folder", folder);
  // Two writers at once could leave one's checksums beside the other's text.
  const lock = lockRun("folder", folder);
  try {
    return await renderLocked(run, folder, costs, asked);
  } finally {
    lock.release();
  }
}

async function renderLocked(
  run: StoredRun,
  folder: string,
  costs: CostBasis,
  asked: ReportOverrides,
): Promise<RenderedRun> {
  const verification = await verifyRun(run, folder);
  const rendered: RenderedReport[] = [];
  for (const [index, each] of run.experiments.entries()) {
    const verified = verification.experiments[index] as Verification;
    rendered.push(await renderAgain(each, verified, costs, asked));
  }
  return { run, verification: verification.run, rendered };
}

async function renderAgain(
  experiment: StoredExperiment,
  verification: Verification,
  costs: CostBasis,
  { split, limits }: ReportOverrides,
): Promise<RenderedReport> {
  const { store, plan } = experiment;
  const prices = costs.arePricesGiven ? costs.prices : (plan.prices ?? costs.prices);
  const manifest = await storedManifest(experiment, verification, prices);
  const rendered = await rewriteReport({
    store,
    manifest,
    costs: { ...costs, prices },
    plan: limits === undefined ? plan : { ...plan, limits: [...limits] },
    ...defined({ split }),
  });
  printNewWarnings(experiment, rendered.manifest);
  return rendered;
}

/** Prints on stderr the warnings that the run itself did not have. */
function printNewWarnings({ plan, manifest }: StoredExperiment, { warnings }: Manifest): void {
  const progress = new Progress();
  const known = new Set((manifest ?? plan).warnings);
  for (const warning of warnings) if (!known.has(warning)) progress.say(warning);
}
