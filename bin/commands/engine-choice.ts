import { InvalidInput } from "../../lib/contract/errors.ts";
import { emulators } from "../../lib/experiment/catalogue/emulators.ts";
import type { Engine } from "../../lib/experiment/engine-study.ts";
import type { Preset } from "../../lib/experiment/experiment.ts";
import type { CostWords } from "./cost-basis.ts";
import type { RunWords } from "./run-choice.ts";
import { listed } from "./typed-words.ts";

/** What of the comparison of engines was asked for, checked. */
export interface EngineChoice {
  readonly preset: Preset;
  readonly rounds: number;
  readonly engines: readonly Engine[];
  /** Absent: to be drawn. */
  readonly seed?: number;
}

const unused = {
  memory: "nothing: an engine has all of this machine",
  warm: "nothing: each operation has its number of requests",
  untilPrecision: "nothing: engines are compared in a fixed number of rounds (--cold)",
  maxSamples: "nothing: engines are compared in a fixed number of rounds (--cold)",
  maxMinutes: "nothing: engines are compared in a fixed number of rounds (--cold)",
  coldShare: "nothing: a comparison of engines states no cost",
  invocations: "nothing: a comparison of engines states no cost",
} as const;

/** The choice behind the words; throws InvalidInput naming the option, what was found, what is allowed. */
export function engineChoice(words: RunWords & CostWords): EngineChoice {
  const { preset, cold, variants, seed } = words;
  if (preset !== "quick" && preset !== "standard") {
    throw new InvalidInput("preset", preset, "quick, standard");
  }
  for (const [name, allowed] of Object.entries(unused)) {
    const found = words[name as keyof typeof unused];
    if (found !== undefined) throw new InvalidInput(name, found, allowed);
  }
  return {
    preset,
    rounds: cold === undefined ? emulators.rounds[preset] : whole("cold", cold, 1, 1000),
    engines: variants === undefined ? emulators.engines : listed(variants).map(engineOf),
    ...(seed !== undefined && { seed: whole("seed", seed, 0, 4_294_967_295) }),
  };
}

function engineOf(id: string, index: number, ids: readonly string[]): Engine {
  const known = emulators.engines.map((engine) => engine.id);
  const found = emulators.engines.find((engine) => engine.id === id);
  if (found === undefined) throw new InvalidInput("variants", id, known.join(", "));
  if (ids.indexOf(id) !== index) throw new InvalidInput("variants", ids, "different ones");
  return found;
}

function whole(field: string, text: string, smallest: number, largest: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= smallest && value <= largest) return value;
  throw new InvalidInput(field, text, `a whole number from ${smallest} to ${largest}`);
}
