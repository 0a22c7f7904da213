import { adjustedInRun, type Tested, withAdjusted } from "../../lib/analysis/family.ts";
import { ratioOfSeries, withVerdict } from "../../lib/analysis/series-ratio.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { median } from "../../lib/statistics/order-statistics.ts";
import { medianPerEnvironment, type Series } from "../../lib/statistics/series.ts";
import type { ComparedPopulation } from "./parting-populations.ts";
import {
  type Design,
  errorRate,
  type Side,
  type StudyOptions,
  sharesOfRounds,
  shift,
} from "./simulated.ts";
import { isCalled } from "./study.ts";

// Studies a report's single comparison, also of functions whose medians do not show how their means differ.

/** Shares of runs, 0 to 1, if the two sides differ by a factor only. If a population's sides differ, both are the variant's. */
export function statisticRow(
  population: ComparedPopulation,
  design: Design,
  options: StudyOptions,
) {
  return sharesOfRounds(options, (random, round) => {
    const measure = measureInBlocks(population, design, random);
    const [shifted, one, other] = [
      measure("variant", shift),
      measure("variant"),
      measure("variant"),
    ];
    const found = answer(shifted, one, round, options.draws);
    return {
      covered: found.low <= shift && shift <= found.high,
      significant: (found.adjustedPValue ?? 1) < errorRate,
      shiftCalled: found.verdict === "slower",
      falseVerdicts: isCalled(answer(other, one, round, options.draws)),
    };
  });
}

/** Shares of runs, 0 to 1, for two functions whose means and medians disagree. */
export function partingRow(population: ComparedPopulation, design: Design, options: StudyOptions) {
  const { ratioOfMeans: truth = Number.NaN } = population;
  return sharesOfRounds(options, (random, round) => {
    const measure = measureInBlocks(population, design, random);
    const found = answer(measure("variant"), measure("baseline"), round, options.draws);
    return {
      covered: found.low <= truth && truth <= found.high,
      slower: found.verdict === "slower",
      equivalent: found.verdict === "equivalent",
      fewCalls: found.undecidedReason === "few-calls",
    };
  });
}

/** Returns a function that measures both sides and all factors in the same blocks. */
function measureInBlocks(population: ComparedPopulation, design: Design, random: SeededRandom) {
  const blockLogs = population.blockLogs(design.environments, random);
  return (side: Side, factor = 1): Series =>
    population.measure({ design, side, factor, blockLogs }, random);
}

const environmentsOfTruth = 20_000;

/** Returns the design's ratio of medians, from many environments. */
export function trueRatioOfMedians(
  population: ComparedPopulation,
  design: Design,
  { seed }: Pick<StudyOptions, "seed">,
): number {
  const many = { ...design, environments: environmentsOfTruth };
  const measure = measureInBlocks(population, many, new SeededRandom(seed));
  const medianOf = (side: Side) => median(medianPerEnvironment(measure(side)));
  return medianOf("variant") / medianOf("baseline");
}

interface Answer extends Tested {
  readonly low: number;
  readonly high: number;
}

/** Returns the answer of a report with no other comparison. */
function answer(above: Series, below: Series, seed: number, draws: number): Answer {
  const plan = { seed, target: "aws" } as const;
  const pair = ratioOfSeries(above, below, plan, draws);
  const [found] = withAdjusted([withVerdict(pair)], adjustedInRun(plan, [pair]));
  const { low, high } = found ?? {};
  if (found === undefined || low === undefined || high === undefined) {
    throw new RangeError("no interval");
  }
  return { ...found, low, high };
}
