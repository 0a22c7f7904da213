import { ratioOfSeries, withVerdict } from "../../lib/analysis/comparisons.ts";
import { adjustedInRun, type Tested, withAdjusted } from "../../lib/analysis/family.ts";
import { relativeHalfWidth } from "../../lib/analysis/precision.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { listLooks } from "../../lib/plan/blocks.ts";
import { adjustedBySwaps } from "../../lib/statistics/block-swaps.ts";
import {
  type FigureOfMeans,
  intervalOfMeans,
  ratioOfMeans,
} from "../../lib/statistics/mean-interval.ts";
import { type Ratio, ratioOfMedians } from "../../lib/statistics/ratio.ts";
import { environmentMedians, inSharedBlocks, type Series } from "../../lib/statistics/series.ts";
import { mannWhitney } from "../../lib/statistics/shift.ts";
import { judge } from "../../lib/statistics/verdict.ts";
import { findWarnings } from "../../lib/statistics/warnings.ts";
import type { Population } from "./populations.ts";

/** How much is measured: the sizes of a preset's phase. */
export interface Design {
  readonly label: string;
  readonly environments: number;
  readonly callsEach: number;
}

/** The statistics held against the truth, over many runs that never were. Shares are 0 to 1. */
export interface StudyRow {
  readonly rounds: number;
  /** Intervals that hold the true ratio. */
  readonly covered: number;
  /** A/A pairs that a verdict calls faster or slower. */
  readonly falseVerdicts: number;
  /** A/A pairs that the test tells apart. */
  readonly falselyToldApart: number;
  /** Pairs that the test tells apart where the truth is a shift of 10 %. */
  readonly toldApart: number;
  /** The same where it is the only difference among as many comparisons as a report has. */
  readonly toldApartOfMany: number;
  /** Intervals that leave out 1 where the truth is a shift of 10 %. */
  readonly shiftSeen: number;
  /** Verdicts `slower` at the margin of 5 % where the truth is a shift of 10 %. */
  readonly shiftCalled: number;
}

export interface StudyOptions {
  readonly rounds: number;
  /** Bootstrap draws a ratio. */
  readonly draws: number;
  readonly seed: number;
}

/** The shift that is to be found. */
export const shift = 1.1;

/** What the quick preset of dynamodb compares on AWS: 14 ratios of 2 variants at 3 sizes. */
export const comparisonsOfReport = 84;

const errorRate = 0.05;

/** A test needs no bootstrap, and its share of 5 % is to be known to a tenth. */
const testRounds = 10;

/** The study of one population under one design. Deterministic for the seed. */
export function studyRow(
  population: Population,
  design: Design,
  { rounds, draws, seed }: StudyOptions,
): StudyRow {
  const random = new SeededRandom(seed);
  const counts = { covered: 0, falseVerdicts: 0, shiftSeen: 0, shiftCalled: 0 };
  const apart = { truly: 0, ofMany: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const blockLogs = population.blockLogs(design.environments, random);
    const measure = (factor: number, side?: Side) =>
      simulated(population, design, factor, blockLogs, random, side);
    const [shifted, baseline, replica] = [
      measure(shift, "variant"),
      measure(1),
      measure(1, "variant"),
    ];
    const options = { seed: round, draws };
    const ratio = interval(ratioOfMedians(shifted, baseline, options));
    const alike = ratioOfMedians(replica, baseline, options);
    counts.covered += Number(ratio.low <= shift && shift <= ratio.high);
    counts.shiftSeen += Number(ratio.low > 1);
    counts.shiftCalled += Number(judge(ratio).kind === "slower");
    counts.falseVerdicts += Number(["faster", "slower"].includes(judge(alike).kind));
    const chance = chanceOf(shifted, baseline);
    apart.truly += Number(chance < errorRate);
    apart.ofMany += Number(chance < errorRate / comparisonsOfReport);
  }
  const share = (count: number) => count / rounds;
  return {
    rounds,
    covered: share(counts.covered),
    falseVerdicts: share(counts.falseVerdicts),
    falselyToldApart: toldApart(population, design, 1, { rounds: testRounds * rounds, seed }),
    toldApart: share(apart.truly),
    toldApartOfMany: share(apart.ofMany),
    shiftSeen: share(counts.shiftSeen),
    shiftCalled: share(counts.shiftCalled),
  };
}

/** Share of runs in which the test tells two sides apart, one of which takes so many times as long. */
export function toldApart(
  population: Population,
  design: Design,
  factor: number,
  { rounds, seed }: Pick<StudyOptions, "rounds" | "seed">,
): number {
  const random = new SeededRandom(seed);
  let count = 0;
  for (let round = 0; round < rounds; round += 1) {
    const blockLogs = population.blockLogs(design.environments, random);
    const measure = (times: number) => simulated(population, design, times, blockLogs, random);
    count += Number(chanceOf(measure(factor), measure(1)) < errorRate);
  }
  return count / rounds;
}

/** Bills of which the mean is known. Shares of runs in which an interval holds what it is of. */
export interface MeansRow {
  /** The true ratio of means. */
  readonly ratioCovered: number;
  /** The true mean; absent where no formula gives it. */
  readonly meanCovered?: number;
}

/** The study of the intervals that costs have. As in a report all are drawn by one seed. */
export function meansRow(
  population: Population,
  design: Design,
  { rounds, draws, seed }: StudyOptions,
): MeansRow {
  const random = new SeededRandom(seed);
  const truth = trueMean(population);
  const figure = (series: Series): FigureOfMeans => ({
    series: [series],
    of: ([mean = 0]) => mean,
  });
  const counts = { ratio: 0, mean: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const blockLogs = population.blockLogs(design.environments, random);
    const measure = (factor: number) =>
      figure(simulated(population, design, factor, blockLogs, random));
    const [shifted, baseline] = [measure(shift), measure(1)];
    const ratio = interval(ratioOfMeans(shifted, baseline, { seed, draws }));
    const found = intervalOfMeans(baseline, { seed, draws });
    if (found.kind === "insufficient") throw new RangeError(`no interval: ${found.kind}`);
    counts.ratio += Number(ratio.low <= shift && shift <= ratio.high);
    counts.mean += Number(truth !== undefined && found.low <= truth && truth <= found.high);
  }
  const ratioCovered = counts.ratio / rounds;
  return truth === undefined
    ? { ratioCovered }
    : { ratioCovered, meanCovered: counts.mean / rounds };
}

/**
 * The mean of a log-normal factor with the standard deviation s is exp(s^2 / 2), of a Pareto factor of
 * exponent 1.5 it is 3. Undefined of a drift, of which every run has another part.
 */
function trueMean({ id }: Population): number | undefined {
  const spread = (deviation: number) => Math.exp(deviation ** 2 / 2);
  switch (id) {
    case "log-normal":
      return spread(0.05) ** 2;
    case "wide":
      return spread(0.1) ** 2;
    case "bimodal":
      return spread(0.05) ** 2 * (0.7 + 0.3 * 1.8);
    case "heavy-tail":
      return spread(0.05) ** 2 * (0.8 + 0.2 * 3) * (0.95 + 0.05 * 3);
    default:
      return undefined;
  }
}

/** The p-value that a report states and corrects. */
function chanceOf(one: Series, other: Series): number {
  const [own, its] = inSharedBlocks(environmentMedians(one), environmentMedians(other)).map(
    (environments) => environments.map(({ median }) => median),
  );
  const test = mannWhitney(own ?? [], its ?? []);
  return test.kind === "mann-whitney" ? test.pValue : 1;
}

/** A run that ends by the width of one interval: the rule's whole effect, which waiting for others dilutes. */
export interface StoppingDesign {
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly untilPrecision: number;
}

export interface StoppingRow {
  /** Intervals at the run's end that hold the true ratio. */
  readonly covered: number;
  /** Runs that ended by precision, and not by their budget. */
  readonly reached: number;
  /** Mean. */
  readonly environments: number;
}

/** The study of runs that end when the interval is narrow, at the looks of a run. */
export function stoppingRow(
  population: Population,
  { label, least, most, untilPrecision }: StoppingDesign,
  { rounds, draws, seed }: StudyOptions,
): StoppingRow {
  const random = new SeededRandom(seed);
  const design = { label, environments: most, callsEach: 1 };
  const counts = { covered: 0, reached: 0, environments: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const blockLogs = population.blockLogs(most, random);
    const measure = (factor: number) => simulated(population, design, factor, blockLogs, random);
    const [shifted, baseline] = [measure(shift), measure(1)];
    for (const look of listLooks(least, most)) {
      const [above, below] = [firstUnits(shifted, look), firstUnits(baseline, look)];
      const ratio = interval(ratioOfMedians(above, below, { seed: round, draws }));
      const isReached = (relativeHalfWidth(ratio) as number) <= untilPrecision;
      if (!isReached && look < most) continue;
      counts.covered += Number(ratio.low <= shift && shift <= ratio.high);
      counts.reached += Number(isReached);
      counts.environments += look;
      break;
    }
  }
  const { covered, reached, environments } = counts;
  return {
    covered: covered / rounds,
    reached: reached / rounds,
    environments: environments / rounds,
  };
}

function firstUnits({ units }: Series, count: number): Series {
  return { units: units.slice(0, count) };
}

/** Mishaps held against the truth. Shares are of the runs that have an interval, 0 to 1. */
export interface MishapRow {
  readonly covered: number;
  /** A/A pairs that a verdict calls faster or slower. */
  readonly falseVerdicts: number;
  /** Pairs with an interval that leaves out 1 where the truth is a shift of 10 %. */
  readonly shiftSeen: number;
  /** Series of the variant of which a report says that they drift, or that neighbours are alike. */
  readonly warned: number;
  /** Runs with too few blocks that both sides have: shares of all. */
  readonly without: number;
}

export function mishapRow(
  population: Population,
  design: Design,
  { rounds, draws, seed }: StudyOptions,
): MishapRow {
  const random = new SeededRandom(seed);
  const counts = { covered: 0, falseVerdicts: 0, shiftSeen: 0, warned: 0 };
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const blockLogs = population.blockLogs(design.environments, random);
    const measure = (factor: number, side: Side) =>
      simulated(population, design, factor, blockLogs, random, side);
    const [baseline, shifted] = [measure(1, "baseline"), measure(shift, "variant")];
    const replica = measure(1, "variant");
    const ratio = ratioOfMedians(shifted, baseline, { seed: round, draws });
    if (ratio.kind !== "ratio") continue;
    found += 1;
    counts.covered += Number(ratio.low <= shift && shift <= ratio.high);
    counts.shiftSeen += Number(ratio.low > 1);
    const alike = judge(ratioOfMedians(replica, baseline, { seed: round, draws })).kind;
    counts.falseVerdicts += Number(alike === "faster" || alike === "slower");
    counts.warned += Number(
      findWarnings(shifted).some(({ kind }) => kind === "drift" || kind === "autocorrelated"),
    );
  }
  const share = (count: number) => (found === 0 ? Number.NaN : count / found);
  return {
    covered: share(counts.covered),
    falseVerdicts: share(counts.falseVerdicts),
    shiftSeen: share(counts.shiftSeen),
    warned: share(counts.warned),
    without: 1 - found / rounds,
  };
}

/**
 * Reports of the primary comparisons of the quick preset of dynamodb on AWS, two variants and one baseline
 * at each of three sizes and six operations, all in the same blocks. Shares of reports, 0 to 1.
 */
export interface FamilyRow {
  /** Reports without a difference that call anything faster or slower. */
  readonly byInterval: number;
  readonly afterCorrection: number;
  /** The same that tell anything apart after the correction. */
  readonly toldApart: number;
}

/** What the quick preset of dynamodb asks of a report: first, second and warm Duration. */
export const primaryOfReport = 36;

const variants = 2;

export function familyRow(
  population: Population,
  design: Design,
  comparisons: number,
  { rounds, draws, seed, testRounds }: StudyOptions & { readonly testRounds: number },
): FamilyRow {
  const random = new SeededRandom(seed);
  const isCalled = ({ verdict }: Tested) => verdict === "faster" || verdict === "slower";
  const counts = { byInterval: 0, afterCorrection: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const plan = { seed: round, target: "aws" } as const;
    const compared = makeReport(population, design, comparisons, 1, random).map(
      ([above, below], index) =>
        ratioOfSeries(above, below, { ...plan, seed: round * comparisons + index }, draws),
    );
    const family = compared.map((pair) => withVerdict(pair));
    counts.byInterval += Number(family.some(isCalled));
    const corrected = withAdjusted(family, adjustedInRun(plan, compared));
    counts.afterCorrection += Number(corrected.some(isCalled));
  }
  return {
    byInterval: counts.byInterval / rounds,
    afterCorrection: counts.afterCorrection / rounds,
    toldApart: anythingTold(population, design, comparisons, { rounds: testRounds, seed }),
  };
}

/** Share of reports without a difference of which the test tells anything apart; no bootstrap is needed. */
function anythingTold(
  population: Population,
  design: Design,
  comparisons: number,
  { rounds, seed }: Pick<StudyOptions, "rounds" | "seed">,
): number {
  const random = new SeededRandom(seed);
  let told = 0;
  for (let round = 0; round < rounds; round += 1) {
    const report = makeReport(population, design, comparisons, 1, random);
    told += Number(adjustedOf(report, round).some((pValue = 1) => pValue < errorRate));
  }
  return told / rounds;
}

function adjustedOf(report: readonly (readonly [Series, Series])[], seed: number) {
  const sides = report.map(([above, below]) => ({
    above: environmentMedians(above),
    below: environmentMedians(below),
  }));
  return adjustedBySwaps(sides, seed);
}

/** Both sides of every comparison of a report, the first of which alone is shifted. */
function makeReport(
  population: Population,
  design: Design,
  comparisons: number,
  factor: number,
  random: SeededRandom,
): readonly (readonly [Series, Series])[] {
  const blockLogs = population.blockLogs(design.environments, random);
  const measure = (times: number, side: Side) =>
    simulated(population, design, times, blockLogs, random, side);
  return Array.from({ length: comparisons / variants }, (_, group) => {
    const baseline = measure(1, "baseline");
    return Array.from(
      { length: variants },
      (__, index) => [measure(group + index === 0 ? factor : 1, "variant"), baseline] as const,
    );
  }).flat();
}

/** How often the only difference of a report is told apart. Shares of reports, 0 to 1. */
export interface OnlyRow {
  /** By ranks, corrected for the number of all comparisons, with the environments that quick had before. */
  readonly before: number;
  /** The same with the environments that it has. */
  readonly byNumber: number;
  readonly bySwaps: number;
  /** Reports that tell anything else apart by swaps, where nothing else differs. */
  readonly anyOther: number;
}

/** The shift that the quick preset is to find. */
export const largeShift = 1.2;

/** What the quick preset had until decision 0040. */
export const environmentsBefore = 8;

export function onlyRow(
  population: Population,
  design: Design,
  { rounds, seed }: Pick<StudyOptions, "rounds" | "seed">,
): OnlyRow {
  const random = new SeededRandom(seed);
  const counts = { before: 0, byNumber: 0, bySwaps: 0, anyOther: 0 };
  const earlier = { ...design, environments: environmentsBefore };
  for (let round = 0; round < rounds; round += 1) {
    const report = makeReport(population, design, primaryOfReport, largeShift, random);
    const [bySwaps = 1, ...others] = adjustedOf(report, round);
    counts.before += Number(
      isFirstFound(makeReport(population, earlier, variants, largeShift, random)),
    );
    counts.byNumber += Number(isFirstFound(report));
    counts.bySwaps += Number(bySwaps < errorRate);
    counts.anyOther += Number(others.some((pValue = 1) => pValue < errorRate));
  }
  return {
    before: counts.before / rounds,
    byNumber: counts.byNumber / rounds,
    bySwaps: counts.bySwaps / rounds,
    anyOther: counts.anyOther / rounds,
  };
}

/** Whether ranks, corrected for the number of all comparisons, tell a report's first one apart. */
function isFirstFound([first]: readonly (readonly [Series, Series])[]): boolean {
  if (first === undefined) throw new RangeError("no comparison");
  return chanceOf(...first) < errorRate / comparisonsOfReport;
}

type Side = "variant" | "baseline";

function simulated(
  population: Population,
  { environments, callsEach }: Design,
  factor: number,
  blockLogs: readonly number[],
  random: SeededRandom,
  side: Side = "baseline",
): Series {
  const { measured = (time: number) => time, isLost = () => false } = population;
  const isVariant = side === "variant";
  const ownLogs = population.ownLogs?.(environments, isVariant, random) ?? [];
  const units = Array.from({ length: environments }, (_, block) => {
    const level =
      (blockLogs[block] ?? 0) + (ownLogs[block] ?? 0) + population.environmentLog(random);
    const call = () => factor * Math.exp(level + population.callLog(random));
    const times = Array.from({ length: callsEach }, call);
    const kept = times.some((time) => isLost(time, random)) ? [] : times;
    return { block, values: kept.map((time) => measured(time, random)) };
  });
  const last = isVariant ? population.lastOfVariant?.(environments) : undefined;
  return { units: last === undefined ? units : units.slice(0, last) };
}

function interval(ratio: Ratio) {
  if (ratio.kind !== "ratio") throw new RangeError(`no interval: ${ratio.kind}`);
  return ratio;
}
