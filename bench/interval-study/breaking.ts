import type { Compared } from "../../lib/analysis/series-ratio.ts";
import { defined } from "../../lib/contract/defined.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { intervalOfMeans } from "../../lib/statistics/mean-interval.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { findWarnings, type Warning } from "../../lib/statistics/warnings.ts";
import { type BreakingPopulation, breakingPopulations } from "./breaking-populations.ts";
import { designOf, designText, presets, withShare } from "./designs.ts";
import { type Design, errorRate, type StudyOptions } from "./simulated.ts";
import { isCalled, onlyComparison } from "./study.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

/** Shares of runs, 0 to 1. Except for means and `without`, they are shares of the runs with an interval. */
interface BreakingRow {
  /** Intervals that contain the true ratio. */
  readonly covered: number;
  /** Intervals of the baseline's mean that contain the true one; absent if there is none. */
  readonly meanCovered?: number;
  /** Comparisons of a function with itself that are called faster or slower. */
  readonly falseVerdicts: number;
  /** Shifts that the test detects, and that are called slower. */
  readonly significant: number;
  readonly shiftCalled: number;
  /** Runs without a shift in which the report shows the population's sign. */
  readonly warned: number;
  /** Share with the sign among the runs without a shift that are called faster or slower; NaN if there are none. */
  readonly warnedOfFalse: number;
  /** Runs without an interval. */
  readonly without: number;
}

export function breakingRow(
  population: BreakingPopulation,
  design: Design,
  { rounds, draws, seed }: StudyOptions,
): BreakingRow {
  const random = new SeededRandom(seed);
  const runs = Array.from({ length: rounds }, (_, round) =>
    simulateRun(population, design, random, { round, draws }),
  );
  const found = runs.flatMap(({ compared }) => compared ?? []);
  const share = (has: (run: (typeof found)[number]) => boolean, of = found) =>
    of.length === 0 ? Number.NaN : of.filter(has).length / of.length;
  const meanCovered = runs.filter(({ isMeanCovered }) => isMeanCovered).length / rounds;
  return {
    covered: share(({ isCovered }) => isCovered),
    ...(population.meanMs !== undefined && { meanCovered }),
    falseVerdicts: share(({ isFalse }) => isFalse),
    significant: share(({ isSignificant }) => isSignificant),
    shiftCalled: share(({ isSlower }) => isSlower),
    warned: share(({ isWarned }) => isWarned),
    warnedOfFalse: share(
      ({ isWarned }) => isWarned,
      found.filter(({ isFalse }) => isFalse),
    ),
    without: 1 - found.length / rounds,
  };
}

interface Round {
  readonly round: number;
  readonly draws: number;
}

/** Returns what one simulated run shows; `compared` is absent if the ratio has no interval. */
function simulateRun(
  population: BreakingPopulation,
  design: Design,
  random: SeededRandom,
  { round, draws }: Round,
) {
  const { ratioOfMeans = population.shift, meanMs } = population;
  const measure = (factor: number, isVariant: boolean) =>
    population.measure(design, factor, random, isVariant);
  const [shifted, baseline] = [measure(population.shift, true), measure(1, false)];
  const [replica, second] = [measure(1, true), measure(1, false)];
  const [apart, same, pair] = [shifted, replica, second].map((above) =>
    onlyComparison(above, baseline, round, draws),
  );
  if (apart === undefined || same === undefined) throw new RangeError("no comparison");
  const { low, high, adjustedPValue = 1 } = apart;
  const isMeanCovered = meanMs !== undefined && holdsMean(baseline, meanMs, { round, draws });
  if (low === undefined || high === undefined) return { isMeanCovered };
  const compared = {
    isCovered: low <= ratioOfMeans && ratioOfMeans <= high,
    isSignificant: adjustedPValue < errorRate,
    isSlower: apart.verdict === "slower",
    isFalse: isCalled(same),
    isWarned: hasSign(population, replica, baseline, { same, ...defined({ pair }) }),
  };
  return { isMeanCovered, compared };
}

function holdsMean(series: Series, truth: number, { round, draws }: Round): boolean {
  const found = intervalOfMeans(
    { series: [series], compute: ([mean = 0]) => mean },
    { seed: round, draws },
  );
  return found.kind === "mean-interval" && found.low <= truth && truth <= found.high;
}

interface Found {
  readonly same: Compared;
  /** Comparison of another deployment of the baseline with it. */
  readonly pair?: Compared;
}

function hasSign(
  { sign }: BreakingPopulation,
  replica: Series,
  baseline: Series,
  { same, pair }: Found,
): boolean {
  const warnings = [replica, baseline].flatMap((series) => findWarnings(series));
  const has = (...kinds: readonly Warning["kind"][]) =>
    warnings.some(({ kind }) => kinds.includes(kind));
  switch (sign) {
    case "compared within CPU models":
      return same.cpuModels !== undefined;
    case "unknown CPU models":
      return true;
    case "A/A pair differs":
      return pair?.low !== undefined && (pair.low > 1 || (pair.high ?? 0) < 1);
    case "long calls":
      return has("long-calls") || same.fewCalls !== undefined;
    case "drift":
      return has("drift", "autocorrelated");
    case "none needed":
      return false;
  }
}

/** Three pairs and a mean per run. */
const fewerRounds = 0.1;

/** Table of the populations for which intervals or tests fail. */
export const breakingTables: readonly StudyTable[] = [
  studyTable(
    "breaking",
    ["population", "measured", "sign"],
    [
      ...["covers the true ratio", "covers the true mean"],
      ...["A/A: called faster or slower", "shift: told apart", "shift: called slower"],
      ...["the report shows the sign", "of A/A that is called", "no interval"],
    ],
    breakingRows,
  ),
];

/** Studied in warm calls, because the cause is in the calls of an environment or between environments. */
function* breakingRows(options: StudyOptions): Generator<string> {
  for (const population of breakingPopulations) {
    for (const size of presets) yield breakingText(population, designOf(size, "warm"), options);
  }
}

function breakingText(
  population: BreakingPopulation,
  design: Design,
  options: StudyOptions,
): string {
  const row = breakingRow(population, design, withShare(options, fewerRounds));
  const { covered, meanCovered = Number.NaN, falseVerdicts, significant, shiftCalled } = row;
  const shares = [covered, meanCovered, falseVerdicts, significant, shiftCalled];
  const signs = [row.warned, row.warnedOfFalse, row.without];
  const text = (share: number) => (Number.isNaN(share) ? "–" : percent(share));
  return line([
    ...[population.id, designText(design), population.sign],
    ...[...shares, ...signs].map(text),
  ]);
}
