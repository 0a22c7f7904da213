import { designOf, designs, designText, presets, withShare } from "./designs.ts";
import {
  type ComparedPopulation,
  comparedPopulations,
  partingPopulations,
} from "./parting-populations.ts";
import type { Design, StudyOptions } from "./simulated.ts";
import { partingRow, statisticRow, trueRatioOfMedians } from "./statistics.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

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
