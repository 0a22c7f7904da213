import { InvalidInput } from "../../lib/contract/errors.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import type { Experiment, Preset } from "../../lib/experiment/experiment.ts";

/** The words of a command line that say what to run, as commander hands them over. */
export interface RunWords {
  readonly experiment: string;
  readonly preset: string;
  readonly memory?: string;
  readonly variants?: string;
  readonly cold?: string;
  readonly warm?: string;
  readonly seed?: string;
}

/** What was asked for, checked. */
export interface RunChoices {
  readonly experiment: Experiment;
  readonly preset: Preset;
  readonly memoryMb: readonly number[];
  readonly variants: readonly string[];
  readonly cold?: number;
  readonly warm?: number;
  readonly seed: number;
}

/** The choice behind the words; throws InvalidInput naming the option, what was found, what is allowed. */
export function runChoice(words: RunWords, randomSeed: number): RunChoices {
  const experiment = experimentById(words.experiment);
  const { preset } = words;
  if (preset !== "quick" && preset !== "standard") {
    throw new InvalidInput("preset", preset, "quick, standard");
  }
  const presetMemoryMb = preset === "quick" ? experiment.quickMemoryMb : experiment.memoryMb;
  const known = experiment.variants.map((variant) => variant.id);
  return {
    experiment,
    preset,
    memoryMb: words.memory === undefined ? presetMemoryMb : wholeNumbers("memory", words.memory),
    variants: words.variants === undefined ? known : listed(words.variants),
    seed: words.seed === undefined ? randomSeed : wholeNumber("seed", words.seed),
    ...(words.cold !== undefined && { cold: wholeNumber("cold", words.cold) }),
    ...(words.warm !== undefined && { warm: wholeNumber("warm", words.warm) }),
  };
}

/** The parts of a list as it is typed: 128,512 */
export function listed(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}

function wholeNumbers(field: string, text: string): readonly number[] {
  return listed(text).map((part) => wholeNumber(field, part));
}

function wholeNumber(field: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidInput(field, text, "whole numbers");
}
