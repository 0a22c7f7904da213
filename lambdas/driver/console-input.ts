import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Cell } from "../../lib/contract/types/contract.ts";
import type { Preset } from "../../lib/experiment/experiment.ts";
import type { DeployedExperiment, Deployment } from "./messages.ts";

/** A run as it was asked for: every field is allowed and deployed. What is absent has a default. */
export interface RunChoices {
  readonly experiment: string;
  readonly deployed: DeployedExperiment;
  /** Those of the deployed cells that were chosen, in their deployed order. */
  readonly cells: readonly Cell[];
  readonly preset: Preset;
  readonly seed?: number;
  readonly cold?: number;
  readonly warm?: number;
  readonly lanes?: number;
  readonly maxCostUsd?: number;
}

const fields = [
  "experiment",
  "variants",
  "memoryMb",
  "architectures",
  "preset",
  "cold",
  "warm",
  "seed",
  "lanes",
  "maxCostUsd",
] as const;
type Field = (typeof fields)[number];
type Fields = Readonly<Partial<Record<Field, unknown>>>;

/** Reads what was typed in the console; throws InvalidInput naming field, value and what is allowed. */
export function parseConsoleInput(input: unknown, deployment: Deployment): RunChoices {
  const given = fieldsOf(input);
  const experiment = experimentOf(given.experiment, deployment);
  const deployed = deployment.experiments[experiment] as DeployedExperiment;
  return {
    experiment,
    deployed,
    cells: chosenCells(given, deployed.cells),
    preset: presetOf(given.preset),
    ...optional("seed", wholeNumber("seed", given.seed, 0, 4_294_967_295)),
    ...optional("cold", wholeNumber("cold", given.cold, 1, 1000)),
    ...optional("warm", wholeNumber("warm", given.warm, 0, 100_000)),
    ...optional("lanes", wholeNumber("lanes", given.lanes, 1, 1000)),
    ...optional("maxCostUsd", amount("maxCostUsd", given.maxCostUsd)),
  };
}

function fieldsOf(input: unknown): Fields {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new InvalidInput(
      "input",
      input,
      `an object with any of ${fields.join(", ")}; {} will do`,
    );
  }
  for (const [name, value] of Object.entries(input)) {
    if (fields.some((field) => field === name)) continue;
    throw new InvalidInput(name, value, `no such field; known: ${fields.join(", ")}`);
  }
  return input;
}

function experimentOf(value: unknown, { experiments }: Deployment): string {
  const ids = Object.keys(experiments);
  const id = value ?? ids[0];
  if (typeof id === "string" && ids.includes(id)) return id;
  throw new InvalidInput("experiment", value, `those deployed: ${ids.join(", ")}`);
}

function chosenCells(given: Fields, cells: readonly Cell[]): readonly Cell[] {
  const variants = chosen("variants", given.variants, valuesOf(cells, "variant"));
  const memoryMb = chosen("memoryMb", given.memoryMb, valuesOf(cells, "memoryMb"));
  const known = valuesOf(cells, "architecture");
  const architectures = chosen("architectures", given.architectures, known);
  const matching = cells.filter(
    (cell) =>
      variants.includes(cell.variant) &&
      memoryMb.includes(cell.memoryMb) &&
      architectures.includes(cell.architecture),
  );
  if (matching.length > 0) return matching;
  const found = { variants, memoryMb, architectures };
  throw new InvalidInput("variants, memoryMb, architectures", found, "a combination deployed");
}

/** One value or a list of them, each of which is deployed. Absent: all. */
function chosen<Value extends string | number>(
  field: Field,
  value: unknown,
  deployed: readonly Value[],
): readonly Value[] {
  if (value === undefined) return deployed;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isKnown = (one: unknown): one is Value => deployed.some((known) => known === one);
  if (values.length > 0 && values.every(isKnown)) return values;
  const wrong = values.find((one) => !isKnown(one)) ?? value;
  throw new InvalidInput(field, wrong, `one or a list of those deployed: ${deployed.join(", ")}`);
}

function valuesOf<Key extends keyof Cell>(cells: readonly Cell[], key: Key): readonly Cell[Key][] {
  return [...new Set(cells.map((cell) => cell[key]))];
}

function presetOf(value: unknown): Preset {
  if (value === undefined) return "standard";
  if (value === "quick" || value === "standard") return value;
  throw new InvalidInput("preset", value, "quick, standard");
}

function wholeNumber(
  field: Field,
  value: unknown,
  smallest: number,
  largest: number,
): number | undefined {
  if (value === undefined) return undefined;
  const isWhole = typeof value === "number" && Number.isInteger(value);
  if (isWhole && value >= smallest && value <= largest) return value;
  throw new InvalidInput(field, value, `a whole number from ${smallest} to ${largest}`);
}

function amount(field: Field, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  throw new InvalidInput(field, value, "an amount of US dollars above 0");
}

function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]?: Value });
}
