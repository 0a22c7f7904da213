import type { Compared } from "../../lib/analysis/series-ratio.ts";
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
  const { ratioOfMeans = population.shift, meanMs } = population;
  const random = new SeededRandom(seed);
  const counts = { covered: 0, mean: 0, called: 0, significant: 0, shift: 0, warned: 0, both: 0 };
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const measure = (factor: number, isVariant: boolean) =>
      population.measure(design, factor, random, isVariant);
    const [shifted, baseline] = [measure(population.shift, true), measure(1, false)];
    const [replica, second] = [measure(1, true), measure(1, false)];
    const [apart, same, pair] = [shifted, replica, second].map((above) =>
      onlyComparison(above, baseline, round, draws),
    );
    if (apart === undefined || same === undefined) throw new RangeError("no comparison");
    const { low, high, adjustedPValue = 1 } = apart;
    counts.mean += Number(meanMs !== undefined && holdsMean(baseline, meanMs, { round, draws }));
    if (low === undefined || high === undefined) continue;
    found += 1;
    counts.covered += Number(low <= ratioOfMeans && ratioOfMeans <= high);
    counts.significant += Number(adjustedPValue < errorRate);
    counts.shift += Number(apart.verdict === "slower");
    const isFalse = isCalled(same);
    const isWarned = hasSign(population, replica, baseline, { same, ...(pair && { pair }) });
    counts.called += Number(isFalse);
    counts.warned += Number(isWarned);
    counts.both += Number(isFalse && isWarned);
  }
  const share = (count: number) => (found === 0 ? Number.NaN : count / found);
  return {
    covered: share(counts.covered),
    ...(meanMs !== undefined && { meanCovered: counts.mean / rounds }),
    falseVerdicts: share(counts.called),
    significant: share(counts.significant),
    shiftCalled: share(counts.shift),
    warned: share(counts.warned),
    warnedOfFalse: counts.called === 0 ? Number.NaN : counts.both / counts.called,
    without: 1 - found / rounds,
  };
}

function holdsMean(
  series: Series,
  truth: number,
  { round, draws }: { readonly round: number; readonly draws: number },
): boolean {
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
  replica: Series | undefined,
  baseline: Series,
  { same, pair }: Found,
): boolean {
  const warnings = [replica, baseline].flatMap((series) =>
    series === undefined ? [] : findWarnings(series),
  );
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
