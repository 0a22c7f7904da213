import { breakingRow } from "./breaking.ts";
import { type BreakingPopulation, breakingPopulations } from "./breaking-populations.ts";
import { designOf, designText, presets, withShare } from "./designs.ts";
import type { Design, StudyOptions } from "./simulated.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

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
