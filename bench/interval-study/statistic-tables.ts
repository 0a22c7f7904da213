import { designOf, designs, designText, presets, withShare } from "./designs.ts";
import {
  type ComparedPopulation,
  comparedPopulations,
  partingPopulations,
} from "./parting-populations.ts";
import type { Design, StudyOptions } from "./simulated.ts";
import { partingRow, statisticRow } from "./statistics.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

/** Three pairs per run, by two statistics each. */
const fewerRounds = 0.25;

/** Tables of the statistics that a comparison could use. */
export const statisticTables: readonly StudyTable[] = [
  studyTable(
    "statistics",
    ["population", "measured"],
    [
      ...["covers: means", "covers: medians"],
      ...["A/A called: means", "A/A called: medians", "A/A called: both"],
      ...["told apart: means", "told apart: medians"],
      ...["slower: means", "slower: medians", "slower: both"],
    ],
    statisticRows,
  ),
  studyTable(
    "parting",
    ["population", "measured"],
    [
      ...["true ratio: means", "true ratio: medians"],
      ...["covers that of means: means", "covers that of means: medians"],
      ...["slower: means", "slower: medians", "slower: both"],
      ...["equivalent: means", "equivalent: medians", "equivalent: both"],
      "few calls: means",
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
  const shares = [
    ...[row.covered.means, row.covered.medians],
    ...[row.falseVerdicts.means, row.falseVerdicts.medians, row.falseVerdicts.both],
    ...[row.significant.means, row.significant.medians],
    ...[row.shiftCalled.means, row.shiftCalled.medians, row.shiftCalled.both],
  ];
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
      const row = partingRow(population, design, withShare(options, fewerRounds));
      const { ratio, meanCovered, slower, equivalent, fewCalls } = row;
      const shares = [
        ...[meanCovered.means, meanCovered.medians],
        ...[slower.means, slower.medians, slower.both],
        ...[equivalent.means, equivalent.medians, equivalent.both, fewCalls],
      ];
      const ratios = [ratio.means, ratio.medians].map((each) => each.toFixed(2));
      yield line([population.id, designText(design), ...ratios, ...shares.map(percent)]);
    }
  }
}
