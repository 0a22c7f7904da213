import { limitFinding } from "../../lib/analysis/limits.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { requireJson } from "../../lib/contract/lines.ts";
import type { Limit, Manifest } from "../../lib/contract/types/contract.ts";
import { lockRun } from "../../lib/local/run-lock.ts";
import type { RenderedReport, ReportInputs } from "../../lib/report/experiment-report.ts";
import { checksumsPath } from "../../lib/sampler/checksums.ts";
import { exitCodes, gravestCode, isWhole, limitExitCode } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { type CostBasis, type CostOptions, costBasis } from "./cost-basis.ts";
import { storedManifest } from "./stored-manifest.ts";
import { isMultiExperiment, openRun, type StoredExperiment, type StoredRun } from "./stored-run.ts";
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

/**
 * Verifies a run's samples, renders its report again and prints it; returns the exit code. The run's other files stay
 * unchanged, including its manifests.
 */
export async function reportRun(folder: string, options: ReportOptions): Promise<number> {
  const { run, verification, rendered } = await renderRun(folder, costBasis(options), {
    ...defined({ split: options.split, limits: options.limit }),
  });
  const progress = new Progress();
  if (verification.kind === "verified") {
    progress.say(`${verification.files} files verified against ${checksumsPath}`);
  }
  const pages = rendered.map(({ page }) => ({ experiment: page.experiment, page }));
  const several = isMultiExperiment(run);
  const headline = several ? (await writeOverview(run, pages)).headline : rendered[0]?.headline;
  const manifests = rendered.map(({ manifest }) => manifest);
  const ending = gravestCode([
    manifests.every(isWhole) ? exitCodes.complete : exitCodes.partial,
    ...rendered.map(limitCode),
  ]);
  if (options.markdown !== undefined) {
    if (await writeComment(options.markdown, requireComment(rendered, folder))) return ending;
  }
  const printed = {
    headline: headline ?? "",
    manifests,
    isMultiExperiment: several,
    ...defined({ lastLine: several ? undefined : rendered[0]?.lastLine }),
  };
  printReport(printed, folder, options.json === true);
  return ending;
}

function limitCode({ files }: RenderedReport): number {
  const text = files["summary.json"] ?? "";
  const { limits } = requireJson("summary.json", text) as Partial<Pick<Summary, "limits">>;
  return limits === undefined ? exitCodes.complete : limitExitCode(limitFinding(limits));
}

function requireComment(rendered: readonly RenderedReport[], folder: string): string {
  const [first, ...others] = rendered;
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
