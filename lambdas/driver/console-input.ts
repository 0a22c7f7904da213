import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Cell } from "../../lib/contract/types/contract.ts";
import type { DeployedExperiment, Deployment } from "../../lib/plan/deployment.ts";
import type { Preset } from "../../lib/plan/experiment.ts";
import { type StoppingChoice, stoppingChoice } from "../../lib/plan/stopping.ts";

/** A run as it was asked for: every field is allowed and deployed. What is absent has a default. */
export interface RunChoices {
  /** In their deployed order; one at least. */
  readonly experiments: readonly ExperimentChoice[];
  /** What was asked for and does not run, with the reason. */
  readonly leftOut: readonly string[];
  readonly preset: Preset;
  readonly seed?: number;
  readonly cold?: number;
  readonly warm?: number;
  readonly lanes?: number;
  readonly maxCostUsd?: number;
  readonly stopping?: StoppingChoice;
}

export interface ExperimentChoice {
  readonly experiment: string;
  readonly deployed: DeployedExperiment;
  /** Those of the deployed cells that were chosen, in their deployed order. */
  readonly cells: readonly Cell[];
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
  "untilPrecision",
  "maxSamples",
  "maxMinutes",
] as const;
type Field = (typeof fields)[number];
type Fields = Readonly<Partial<Record<Field, unknown>>>;

/**
 * For people, whatever it holds: the console's input box begins with {"Comment": "Insert your JSON here"}.
 * https://docs.aws.amazon.com/step-functions/latest/dg/getting-started.html
 */
const commentField = "Comment";

/** Reads what was typed in the console; throws InvalidInput naming field, value and what is allowed. */
export function parseConsoleInput(input: unknown, deployment: Deployment): RunChoices {
  const given = readFields(input);
  const choices = {
    ...chosenExperiments(given, deployment),
    preset: parsePreset(given.preset, deployment.preset),
    ...optional("seed", given, wholeNumber(0, 4_294_967_295)),
    ...optional("cold", given, wholeNumber(1, 1000)),
    ...optional("warm", given, wholeNumber(0, 100_000)),
    ...optional("lanes", given, wholeNumber(1, 1000)),
    ...optional("maxCostUsd", given, amount("an amount of US dollars")),
  };
  const stopping = stoppingChoice(given, {
    maxSamples: wholeNumber(1, 1_000_000_000),
    maxMinutes: amount("a number"),
  });
  return stopping === undefined ? choices : { ...choices, stopping };
}

function readFields(input: unknown): Fields {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new InvalidInput(
      "input",
      input,
      `an object with any of ${fields.join(", ")}; {} will do`,
    );
  }
  for (const [name, value] of Object.entries(input)) {
    if (name === commentField || fields.some((field) => field === name)) continue;
    throw new InvalidInput(name, value, `no such field; known: ${fields.join(", ")}`);
  }
  return input;
}

/** The experiments asked for; one that has none of the cells asked for is left out, with that reason. */
function chosenExperiments(
  given: Fields,
  { experiments }: Deployment,
): Pick<RunChoices, "experiments" | "leftOut"> {
  const ids = chosen("experiment", given.experiment, Object.keys(experiments));
  const asked = Object.entries(experiments).filter(([id]) => ids.includes(id));
  const filter = cellFilter(
    given,
    asked.flatMap(([, { cells }]) => cells),
  );
  const all = asked.map(([experiment, deployed]) => {
    return { experiment, deployed, cells: deployed.cells.filter(filter.holds) };
  });
  const running = all.filter(({ cells }) => cells.length > 0);
  if (running.length === 0) {
    const field = "variants, memoryMb, architectures";
    throw new InvalidInput(field, filter.asked, "a combination deployed");
  }
  const others = all.filter(({ cells }) => cells.length === 0);
  const leftOut = others.map(
    ({ experiment }) => `${experiment} does not run: it has no cell of ${filter.words}`,
  );
  return { experiments: running, leftOut };
}

interface CellFilter {
  readonly asked: object;
  /** What was asked for, for a reader. */
  readonly words: string;
  readonly holds: (cell: Cell) => boolean;
}

/** What of the cells is asked for: each value must be one of some experiment's. */
function cellFilter(given: Fields, cells: readonly Cell[]): CellFilter {
  const variants = chosen("variants", given.variants, listValues(cells, "variant"));
  const memoryMb = chosen("memoryMb", given.memoryMb, listValues(cells, "memoryMb"));
  const known = listValues(cells, "architecture");
  const architectures = chosen("architectures", given.architectures, known);
  const asked = { variants, memoryMb, architectures };
  const named = Object.entries(asked).filter(([field]) => given[field as Field] !== undefined);
  return {
    asked,
    words: named.map(([field, values]) => `${field} ${values.join(", ")}`).join("; "),
    holds: (cell) =>
      variants.includes(cell.variant) &&
      memoryMb.includes(cell.memoryMb) &&
      architectures.includes(cell.architecture),
  };
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

function listValues<Key extends keyof Cell>(
  cells: readonly Cell[],
  key: Key,
): readonly Cell[Key][] {
  return [...new Set(cells.map((cell) => cell[key]))];
}

function parsePreset(value: unknown, deployed: Preset): Preset {
  if (value === undefined) return deployed;
  if (value === "quick" || value === "standard") return value;
  throw new InvalidInput("preset", value, "quick, standard");
}

/** How one field's number is read; throws InvalidInput naming the field. */
type NumberOf = (field: string, value: unknown) => number;

function wholeNumber(smallest: number, largest: number): NumberOf {
  return (field, value) => {
    const isWhole = typeof value === "number" && Number.isInteger(value);
    if (isWhole && value >= smallest && value <= largest) return value;
    throw new InvalidInput(field, value, `a whole number from ${smallest} to ${largest}`);
  };
}

function amount(what: string): NumberOf {
  return (field, value) => {
    if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
    throw new InvalidInput(field, value, `${what} above 0`);
  };
}

function optional<Name extends Field>(
  name: Name,
  given: Fields,
  numberOf: NumberOf,
): { readonly [Key in Name]?: number } {
  const value = given[name];
  if (value === undefined) return {};
  return { [name]: numberOf(name, value) } as { readonly [Key in Name]?: number };
}
