import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { experimentById, experiments as known } from "../../lib/experiments/catalogue.ts";
import type { Experiment, Preset } from "../../lib/plan/experiment.ts";
import { mayHaveSize } from "../../lib/plan/matrix.ts";
import { type StoppingChoice, stoppingChoice } from "../../lib/plan/stopping.ts";
import { listed } from "../options/option-values.ts";

/** The options that choose what to run, as commander passes them. */
export interface RunOptions extends Partial<StoppingChoice> {
  readonly experiment: string;
  readonly preset: Preset;
  readonly memory?: readonly number[];
  readonly variants?: readonly string[];
  readonly cold?: number;
  readonly warm?: number;
  readonly seed?: number;
}

/** The validated choice of what to run. */
export interface RunChoices {
  /** One or more, in the order of the catalogue. */
  readonly experiments: readonly ExperimentChoice[];
  /** Experiments that were asked for and do not run, each with the reason. */
  readonly leftOut: readonly string[];
}

/** The choice for one experiment. */
export interface ExperimentChoice extends Pick<RunOptions, "preset" | "cold" | "warm"> {
  readonly experiment: Experiment;
  readonly memoryMb: readonly number[];
  readonly variants: readonly string[];
  readonly seed: number;
  readonly stopping?: StoppingChoice;
}

/**
 * Parses the choice. Each of several experiments takes those of the variants and sizes that it has, and
 * is left out if it has none. Throws InvalidInput naming the option, the value found and the values
 * allowed.
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

/** All of an experiment's variants and sizes: the choice for a user's functions. */
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
    ...defined({ stopping, cold, warm }),
  };
}

/** Parses `all`, one name, or several separated by commas. */
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
