import { InvalidInput } from "../../lib/contract/errors.ts";
import { type StoppingChoice, stoppingChoice } from "../../lib/experiment/stopping-choice.ts";
import { decimalNumber, wholeNumber } from "./typed-words.ts";

/** The words of a command line that say when a run ends. */
export interface StoppingWords {
  readonly untilPrecision?: string;
  readonly maxSamples?: string;
  readonly maxMinutes?: string;
}

/** Until when blocks are added; undefined where the run ends with its sizes. */
export function stoppingOf(words: StoppingWords): StoppingChoice | undefined {
  return stoppingChoice(words, { maxSamples: wholeNumber, maxMinutes: decimalNumber });
}

/** A run that is gone on with ends by its own plan. Throws InvalidInput where the words say another end. */
export function requireNoStopping({ untilPrecision, maxSamples, maxMinutes }: StoppingWords): void {
  const given = { untilPrecision, maxSamples, maxMinutes };
  for (const [field, found] of Object.entries(given)) {
    if (found === undefined) continue;
    throw new InvalidInput(field, found, "nothing with resume: the run goes on by its own plan");
  }
}
