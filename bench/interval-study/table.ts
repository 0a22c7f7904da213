import { dynamodb } from "../../lib/experiment/catalogue/dynamodb.ts";
import { type Population, populations } from "./populations.ts";
import { type Design, type StudyOptions, type StudyRow, studyRow } from "./study.ts";

const { quick, standard } = dynamodb.presets;
const keptCalls = (calls: number, environments: number) =>
  calls / environments - dynamodb.discardedCalls;

/** What the presets of the experiment dynamodb measure of a series. */
export const designs: readonly Design[] = [
  cold("quick, cold", quick.environments),
  warm("quick, warm", quick.warmEnvironments, quick.warmCalls),
  cold("standard, cold", standard.environments),
  warm("standard, warm", standard.warmEnvironments, standard.warmCalls),
];

export const publishedOptions: StudyOptions = { rounds: 4_000, draws: 1_000, seed: 20_261_121 };

const head = [
  "population",
  "measured",
  "covers the true ratio",
  "A/A called different",
  "10 % shift: interval leaves out 1",
  "10 % shift: called slower at a margin of 5 %",
];

export const tableHead = [line(head), line(["---", "---", ...head.slice(2).map(() => "---:")])];

/** One row of the table, as it stands in the document. */
export function tableRow(population: Population, design: Design, row: StudyRow): string {
  const { covered, falseVerdicts, shiftSeen, shiftCalled } = row;
  const shares = [covered, falseVerdicts, shiftSeen, shiftCalled].map(percent);
  const { label, environments, callsEach } = design;
  const calls = callsEach === 1 ? "" : ` x ${callsEach}`;
  return line([population.id, `${label}: ${environments}${calls}`, ...shares]);
}

/** Every population under every design. */
export function* tableRows(options: StudyOptions): Generator<string> {
  for (const population of populations) {
    for (const design of designs) {
      yield tableRow(population, design, studyRow(population, design, options));
    }
  }
}

function cold(label: string, environments: number): Design {
  return { label, environments, callsEach: 1 };
}

function warm(label: string, environments: number, calls: number): Design {
  return { label, environments, callsEach: keptCalls(calls, environments) };
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
