import { basename, dirname } from "node:path";
import { pricedSamples } from "../../lib/analysis/billed-cost.ts";
import {
  compareRuns,
  differingConditions,
  listUnshared,
  type OneRun,
} from "../../lib/analysis/compare-runs.ts";
import { compareVariants } from "../../lib/analysis/comparisons.ts";
import { listFactorPairs } from "../../lib/analysis/factor-pairs.ts";
import { factorComparisons } from "../../lib/analysis/factors.ts";
import { familyErrorRate } from "../../lib/analysis/family.ts";
import { type GateFinding, gateFinding } from "../../lib/analysis/gate.ts";
import { type GateRemedy, gateRemedy } from "../../lib/analysis/gate-remedy.ts";
import { noiseFinding } from "../../lib/analysis/machine-noise.ts";
import { defaultTraffic, pickSubject } from "../../lib/analysis/report-subject.ts";
import { plannedByCell } from "../../lib/analysis/sound-trials.ts";
import { parseRunAddress, s3Problem } from "../../lib/aws/results-bucket.ts";
import { defined } from "../../lib/contract/defined.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { measuredSubject } from "../../lib/experiments/catalogue.ts";
import { replaceFile } from "../../lib/files/replace-file.ts";
import type { RunFactors } from "../../lib/report/factor-text.ts";
import { notComparedTexts } from "../../lib/report/gate-text.ts";
import { twoRunsComment } from "../../lib/report/pull-request-comment.ts";
import { renderHtml } from "../../lib/report/render/html.ts";
import { renderComment } from "../../lib/report/render/markdown.ts";
import { renderTerminal } from "../../lib/report/render/terminal.ts";
import { type TwoRuns, twoRunsDocument } from "../../lib/report/two-runs-document.ts";
import { exitCodeFor, type FailOn, gateExitCode } from "../exit-codes.ts";
import { Progress, printable } from "../progress.ts";
import { downloadRun } from "../run/download-run.ts";
import { readRun } from "../run/read-run.ts";
import { openRun } from "../run/stored-run.ts";
import { interruption, stoppingText, writeComment } from "../run/until-ended.ts";
import { styledScreen } from "../terminal-style.ts";

interface CompareOptions {
  readonly margin: number;
  /** @default "slower" */
  readonly failOn?: FailOn;
  readonly json?: true;
  /** File for the comparison as an HTML page. */
  readonly html?: string;
  /** File for the comparison as a pull-request comment; `-` prints it to stdout instead of the tables. */
  readonly markdown?: string;
}

type Printing = Pick<CompareOptions, "json" | "html" | "markdown">;

/**
 * `kelvin compare`: compares every series that two runs share, the later run with the earlier. Returns a gate's exit
 * code (gateExitCode), or that of the error that made a comparison impossible: 2 for bad input, 5 for any other reason.
 */
export async function compare(
  before: string,
  after: string,
  options: CompareOptions,
): Promise<number> {
  try {
    const { compared, finding } = await comparedRuns(before, after, options.margin);
    await print(compared, options);
    return gateExitCode(finding, options.failOn);
  } catch (error) {
    const { type, message } = describeError(error);
    process.stderr.write(printable(`kelvin: ${message}\n`));
    return exitCodeFor(type);
  }
}

interface Comparing {
  readonly compared: TwoRuns;
  readonly finding: GateFinding;
}

async function comparedRuns(before: string, after: string, margin: number): Promise<Comparing> {
  const [earlier, later] = [await runAt("before", before), await runAt("after", after)];
  const pairs = pairRuns(earlier, later);
  for (const pair of pairs) {
    requireSamples("before", before, pair.before);
    requireSamples("after", after, pair.after);
    requireOneTarget(pair.before, pair.after, after);
  }
  const changes = compareRuns(pairs, { margin });
  if (changes.length === 0) {
    const known = earlier.map(({ plan }) => seriesNames(plan)).join(", ");
    throw new InvalidInput("after", after, `a run with a series of ${before} (${known})`);
  }
  const unshared = listUnsharedSeries([...earlier, ...later], pairs);
  const runs = pairs.flatMap((pair) => [pair.before, pair.after]);
  const manifests = runs.map(countedManifest);
  const finding = gateFinding({ comparisons: changes, margin, manifests, unshared });
  const compared: TwoRuns = {
    before,
    after,
    margin,
    changes,
    unshared,
    notCompared: notComparedTexts(finding),
    differences: listDifferences(pairs),
    ...defined({ remedy: remedyOf(finding, pairs) }),
    ...busyRuns(pairs),
    ...runFactors(pairs, margin),
    ...defined({ imported: environmentsOfImports(pairs) }),
  };
  return { compared, finding };
}

/** Lists the experiments and the series that only one run has. */
function listUnsharedSeries(runs: readonly OneRun[], pairs: readonly Pair[]): readonly string[] {
  const shared = pairs.map(({ id }) => id);
  return [
    ...listIds(runs).filter((id) => !shared.includes(id)),
    ...pairs.flatMap((pair) =>
      listUnshared(pair.before.plan, pair.after.plan).map((what) =>
        inExperiment(pairs, pair, what),
      ),
    ),
  ];
}

/** Returns the runs during which the machine was busy; empty if none was, or none recorded it. */
function busyRuns(pairs: readonly Pair[]): Pick<TwoRuns, "busy"> {
  const isBusy = ({ manifest }: OneRun) => noiseFinding(manifest)?.isBusy === true;
  const busy = [
    ...(pairs.some(({ before }) => isBusy(before)) ? (["earlier"] as const) : []),
    ...(pairs.some(({ after }) => isBusy(after)) ? (["later"] as const) : []),
  ];
  return busy.length === 0 ? {} : { busy };
}

/** Returns each run's comparisons of one factor, such as arm64 with x86_64; empty if no run declares any. */
function runFactors(pairs: readonly Pair[], margin: number): Pick<TwoRuns, "factors"> {
  const factors = pairs.flatMap(({ before, after }) => [
    ...factorsOf("earlier", before, margin),
    ...factorsOf("later", after, margin),
  ]);
  return factors.length === 0 ? {} : { factors };
}

function factorsOf(which: RunFactors["which"], run: OneRun, margin: number): readonly RunFactors[] {
  if (listFactorPairs(run.plan).length === 0) return [];
  const { samples, manifest } = run;
  const { errorRate = familyErrorRate } = run.plan.verdicts ?? {};
  const plan = { ...run.plan, verdicts: { margin, errorRate } };
  const subject = measuredSubject(plan);
  const { prices = publishedPrices } = plan;
  const factors = factorComparisons({
    ...pricedSamples({ plan, manifest, samples, prices }),
    comparisons: compareVariants(plan, subject.baselineVariant, samples),
    coldShare: defaultTraffic.coldShare,
  });
  return [{ which, subject: pickSubject(subject), margin, factors }];
}

/** Returns a run's manifest with counts from its plan and its data. An import has no planned calls. */
function countedManifest({ plan, manifest, samples }: OneRun) {
  const planned = [...plannedByCell(plan).values()].reduce((sum, calls) => sum + calls, 0);
  return { ...manifest, counts: samples.quality.counts(planned) };
}

/** Returns a remedy for undecided comparisons of one experiment, if it can be measured again. */
function remedyOf(finding: GateFinding, pairs: readonly Pair[]): GateRemedy | undefined {
  const [first, ...others] = pairs;
  if (first === undefined || others.length > 0 || first.after.plan.target === "imported") {
    return undefined;
  }
  return gateRemedy(finding, first.after.plan, [first.before.manifest, first.after.manifest]);
}

/** Returns whether the sources of imported runs name log streams; undefined for Kelvin's own runs. */
function environmentsOfImports(pairs: readonly Pair[]): TwoRuns["imported"] {
  const origins = pairs
    .flatMap(({ before, after }) => [before, after])
    .flatMap(({ manifest: { imported } }) => (imported === undefined ? [] : [imported]));
  if (origins.length === 0) return undefined;
  const haveStreams = origins.every(({ logStreams }) => logStreams?.samplesWithout === 0);
  return haveStreams ? "log-streams" : "nothing";
}

/** An experiment that both runs have. */
interface Pair {
  readonly id: string;
  readonly before: OneRun;
  readonly after: OneRun;
}

function pairRuns(earlier: readonly OneRun[], later: readonly OneRun[]): readonly Pair[] {
  return listIds([...earlier, ...later]).flatMap((id) => {
    const [before, after] = [earlier, later].map((runs) =>
      runs.find(({ plan }) => plan.experiment === id),
    );
    return before === undefined || after === undefined ? [] : [{ id, before, after }];
  });
}

function listIds(runs: readonly OneRun[]): readonly string[] {
  return [...new Set(runs.map(({ plan }) => plan.experiment))];
}

/** Lists the differences between two runs. With several experiments, each is prefixed with its experiment. */
function listDifferences(pairs: readonly Pair[]): TwoRuns["differences"] {
  return pairs.flatMap((pair) =>
    differingConditions(pair.before, pair.after).map((each) => ({
      ...each,
      what: inExperiment(pairs, pair, each.what),
    })),
  );
}

function inExperiment(pairs: readonly Pair[], { id }: Pair, what: string): string {
  return pairs.length === 1 ? what : `${id}: ${what}`;
}

/** Names a run's series: by its experiment, which fixes the names of cells, or those that an import was given. */
function seriesNames({ experiment, target, cells, coldOperation }: OneRun["plan"]): string {
  if (target !== "imported") return experiment;
  const ids = cells.map(({ id }) => id).join(", ");
  return `${experiment}: ${ids}; operation ${coldOperation}`;
}

function requireSamples(side: string, named: string, { manifest }: OneRun): void {
  if (manifest.imported?.averages === undefined) return;
  throw new InvalidInput(
    side,
    named,
    "a run with samples; this one holds only another tool's averages",
  );
}

/** Throws InvalidInput for a local run against a Lambda one: their times are not comparable. */
function requireOneTarget(before: OneRun, after: OneRun, named: string): void {
  const [found, allowed] = [after.plan.target, before.plan.target];
  if (found === allowed) return;
  throw new InvalidInput(
    "after",
    named,
    `a run with the target ${allowed}; the target of this one is ${found}`,
  );
}

async function print(compared: TwoRuns, { json, html, markdown }: Printing): Promise<void> {
  const { answer, ...document } = twoRunsDocument(compared);
  if (
    markdown !== undefined &&
    (await writeComment(markdown, renderComment(twoRunsComment(compared))))
  )
    return;
  if (html !== undefined) await replaceFile(dirname(html), basename(html), renderHtml(document));
  const where = html === undefined ? "" : `\n${html}\n`;
  const text = json
    ? `${JSON.stringify(compared)}\n`
    : `${renderTerminal(document.title, answer.block, { allNotesIn: html ?? "the page that --html writes" })}${where}`;
  process.stdout.write(json === true ? printable(text) : styledScreen(printable(text)));
}

/**
 * Reads every experiment of a run in a folder, or at an S3 address, from which it is fetched first. Throws
 * InvalidInput naming the side, and ChangedRun.
 */
async function runAt(side: string, address: string): Promise<readonly OneRun[]> {
  const folder = address.startsWith("s3://") ? await fetched(address) : address;
  return await readRun(await openRun(side, folder), folder);
}

async function fetched(address: string): Promise<string> {
  const where = parseRunAddress(address);
  const progress = new Progress();
  const { signal, release } = interruption(progress, stoppingText("what was fetched"));
  try {
    return (await downloadRun(where, undefined, progress, signal)).folder;
  } catch (error) {
    throw s3Problem(error, where.bucket);
  } finally {
    release();
  }
}
