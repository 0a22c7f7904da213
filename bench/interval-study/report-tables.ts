import { designOf, designText, presets, quick, withShare } from "./designs.ts";
import { mishaps, populations } from "./populations.ts";
import { environmentsBefore, familyRow, onlyRow, primaryOfReport } from "./reports.ts";
import type { StudyOptions } from "./simulated.ts";
import { comparisonsOfReport } from "./study.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

/** Fewer rounds: a report with many comparisons takes longer than an interval. */
const fewerRounds = {
  families: { quick: 0.1, standard: 0.075 },
  familyTests: { quick: 1, standard: 0.075 },
  only: 0.5,
} as const;

/** Tables of whole reports. */
export const reportTables: readonly StudyTable[] = [
  studyTable(
    "families",
    ["population", "measured"],
    [
      "called, by the intervals alone",
      "called after the correction",
      "told apart after the correction",
    ],
    familyRows,
  ),
  studyTable(
    "only",
    ["population", "measured"],
    [
      `20% shift, the only one of ${comparisonsOfReport}: ranks, corrected by number, ${environmentsBefore} environments`,
      `the same, ${quick.environments} environments`,
      "the same: swaps of blocks",
      "anything else told apart: swaps of blocks",
    ],
    onlyRows,
  ),
];

/** Rows of every population and mishap, as whole reports without a difference. */
function* familyRows(options: StudyOptions): Generator<string> {
  for (const population of [...populations, ...mishaps]) {
    for (const size of mishaps.includes(population) ? (["quick"] as const) : presets) {
      const design = designOf(size, "cold");
      const row = familyRow(population, design, primaryOfReport, {
        ...withShare(options, fewerRounds.families[size]),
        testRounds: withShare(options, fewerRounds.familyTests[size]).rounds,
      });
      const shares = [row.byInterval, row.afterCorrection, row.significant].map(percent);
      yield line([population.id, designText(design), ...shares]);
    }
  }
}

/** Rows of every population and mishap, as reports of the quick preset with one difference. */
function* onlyRows(options: StudyOptions): Generator<string> {
  const design = designOf("quick", "cold");
  for (const population of [...populations, ...mishaps]) {
    const row = onlyRow(population, design, withShare(options, fewerRounds.only));
    const shares = [row.before, row.byNumber, row.bySwaps, row.anyOther].map(percent);
    yield line([population.id, designText(design), ...shares]);
  }
}
