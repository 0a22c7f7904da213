import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Preset } from "../../lib/plan/experiment.ts";
import { type Engine, emulators } from "./definition.ts";

/** The options of a comparison of engines, and others that do not apply to it. */
interface EngineOptions extends Partial<Readonly<Record<keyof typeof unused, unknown>>> {
  readonly preset: Preset;
  readonly cold?: number;
  readonly variants?: readonly string[];
  readonly seed?: number;
}

/** The validated options of a comparison of engines. */
interface EngineChoice {
  readonly preset: Preset;
  readonly rounds: number;
  readonly engines: readonly Engine[];
  /** Absent: drawn at random. */
  readonly seed?: number;
}

const byRounds = "nothing: engines are compared over a fixed number of rounds (--cold)";
const withoutCost = "nothing: a comparison of engines has no cost";
const unused = {
  memory: "nothing: an engine has the whole machine",
  warm: "nothing: each operation has a fixed number of requests",
  untilPrecision: byRounds,
  maxSamples: byRounds,
  maxMinutes: byRounds,
  coldShare: withoutCost,
  invocations: withoutCost,
} as const;

/** Parses the options. Throws InvalidInput naming the option, the value found and the values allowed. */
export function engineChoice(options: EngineOptions): EngineChoice {
  const { preset, cold, variants, seed } = options;
  for (const [name, allowed] of Object.entries(unused)) {
    const found = options[name as keyof typeof unused];
    if (found !== undefined) throw new InvalidInput(name, found, allowed);
  }
  return {
    preset,
    rounds: cold ?? emulators.rounds[preset],
    engines: variants === undefined ? emulators.engines : variants.map(parseEngine),
    ...defined({ seed }),
  };
}

function parseEngine(id: string, index: number, ids: readonly string[]): Engine {
  const known = emulators.engines.map((engine) => engine.id);
  const found = emulators.engines.find((engine) => engine.id === id);
  if (found === undefined) throw new InvalidInput("variants", id, known.join(", "));
  if (ids.indexOf(id) !== index) throw new InvalidInput("variants", ids, "each engine once");
  return found;
}
