import { InvalidInput } from "../../lib/contract/errors.ts";
import { experimentById, experiments as known } from "../../lib/experiments/catalogue.ts";
import type { Experiment, Preset } from "../../lib/plan/experiment.ts";
import { mayHaveSize } from "../../lib/plan/matrix.ts";
import { type StoppingChoice, stoppingChoice } from "../../lib/plan/stopping.ts";

/** The words of a command line that say what to run, as commander hands them over. */
export interface RunOptions extends StoppingOptions {
  readonly experiment: string;
  readonly preset: string;
  readonly memory?: string;
  readonly variants?: string;
  readonly cold?: string;
  readonly warm?: string;
  readonly seed?: string;
}

/** What was asked for, checked. */
interface RunChoices {
  /** In the order of the catalogue; one at least. */
  readonly experiments: readonly ExperimentChoice[];
  /** Experiments that were asked for and do not run, with the reason. */
  readonly leftOut: readonly string[];
}

/** What was asked for of one experiment. */
export interface ExperimentChoice {
  readonly experiment: Experiment;
  readonly preset: Preset;
  readonly memoryMb: readonly number[];
  readonly variants: readonly string[];
  readonly cold?: number;
  readonly warm?: number;
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
  const { preset } = words;
  if (preset !== "quick" && preset !== "standard") {
    throw new InvalidInput("preset", preset, "quick, standard");
  }
  const stopping = parseStopping(words);
  const shared = {
    preset,
    ...(stopping !== undefined && { stopping }),
    seed: words.seed === undefined ? randomSeed : wholeNumber("seed", words.seed),
    ...(words.cold !== undefined && { cold: wholeNumber("cold", words.cold) }),
    ...(words.warm !== undefined && { warm: wholeNumber("warm", words.warm) }),
  } as const;
  const variants = parseVariants(words.variants, asked);
  const memoryMb = words.memory === undefined ? undefined : wholeNumbers("memory", words.memory);
  const all = asked.map((experiment): ExperimentChoice => {
    const presetMb = preset === "quick" ? experiment.quickMemoryMb : experiment.memoryMb;
    return {
      experiment,
      ...shared,
      memoryMb:
        asked.length === 1 ? (memoryMb ?? presetMb) : chooseSizes(experiment, memoryMb ?? presetMb),
      variants: variants.filter((id) => experiment.variants.some((variant) => variant.id === id)),
    };
  });
  return withoutEmpty(all, words);
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

function parseVariants(word: string | undefined, experiments: readonly Experiment[]) {
  const ids = experiments.flatMap(({ variants }) => variants.map(({ id }) => id));
  const allowed = [...new Set(ids)];
  if (word === undefined) return allowed;
  const asked = listed(word);
  const strange = asked.find((id) => !allowed.includes(id));
  if (strange !== undefined) throw new InvalidInput("variants", strange, allowed.join(", "));
  return asked;
}

function chooseSizes(experiment: Experiment, memoryMb: readonly number[]): readonly number[] {
  return memoryMb.filter((size) => mayHaveSize(experiment, size));
}

function withoutEmpty(all: readonly ExperimentChoice[], words: RunOptions): RunChoices {
  const isEmpty = ({ memoryMb, variants }: ExperimentChoice) =>
    memoryMb.length === 0 || variants.length === 0;
  const running = all.filter((choice) => !isEmpty(choice));
  if (running.length === 0) {
    const found = { variants: words.variants, memory: words.memory };
    throw new InvalidInput("variants, memory", found, "those of one experiment at least");
  }
  const leftOut = all.filter(isEmpty).map(({ experiment, variants }) => {
    const what = variants.length === 0 ? `variants ${words.variants}` : `memory ${words.memory}`;
    return `${experiment.id} does not run: it has none of ${what}`;
  });
  return { experiments: running, leftOut };
}

/** The words of a command line that say when a run ends. */
interface StoppingOptions {
  readonly untilPrecision?: string;
  readonly maxSamples?: string;
  readonly maxMinutes?: string;
}

/** Until when blocks are added; undefined where the run ends with its sizes. */
function parseStopping(words: StoppingOptions): StoppingChoice | undefined {
  return stoppingChoice(words, { maxSamples: wholeNumber, maxMinutes: decimalNumber });
}

/** A run that is gone on with ends by its own plan. Throws InvalidInput where the words say another end. */
export function requireNoStopping({
  untilPrecision,
  maxSamples,
  maxMinutes,
}: StoppingOptions): void {
  const given = { untilPrecision, maxSamples, maxMinutes };
  for (const [field, found] of Object.entries(given)) {
    if (found === undefined) continue;
    throw new InvalidInput(field, found, "nothing with resume: the run goes on by its own plan");
  }
}

/** The parts of a list as it is typed: 128,512 */
export function listed(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}

/** As wholeNumber, of a list. */
function wholeNumbers(field: string, text: string): readonly number[] {
  return listed(text).map((part) => wholeNumber(field, part));
}

/** Throws InvalidInput naming the field. */
function decimalNumber(field: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidInput(field, text, "a number");
}

/** Throws InvalidInput naming the field. */
function wholeNumber(field: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidInput(field, text, "whole numbers");
}
