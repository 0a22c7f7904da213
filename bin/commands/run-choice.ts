import { InvalidInput } from "../../lib/contract/errors.ts";
import { experimentById, experiments as known } from "../../lib/experiments/catalogue.ts";
import type { Experiment, Preset } from "../../lib/plan/experiment.ts";
import { mayHaveSize } from "../../lib/plan/matrix.ts";
import { type StoppingChoice, stoppingChoice } from "../../lib/plan/stopping.ts";
import { listed } from "../option-values.ts";

/** What a command line says is to run, as commander hands it over. */
export interface RunOptions extends Partial<StoppingChoice> {
  readonly experiment: string;
  readonly preset: Preset;
  readonly memory?: readonly number[];
  readonly variants?: readonly string[];
  readonly cold?: number;
  readonly warm?: number;
  readonly seed?: number;
}

/** What was asked for, checked. */
export interface RunChoices {
  /** In the order of the catalogue; one at least. */
  readonly experiments: readonly ExperimentChoice[];
  /** Experiments that were asked for and do not run, with the reason. */
  readonly leftOut: readonly string[];
}

/** What was asked for of one experiment. */
export interface ExperimentChoice extends Pick<RunOptions, "preset" | "cold" | "warm"> {
  readonly experiment: Experiment;
  readonly memoryMb: readonly number[];
  readonly variants: readonly string[];
  readonly seed: number;
  readonly stopping?: StoppingChoice;
}

/**
 * The choice behind the words. Of several experiments each takes those of the variants and sizes that
 * it has, and is left out where it has none. Throws InvalidInput naming the option, what was found,
 * what is allowed.
 */
export function runChoices(words: RunOptions, randomSeed: number): RunChoices {
  const asked = parseExperiments(words.experiment);
  const { preset, memory, seed = randomSeed } = words;
  const shared = sharedChoice(words, seed, stoppingChoice(words));
  const variants = checkVariants(words.variants, asked);
  const all = asked.map((experiment): ExperimentChoice => {
    const sizes = memory ?? (preset === "quick" ? experiment.quickMemoryMb : experiment.memoryMb);
    return {
      experiment,
      ...shared,
      memoryMb: asked.length === 1 ? sizes : sizes.filter((size) => mayHaveSize(experiment, size)),
      variants: variants.filter((id) => experiment.variants.some((variant) => variant.id === id)),
    };
  });
  return withoutEmpty(all, words);
}

/** All of an experiment's variants and sizes, as a user's functions are measured. */
export function wholeChoice(
  experiment: Experiment,
  words: SharedWords,
  seed: number,
  stopping: StoppingChoice | undefined,
): ExperimentChoice {
  const { memoryMb } = experiment;
  const variants = experiment.variants.map(({ id }) => id);
  return { experiment, memoryMb, variants, ...sharedChoice(words, seed, stopping) };
}

type SharedWords = Pick<RunOptions, "preset" | "cold" | "warm">;

function sharedChoice(
  { preset, cold, warm }: SharedWords,
  seed: number,
  stopping: StoppingChoice | undefined,
) {
  return {
    ...{ preset, seed },
    ...(stopping !== undefined && { stopping }),
    ...(cold !== undefined && { cold }),
    ...(warm !== undefined && { warm }),
  };
}

/** `all`, one, or several with commas between them. */
function parseExperiments(word: string): readonly Experiment[] {
  if (word === "all") return known;
  const ids = listed(word);
  if (new Set(ids).size !== ids.length) {
    throw new InvalidInput("experiment", word, "each experiment once, or all");
  }
  const asked = ids.map(experimentById);
  return known.filter((experiment) => asked.includes(experiment));
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
    const of = others.length === 0 ? `${only?.id} has no` : "no chosen experiment has a";
    const said = `${of} variant ${JSON.stringify(strange)}; there are ${allowed.join(", ")}`;
    throw new InvalidInput("variants", strange, allowed.join(", "), said);
  }
  return asked;
}

function withoutEmpty(all: readonly ExperimentChoice[], words: RunOptions): RunChoices {
  const isEmpty = ({ memoryMb, variants }: ExperimentChoice) =>
    memoryMb.length === 0 || variants.length === 0;
  const running = all.filter((choice) => !isEmpty(choice));
  if (running.length === 0) {
    const found = { variants: words.variants, memory: words.memory };
    throw new InvalidInput(
      "variants, memory",
      found,
      "variants and sizes of at least one experiment",
    );
  }
  const leftOut = all.filter(isEmpty).map(({ experiment, variants }) => {
    const what = variants.length === 0 ? `variants ${words.variants}` : `memory ${words.memory}`;
    return `${experiment.id} is left out: it has no cell with ${what}`;
  });
  return { experiments: running, leftOut };
}
