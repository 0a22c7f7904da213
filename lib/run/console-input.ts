import { InvalidInput } from "../contract/errors.ts";
import type { Cell, ConsoleInput, Limit } from "../contract/types/contract.ts";
import { validated } from "../contract/validate.ts";
import { experimentById } from "../experiments/catalogue.ts";
import type { DeployedExperiment, Deployment } from "../plan/deployment.ts";
import type { ExperimentProtocol } from "../plan/experiment.ts";
import { parseLimit } from "../plan/limits.ts";
import { parsePercent, stoppingChoice } from "../plan/stopping.ts";
import { type ExperimentChoice, leftOutText, type RunChoices } from "./run-choice.ts";

/** The input of the console, validated: every field is valid and deployed. Absent fields have defaults. */
export interface ConsoleChoices
  extends RunChoices<DeployedChoice>,
    Pick<ConsoleInput, "seed" | "lanes" | "maxCostUsd"> {
  readonly limits?: readonly Limit[];
}

/** A deployed experiment, and its chosen cells in deployed order. */
export interface DeployedChoice extends ExperimentChoice {
  readonly deployed: DeployedExperiment;
}

/** Parses the input of the console. Throws InvalidInput naming field, value and what is allowed. */
export function parseConsoleInput(input: unknown, deployment: Deployment): ConsoleChoices {
  const { limits, ...given } = validated("input", input);
  const share = given.untilPrecision;
  const untilPrecision = share === undefined ? share : parsePercent("untilPrecision", share);
  const stopping = stoppingChoice({ ...given, untilPrecision });
  return {
    preset: deployment.preset,
    ...given,
    ...chosenExperiments(given, deployment),
    ...(stopping !== undefined && { stopping }),
    ...(limits !== undefined && { limits: limits.map(parseLimit) }),
  };
}

/** Returns the requested experiments; one without any requested cell is left out, with that reason. */
function chosenExperiments(
  given: ConsoleInput,
  { experiments }: Deployment,
): Pick<ConsoleChoices, "experiments" | "leftOut"> {
  const ids = chosen("experiment", given.experiment, Object.keys(experiments));
  const requested = Object.entries(experiments).filter(([id]) => ids.includes(id));
  const filter = cellFilter(
    given,
    requested.flatMap(([, { cells }]) => cells),
  );
  const all = requested.map(([id, deployed]) => {
    const experiment = protocolOf(id, deployed);
    return { experiment, deployed, cells: deployed.cells.filter(filter.holds) };
  });
  const running = all.filter(({ cells }) => cells.length > 0);
  if (running.length === 0) {
    const field = "variants, memoryMb, architectures";
    throw new InvalidInput(field, filter.choice, "a combination that is deployed");
  }
  const others = all.filter(({ cells }) => cells.length === 0);
  const leftOut = others.map(({ experiment }) => leftOutText(experiment, filter.description));
  return { experiments: running, leftOut };
}

function protocolOf(id: string, { protocol }: DeployedExperiment): ExperimentProtocol {
  return protocol === undefined ? experimentById(id) : JSON.parse(protocol);
}

interface CellFilter {
  readonly choice: object;
  /** The request as text for the user. */
  readonly description: string;
  readonly holds: (cell: Cell) => boolean;
}

/** Returns a filter for the requested cells. Each value must belong to some experiment. */
function cellFilter(given: ConsoleInput, cells: readonly Cell[]): CellFilter {
  const variants = chosen("variants", given.variants, listValues(cells, "variant"));
  const memoryMb = chosen("memoryMb", given.memoryMb, listValues(cells, "memoryMb"));
  const known = listValues(cells, "architecture");
  const architectures = chosen("architectures", given.architectures, known);
  const choice = { variants, memoryMb, architectures };
  const fields = Object.entries(choice).filter(
    ([field]) => given[field as keyof typeof choice] !== undefined,
  );
  return {
    choice,
    description: fields.map(([field, values]) => `${field} ${values.join(", ")}`).join("; "),
    holds: (cell) =>
      variants.includes(cell.variant) &&
      memoryMb.includes(cell.memoryMb) &&
      architectures.includes(cell.architecture),
  };
}

/** Parses one value or a list of values, each of which must be deployed. Default: all. */
function chosen<Value extends string | number>(
  field: string,
  value: unknown,
  deployed: readonly Value[],
): readonly Value[] {
  if (value === undefined) return deployed;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isKnown = (one: unknown): one is Value => deployed.some((known) => known === one);
  if (values.length > 0 && values.every(isKnown)) return values;
  const wrong = values.find((one) => !isKnown(one)) ?? value;
  throw new InvalidInput(field, wrong, `one or several of those deployed: ${deployed.join(", ")}`);
}

function listValues<Key extends keyof Cell>(
  cells: readonly Cell[],
  key: Key,
): readonly Cell[Key][] {
  return [...new Set(cells.map((cell) => cell[key]))];
}
