import { adjustedInRun, type Tested, withAdjusted } from "../../lib/analysis/family.ts";
import { relativeHalfWidth } from "../../lib/analysis/precision.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../lib/analysis/series-ratio.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { listLooks } from "../../lib/plan/blocks.ts";
import { environmentMeans, inSharedBlocks, type Series } from "../../lib/statistics/series.ts";
import { mannWhitney } from "../../lib/statistics/shift.ts";
import { findWarnings } from "../../lib/statistics/warnings.ts";
import type { Population } from "./populations.ts";
import {
  type Design,
  errorRate,
  measureInRun,
  ratioOf,
  type StudyOptions,
  sharesOfRounds,
  shift,
} from "./simulated.ts";

/** The statistics compared with the truth, over many simulated runs. Shares are 0 to 1. */
export interface StudyRow {
  /** Intervals that contain the true ratio. */
  readonly covered: number;
  /** A/A pairs that a verdict calls faster or slower. */
  readonly falseVerdicts: number;
  /** A/A pairs that the test calls different. */
  readonly falselySignificant: number;
  /** Pairs with a true shift of 10% that the test detects. */
  readonly significant: number;
  /** The same if it is the only difference among as many comparisons as a report has. */
  readonly significantOfMany: number;
  /** Intervals that exclude 1 if the true shift is 10%. */
  readonly shiftSeen: number;
  /** Verdicts `slower` at the margin of 5% if the true shift is 10%. */
  readonly shiftCalled: number;
}

/** Number of comparisons of the quick preset of dynamodb on AWS: 14 ratios of 2 variants at 3 sizes. */
export const comparisonsOfReport = 84;

/** Additional rounds for tests, which need no interval: their 5% share should be known to a tenth. */
const testRounds = 10;

/** Studies one population under one design. Deterministic for the seed. */
export function studyRow(
  population: Population,
  design: Design,
  { rounds, draws, seed }: StudyOptions,
): StudyRow {
  const shares = sharesOfRounds({ rounds, seed }, (random, round) => {
    const measure = measureInRun(population, design, random);
    const [shifted, baseline, replica] = [
      measure(shift, "variant"),
      measure(1),
      measure(1, "variant"),
    ];
    const plan = { seed: round, target: "aws" } as const;
    const found = withVerdict(ratioOfSeries(shifted, baseline, plan, draws));
    const alike = withVerdict(ratioOfSeries(replica, baseline, plan, draws));
    const { low, high, pValue: chance = 1 } = found;
    if (low === undefined || high === undefined) throw new RangeError("no interval");
    return {
      covered: low <= shift && shift <= high,
      falseVerdicts: isCalled(alike),
      significant: chance < errorRate,
      significantOfMany: chance < errorRate / comparisonsOfReport,
      shiftSeen: low > 1,
      shiftCalled: found.verdict === "slower",
    };
  });
  const moreRounds = { rounds: testRounds * rounds, seed };
  return { ...shares, falselySignificant: significantShare(population, design, 1, moreRounds) };
}

/** Returns the only comparison of a report without a noise floor. */
export function onlyComparison(
  above: Series,
  below: Series,
  seed: number,
  draws: number,
): Compared | undefined {
  const plan = { seed, target: "aws" } as const;
  const pair = ratioOfSeries(above, below, plan, draws);
  return withAdjusted([withVerdict(pair)], adjustedInRun(plan, [pair]))[0];
}

export function isCalled({ verdict }: Pick<Tested, "verdict">): boolean {
  return verdict === "faster" || verdict === "slower";
}

/** Returns the share of runs in which the test detects that one side takes `factor` times as long. */
export function significantShare(
  population: Population,
  design: Design,
  factor: number,
  options: Pick<StudyOptions, "rounds" | "seed">,
): number {
  return sharesOfRounds(options, (random) => {
    const measure = measureInRun(population, design, random);
    return { significant: chanceOf(measure(factor), measure(1)) < errorRate };
  }).significant;
}

/** Returns the p-value that a report states and corrects. */
export function chanceOf(one: Series, other: Series): number {
  const [own, its] = inSharedBlocks(environmentMeans(one), environmentMeans(other)).map(
    (environments) => environments.map(({ value }) => value),
  );
  const test = mannWhitney(own ?? [], its ?? []);
  return test.kind === "mann-whitney" ? test.pValue : 1;
}

/** A run that ends by the width of one interval: several would dilute the rule's effect. */
export interface StoppingDesign {
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly untilPrecision: number;
}

interface StoppingRow {
  /** Intervals at the run's end that contain the true ratio. */
  readonly covered: number;
  /** Runs that ended by precision rather than by their budget. */
  readonly reached: number;
  /** Mean number of environments. */
  readonly environments: number;
}

/** Studies runs that end when the interval is narrow, at the looks of a run. */
export function stoppingRow(
  population: Population,
  { label, least, most, untilPrecision }: StoppingDesign,
  { rounds, draws, seed }: StudyOptions,
): StoppingRow {
  const random = new SeededRandom(seed);
  const design = { label, environments: most, callsEach: 1 };
  const counts = { covered: 0, reached: 0, environments: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const measure = measureInRun(population, design, random);
    const [shifted, baseline] = [measure(shift), measure(1)];
    for (const look of listLooks(least, most)) {
      const [above, below] = [firstUnits(shifted, look), firstUnits(baseline, look)];
      const ratio = ratioOf(above, below, { seed: round, draws });
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

/** Mishaps compared with the truth. Shares are of the runs that have an interval, 0 to 1. */
interface MishapRow {
  readonly covered: number;
  /** A/A pairs that a verdict calls faster or slower. */
  readonly falseVerdicts: number;
  /** Pairs whose interval excludes 1 if the true shift is 10%. */
  readonly shiftSeen: number;
  /** Variant's series for which a report warns of drift or of similar neighbours. */
  readonly warned: number;
  /** Runs with too few blocks in common to both sides, as a share of all runs. */
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
    const measure = measureInRun(population, design, random);
    const [baseline, shifted] = [measure(1, "baseline"), measure(shift, "variant")];
    const replica = measure(1, "variant");
    const plan = { seed: round, target: "aws" } as const;
    const { low, high } = withVerdict(ratioOfSeries(shifted, baseline, plan, draws));
    if (low === undefined || high === undefined) continue;
    found += 1;
    counts.covered += Number(low <= shift && shift <= high);
    counts.shiftSeen += Number(low > 1);
    const alike = withVerdict(ratioOfSeries(replica, baseline, plan, draws));
    counts.falseVerdicts += Number(isCalled(alike));
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
