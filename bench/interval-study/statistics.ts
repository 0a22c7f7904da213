import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { median } from "../../lib/statistics/order-statistics.ts";
import { medianPerEnvironment, type Series } from "../../lib/statistics/series.ts";
import { designOf, designs, designText, presets, withShare } from "./designs.ts";
import {
  type ComparedPopulation,
  comparedPopulations,
  partingPopulations,
} from "./parting-populations.ts";
import {
  type Design,
  errorRate,
  type Side,
  type StudyOptions,
  sharesOfRounds,
  shift,
} from "./simulated.ts";
import { isCalled, onlyComparison } from "./study.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

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

/** Returns a report's only comparison, which has an interval. */
function answer(above: Series, below: Series, seed: number, draws: number) {
  const found = onlyComparison(above, below, seed, draws);
  const { low, high } = found ?? {};
  if (found === undefined || low === undefined || high === undefined) {
    throw new RangeError("no interval");
  }
  return { ...found, low, high };
}

/** Three pairs per run. */
const fewerRounds = 0.25;

/** Tables of a single comparison, also of functions whose medians hide how their means differ. */
export const statisticTables: readonly StudyTable[] = [
  studyTable(
    "statistics",
    ["population", "measured"],
    ["covers", "A/A called", "told apart", "slower"],
    statisticRows,
  ),
  studyTable(
    "parting",
    ["population", "measured"],
    [
      ...["true ratio: means", "true ratio: medians"],
      ...["covers that of means", "slower", "equivalent", "few calls"],
    ],
    partingRows,
  ),
];

/** Rows of every population's variant against itself, and against itself with a shift. */
function* statisticRows(options: StudyOptions): Generator<string> {
  for (const population of comparedPopulations) {
    for (const design of designsOf(population)) {
      yield statisticText(population, design, options);
    }
  }
}

export function statisticText(
  population: ComparedPopulation,
  design: Design,
  options: StudyOptions,
): string {
  const row = statisticRow(population, design, withShare(options, fewerRounds));
  const shares = [row.covered, row.falseVerdicts, row.significant, row.shiftCalled];
  return line([population.id, designText(design), ...shares.map(percent)]);
}

/** Studied in warm calls, because calls within an environment make means and medians disagree. */
function designsOf(population: ComparedPopulation): readonly Design[] {
  if (!partingPopulations.includes(population)) return designs;
  return presets.map((size) => designOf(size, "warm"));
}

/** Rows of every population of two functions whose means and medians disagree. */
function* partingRows(options: StudyOptions): Generator<string> {
  for (const population of partingPopulations) {
    for (const design of designsOf(population)) {
      const fewer = withShare(options, fewerRounds);
      const { covered, slower, equivalent, fewCalls } = partingRow(population, design, fewer);
      const { ratioOfMeans = Number.NaN } = population;
      const ofMedians = trueRatioOfMedians(population, design, fewer);
      const ratios = [ratioOfMeans, ofMedians].map((each) => each.toFixed(2));
      const shares = [covered, slower, equivalent, fewCalls];
      yield line([population.id, designText(design), ...ratios, ...shares.map(percent)]);
    }
  }
}
