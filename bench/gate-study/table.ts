import type { StudyOptions } from "../interval-study/simulated.ts";
import { line, percent } from "../interval-study/study-table.ts";
import { gateRow, type Load, loads } from "./study.ts";

/** Options of the table published in docs/regression-gate.md. */
export const publishedGate: StudyOptions = { rounds: 200, draws: 1_000, seed: 20_261_122 };

/** Environments of each build. */
export const gateEnvironments = [15, 30, 60] as const;

export const gateHead: readonly string[] = [
  "| the machine's load | environments | same build called slower: one run | two runs | 10% slower found: one run | two runs |",
  "| --- | --: | --: | --: | --: | --: |",
];

/** One row per load and number of environments, as they are computed. */
export function* gateRows(options: StudyOptions): Generator<string> {
  for (const load of loads) {
    for (const environments of gateEnvironments) {
      yield gateText(load, environments, options);
    }
  }
}

export function gateText(load: Load, environments: number, options: StudyOptions): string {
  const { interleaved, inTurn } = gateRow(load, environments, options);
  const shares = [interleaved.falseAlarms, inTurn.falseAlarms, interleaved.found, inTurn.found];
  return line([load.label, environments, ...shares.map(percent)]);
}
