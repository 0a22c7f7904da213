import { InvalidInput } from "../../lib/contract/errors.ts";
import { shareOf } from "../../lib/contract/share.ts";
import type { StoppingChoice } from "../../lib/experiment/stopping-plan.ts";
import { decimalNumber, wholeNumber } from "./typed-words.ts";

/** The words of a command line that say when a run ends. */
export interface StoppingWords {
  readonly untilPrecision?: string;
  readonly maxSamples?: string;
  readonly maxMinutes?: string;
}

/** Until when blocks are added; undefined where the run ends with its sizes. */
export function stoppingOf(words: StoppingWords): StoppingChoice | undefined {
  const { untilPrecision, maxSamples, maxMinutes } = words;
  if (untilPrecision === undefined) {
    requireNone("maxSamples", maxSamples);
    requireNone("maxMinutes", maxMinutes);
    return undefined;
  }
  return {
    untilPrecision: shareOf("untilPrecision", untilPrecision),
    ...(maxSamples !== undefined && { maxSamples: wholeNumber("maxSamples", maxSamples) }),
    ...(maxMinutes !== undefined && { maxMinutes: decimalNumber("maxMinutes", maxMinutes) }),
  };
}

function requireNone(field: string, found: string | undefined): void {
  if (found === undefined) return;
  throw new InvalidInput(field, found, "nothing without untilPrecision, whose budget it is");
}

/** A run that is gone on with ends by its own plan. Throws InvalidInput where the words say another end. */
export function requireNoStopping({ untilPrecision, maxSamples, maxMinutes }: StoppingWords): void {
  const given = { untilPrecision, maxSamples, maxMinutes };
  for (const [field, found] of Object.entries(given)) {
    if (found === undefined) continue;
    throw new InvalidInput(field, found, "nothing with resume: the run goes on by its own plan");
  }
}
