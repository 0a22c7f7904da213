import { adjustedInRun, type Tested, withAdjusted } from "../../lib/analysis/family.ts";
import { ratioOfSeries, withVerdict } from "../../lib/analysis/series-ratio.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { median } from "../../lib/statistics/order-statistics.ts";
import { ratioOfMedians } from "../../lib/statistics/ratio.ts";
import {
  environmentMedians,
  medianPerEnvironment,
  type Series,
} from "../../lib/statistics/series.ts";
import type { ComparedPopulation } from "./parting-populations.ts";
import { type Design, errorRate, type StudyOptions, shift } from "./simulated.ts";
import { isCalled } from "./study.ts";

// Studies the statistics that a comparison could use: means, medians, or both if they agree.

/** The result of a statistic for two sides. */
interface Answer extends Tested {
  readonly low: number;
  readonly high: number;
}

/** Shares of runs, 0 to 1, by statistic; `both` counts a verdict that means and medians share. */
interface ByStatistic {
  readonly means: number;
  readonly medians: number;
  readonly both: number;
}

type OfOne = Omit<ByStatistic, "both">;

/** Results of each statistic if the two sides differ by a factor only. */
interface StatisticRow {
  /** Intervals that contain the true ratio, a shift of 10%. */
  readonly covered: OfOne;
  /** A/A pairs called faster or slower. */
  readonly falseVerdicts: ByStatistic;
  /** Shifts of 10% that the test detects. */
  readonly significant: OfOne;
  /** Shifts of 10% called slower. */
  readonly shiftCalled: ByStatistic;
}

/** Studies one population under one design. If its sides differ, both are the variant's. */
export function statisticRow(
  population: ComparedPopulation,
  design: Design,
  options: StudyOptions,
): StatisticRow {
  const counts = {
    covered: noneYet(),
    falseVerdicts: noneYet(),
    significant: noneYet(),
    shiftCalled: noneYet(),
  };
  for (const { measure, round } of runsOf(population, design, options)) {
    const [shifted, one, other] = [
      measure("variant", shift),
      measure("variant"),
      measure("variant"),
    ];
    const found = answers(shifted, one, round, options.draws);
    const same = answers(other, one, round, options.draws);
    add(counts.covered, found, ({ low, high }) => low <= shift && shift <= high);
    add(counts.significant, found, ({ adjustedPValue = 1 }) => adjustedPValue < errorRate);
    add(counts.shiftCalled, found, ({ verdict }) => verdict === "slower");
    add(counts.falseVerdicts, same, isCalled);
  }
  const { covered, falseVerdicts, significant, shiftCalled } = counts;
  return {
    covered: shares(covered, options),
    falseVerdicts: shares(falseVerdicts, options),
    significant: shares(significant, options),
    shiftCalled: shares(shiftCalled, options),
  };
}

/** Results of each statistic for two functions whose means and medians disagree. */
interface PartingRow {
  /** The true ratio of means, and the ratio of the design's medians. */
  readonly ratio: OfOne;
  /** Intervals that contain the true ratio of means, even if they estimate another. */
  readonly meanCovered: OfOne;
  readonly slower: ByStatistic;
  /** Called the same, within 5%. */
  readonly equivalent: ByStatistic;
  /** Undecided because a few calls cause the difference. */
  readonly fewCalls: number;
}

export function partingRow(
  population: ComparedPopulation,
  design: Design,
  options: StudyOptions,
): PartingRow {
  const { ratioOfMeans: truth = Number.NaN } = population;
  const counts = { meanCovered: noneYet(), slower: noneYet(), equivalent: noneYet() };
  let fewCalls = 0;
  for (const { measure, round } of runsOf(population, design, options)) {
    const found = answers(measure("variant"), measure("baseline"), round, options.draws);
    add(counts.meanCovered, found, ({ low, high }) => low <= truth && truth <= high);
    add(counts.slower, found, ({ verdict }) => verdict === "slower");
    add(counts.equivalent, found, ({ verdict }) => verdict === "equivalent");
    fewCalls += Number(found.means.undecidedReason === "few-calls") / options.rounds;
  }
  return {
    ratio: { means: truth, medians: ratioOfManyMedians(population, design, options) },
    meanCovered: shares(counts.meanCovered, options),
    slower: shares(counts.slower, options),
    equivalent: shares(counts.equivalent, options),
    fewCalls,
  };
}

interface SimulatedRun {
  readonly round: number;
  /** Measures both sides and all factors in the same blocks. */
  readonly measure: (side: "variant" | "baseline", factor?: number) => Series;
}

function* runsOf(
  population: ComparedPopulation,
  design: Design,
  { rounds, seed }: Pick<StudyOptions, "rounds" | "seed">,
): Generator<SimulatedRun> {
  const random = new SeededRandom(seed);
  for (let round = 0; round < rounds; round += 1) {
    const blockLogs = population.blockLogs(design.environments, random);
    yield {
      round,
      measure: (side, factor = 1) =>
        population.measure({ design, side, factor, blockLogs }, random),
    };
  }
}

const environmentsOfTruth = 20_000;

function ratioOfManyMedians(
  population: ComparedPopulation,
  design: Design,
  { seed }: Pick<StudyOptions, "seed">,
): number {
  const many = { ...design, environments: environmentsOfTruth };
  for (const { measure } of runsOf(population, many, { rounds: 1, seed })) {
    const [own, other] = [measure("variant"), measure("baseline")].map((series) =>
      median(medianPerEnvironment(series)),
    );
    return (own ?? Number.NaN) / (other ?? Number.NaN);
  }
  return Number.NaN;
}

type Answers = Readonly<Record<keyof OfOne, Answer>>;

function answers(above: Series, below: Series, seed: number, draws: number): Answers {
  const plan = { seed, target: "aws" } as const;
  return { means: answerOfMeans(above, below), medians: answerOfMedians(above, below) };

  /** Returns the answer of a report with no other comparison. */
  function answerOfMeans(own: Series, other: Series): Answer {
    const pair = ratioOfSeries(own, other, plan, draws);
    return corrected(withVerdict(pair), adjustedInRun(plan, [pair]));
  }

  /** Returns the answer that reports gave before decision 45. */
  function answerOfMedians(own: Series, other: Series): Answer {
    const sides = { above: environmentMedians(own), below: environmentMedians(other) };
    const pair = { ratio: ratioOfMedians(own, other, { seed, draws }), sides };
    const counts = { environments: sides.above.length, baselineEnvironments: sides.below.length };
    return corrected(withVerdict({ ...pair, ...counts }), adjustedInRun(plan, [pair]));
  }
}

function corrected(
  compared: ReturnType<typeof withVerdict>,
  adjusted: readonly (number | undefined)[],
): Answer {
  const [found] = withAdjusted([compared], adjusted);
  const { low, high } = found ?? {};
  if (found === undefined || low === undefined || high === undefined) {
    throw new RangeError("no interval");
  }
  return { ...found, low, high };
}

type Counts = { -readonly [Statistic in keyof ByStatistic]: number };

function noneYet(): Counts {
  return { means: 0, medians: 0, both: 0 };
}

function add(counts: Counts, { means, medians }: Answers, is: (answer: Answer) => boolean): void {
  counts.means += Number(is(means));
  counts.medians += Number(is(medians));
  counts.both += Number(is(means) && is(medians) && means.verdict === medians.verdict);
}

function shares({ means, medians, both }: Counts, { rounds }: StudyOptions): ByStatistic {
  return { means: means / rounds, medians: medians / rounds, both: both / rounds };
}
