import { randomBytes } from "node:crypto";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { engineKinds } from "../../lib/local/engines/engine-kinds.ts";
import { describeMachine, floorCell } from "../../lib/local/machine.ts";
import type { Preset } from "../../lib/plan/experiment.ts";
import { type Engine, emulators, studyPlan } from "../../lib/studies/emulators/definition.ts";
import type { CostOptions } from "./cost-basis.ts";
import { type EngineRun, measureEngines } from "./measure-engines.ts";
import { type LocalOptions, type NewRun, newRunFolder, newRunName } from "./new-run.ts";
import type { RunOptions } from "./run-choice.ts";
import type { StoredExperiment } from "./stored-run.ts";
import type { EndedRun } from "./until-ended.ts";

/** Measures what a comparison still lacks, and writes its report. */
export async function compareEngines(
  { experiments: [only] }: NewRun,
  options: Omit<EngineRun, "plan" | "store">,
): Promise<EndedRun> {
  const { plan, store } = only as StoredExperiment;
  const { manifest, headline } = await measureEngines({ ...options, plan, store });
  const isComplete = manifest.status === "complete";
  return { headline, manifests: [manifest], isMultiExperiment: false, isComplete };
}

/** The plan over the engines that can be had here, and the folder of a new run; nothing is written yet. */
export function newEngineRun(words: LocalOptions): NewRun {
  const { preset, rounds, engines, seed = randomBytes(4).readUInt32LE() } = engineChoice(words);
  const reasons = engines.map(({ id }) => engineKinds[id]?.missing?.());
  const here = engines.filter((_, index) => reasons[index] === undefined);
  const leftOut = engines.flatMap(({ label }, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [`${label}: ${reason}`];
  });
  if (here.length === 0) {
    throw new InvalidInput(
      "variants",
      words.variants,
      `engines that are available here; ${leftOut.join("; ")}`,
    );
  }
  const { runId, createdAt } = newRunName();
  const { memoryMb } = describeMachine(undefined);
  const { architecture } = floorCell;
  const choice = { runId, createdAt, seed, preset, rounds, architecture, memoryMb, leftOut };
  const plan = studyPlan(emulators, { ...choice, engines: here });
  const store = new DiskResultStore(newRunFolder(words.out, runId));
  return { runId, store, experiments: [{ folder: "", plan, store }], leftOut: [] };
}

/** What of the comparison of engines was asked for, checked. */
interface EngineChoice {
  readonly preset: Preset;
  readonly rounds: number;
  readonly engines: readonly Engine[];
  /** Absent: to be drawn. */
  readonly seed?: number;
}

const byRounds = "nothing: engines are compared over a fixed number of rounds (--cold)";
const withoutCost = "nothing: a comparison of engines has no cost";
const unused = {
  memory: "nothing: an engine has the whole machine",
  warm: "nothing: each operation has a fixed number of requests",
  ...{ untilPrecision: byRounds, maxSamples: byRounds, maxMinutes: byRounds },
  ...{ coldShare: withoutCost, invocations: withoutCost },
} as const;

/** The choice behind the words; throws InvalidInput naming the option, what was found, what is allowed. */
export function engineChoice(words: RunOptions & CostOptions): EngineChoice {
  const { preset, cold, variants, seed } = words;
  for (const [name, allowed] of Object.entries(unused)) {
    const found = words[name as keyof typeof unused];
    if (found !== undefined) throw new InvalidInput(name, found, allowed);
  }
  return {
    preset,
    rounds: cold ?? emulators.rounds[preset],
    engines: variants === undefined ? emulators.engines : variants.map(parseEngine),
    ...(seed !== undefined && { seed }),
  };
}

function parseEngine(id: string, index: number, ids: readonly string[]): Engine {
  const known = emulators.engines.map((engine) => engine.id);
  const found = emulators.engines.find((engine) => engine.id === id);
  if (found === undefined) throw new InvalidInput("variants", id, known.join(", "));
  if (ids.indexOf(id) !== index) throw new InvalidInput("variants", ids, "each engine once");
  return found;
}
