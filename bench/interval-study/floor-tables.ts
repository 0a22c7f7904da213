import { designOf, designText, presets, withShare } from "./designs.ts";
import { deployedPopulations, floorRow, floorRules } from "./floors.ts";
import { largeShift, type StudyOptions, shift } from "./simulated.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

/** Three pairs and ten deployments per run. */
const fewerRounds = 0.025;

/** The shift that each preset should detect. */
const shiftOf = { quick: largeShift, standard: shift } as const;

/** Rules for the A/A floor. */
export const floorTables: readonly StudyTable[] = [
  studyTable(
    "floors",
    ["population", "measured"],
    [
      ...floorRules.map((rule) => `A/A called: ${rule}`),
      ...floorRules.map((rule) => `found: ${rule}`),
    ],
    floorRows,
  ),
];

function* floorRows(options: StudyOptions): Generator<string> {
  for (const population of deployedPopulations) {
    for (const size of presets) {
      yield floorText(population, size, options);
    }
  }
}

export function floorText(
  population: (typeof deployedPopulations)[number],
  size: (typeof presets)[number],
  options: StudyOptions,
): string {
  const design = designOf(size, "warm");
  const row = floorRow(population, design, shiftOf[size], withShare(options, fewerRounds));
  const shares = [
    ...floorRules.map((rule) => row.falseVerdicts[rule]),
    ...floorRules.map((rule) => row.found[rule]),
  ];
  return line([population.id, designText(design), ...shares.map(percent)]);
}
