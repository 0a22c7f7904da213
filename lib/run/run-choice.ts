import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import type { Cell, Plan } from "../contract/types/contract.ts";
import { experimentById, experiments as known } from "../experiments/catalogue.ts";
import { expand, type RunChoice } from "../plan/expand.ts";
import type { Architecture, Experiment, ExperimentProtocol, Preset } from "../plan/experiment.ts";
import { matrix, mayHaveSize } from "../plan/matrix.ts";
import { type StoppingChoice, stoppingChoice } from "../plan/stopping.ts";

/** The options that choose what to run, as parsed by commander. */
export interface RunOptions extends Partial<StoppingChoice> {
  readonly experiment: string;
  readonly preset: Preset;
  readonly memory?: readonly number[];
  readonly variants?: readonly string[];
  readonly cold?: number;
  readonly warm?: number;
  readonly seed?: number;
}

/** Sizes that apply to every chosen experiment; absent ones are the preset's. */
export interface SizeChoice extends Pick<RunChoice, "preset" | "cold" | "warm" | "stopping"> {}

/** The validated choice of what to run, from the command line or the console. */
export interface RunChoices<Choice extends ExperimentChoice = ExperimentChoice<Experiment>>
  extends SizeChoice {
  /** One or more, in the order of the catalogue or of the deployment. */
  readonly experiments: readonly Choice[];
  /** Requested experiments that do not run, each with the reason. */
  readonly leftOut: readonly string[];
}

/** An experiment and its chosen cells. */
export interface ExperimentChoice<Chosen extends ExperimentProtocol = ExperimentProtocol> {
  readonly experiment: Chosen;
  readonly cells: readonly Cell[];
}

/** Returns the plan of a chosen experiment. Throws InvalidInput. */
export function expandChoice(
  { experiment, cells }: ExperimentChoice,
  { preset, cold, warm, stopping }: SizeChoice,
  run: Pick<RunChoice, "runId" | "createdAt" | "seed" | "lanes" | "target">,
): Plan {
  return expand(experiment, cells, { ...run, preset, ...defined({ cold, warm, stopping }) });
}

/**
 * Parses the choice. If several experiments are chosen, each takes the variants and sizes that it has, and is left
 * out if it has none. Throws InvalidInput naming the option, the value found and the values allowed.
 */
export function runChoices(
  options: RunOptions,
  architectures: readonly Architecture[],
): RunChoices {
  const requested = parseExperiments(options.experiment);
  const { preset, memory } = options;
  const sizes = sizeChoice(options, stoppingChoice(options));
  const variants = checkVariants(options.variants, requested);
  const all = requested.map((experiment): ChosenMatrix => {
    const sizesMb = memory ?? (preset === "quick" ? experiment.quickMemoryMb : experiment.memoryMb);
    const fitting = sizesMb.filter((size) => mayHaveSize(experiment, size));
    return {
      experiment,
      memoryMb: requested.length === 1 ? sizesMb : fitting,
      variants: variants.filter((id) => experiment.variants.some((variant) => variant.id === id)),
    };
  });
  const { running, leftOut } = withoutEmpty(all, options);
  const experiments = running.map(({ experiment, ...chosen }) => ({
    experiment,
    cells: matrix(experiment, { ...chosen, architectures }),
  }));
  return { ...sizes, experiments, leftOut };
}

/** An experiment, with its chosen variants and sizes. */
interface ChosenMatrix {
  readonly experiment: Experiment;
  readonly memoryMb: readonly number[];
  readonly variants: readonly string[];
}

/** Chooses all variants and sizes of an experiment, as for a user's functions. */
export function wholeChoice(
  experiment: Experiment,
  sizes: Omit<SizeChoice, "stopping">,
  stopping: StoppingChoice | undefined,
  architectures: readonly Architecture[],
): RunChoices {
  const { memoryMb } = experiment;
  const variants = experiment.variants.map(({ id }) => id);
  const cells = matrix(experiment, { memoryMb, variants, architectures });
  return { ...sizeChoice(sizes, stopping), experiments: [{ experiment, cells }], leftOut: [] };
}

function sizeChoice(
  { preset, cold, warm }: Omit<SizeChoice, "stopping">,
  stopping: StoppingChoice | undefined,
): SizeChoice {
  return { preset, ...defined({ stopping, cold, warm }) };
}

/** Parses `all`, one name, or several separated by commas. */
function parseExperiments(word: string): readonly Experiment[] {
  if (word === "all") return known;
  const ids = word.split(",").map((part) => part.trim());
  if (new Set(ids).size !== ids.length) {
    throw new InvalidInput("experiment", word, "each experiment once, or all");
  }
  const experiments = ids.map(experimentById);
  return known.filter((experiment) => experiments.includes(experiment));
}

function checkVariants(
  asked: readonly string[] | undefined,
  experiments: readonly Experiment[],
): readonly string[] {
  const ids = experiments.flatMap(({ variants }) => variants.map(({ id }) => id));
  const allowed = [...new Set(ids)];
  if (asked === undefined) return allowed;
  const strange = asked.find((id) => !allowed.includes(id));
  if (strange !== undefined) {
    const [only, ...others] = experiments;
    const searched = others.length === 0 ? `${only?.id} has no` : "no chosen experiment has a";
    const message = `${searched} variant ${JSON.stringify(strange)}; there are ${allowed.join(", ")}`;
    throw new InvalidInput("variants", strange, allowed.join(", "), message);
  }
  return asked;
}

/** States that no cell of an experiment was chosen by the filter. */
export function leftOutText({ id }: Pick<Experiment, "id">, filter: string): string {
  return `${id} is left out: it has no cell with ${filter}`;
}

function withoutEmpty(all: readonly ChosenMatrix[], options: RunOptions) {
  const isEmpty = ({ memoryMb, variants }: ChosenMatrix) =>
    memoryMb.length === 0 || variants.length === 0;
  const running = all.filter((choice) => !isEmpty(choice));
  if (running.length === 0) {
    const found = { variants: options.variants, memory: options.memory };
    throw new InvalidInput(
      "variants, memory",
      found,
      "variants and sizes of at least one experiment",
    );
  }
  const leftOut = all.filter(isEmpty).map(({ experiment, variants }) => {
    const filter =
      variants.length === 0 ? `variants ${options.variants}` : `memory ${options.memory}`;
    return leftOutText(experiment, filter);
  });
  return { running, leftOut };
}
