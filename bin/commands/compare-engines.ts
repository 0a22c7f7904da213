import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { emulators } from "../../lib/experiment/catalogue/emulators.ts";
import { studyPlan } from "../../lib/experiment/engine-study.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { engineKinds } from "../../lib/local/engines/engine-kinds.ts";
import { describeMachine } from "../../lib/local/machine.ts";
import { floorCell } from "../../lib/local/measure-floor.ts";
import { closeInheritedDescriptors } from "../../lib/toolchain/command-environment.ts";
import { type CostBasis, costBasis } from "./cost-basis.ts";
import { engineChoice } from "./engine-choice.ts";
import { type EngineRun, measureEngines } from "./measure-engines.ts";
import type { LocalWords } from "./new-run.ts";
import { newRunFolder, newRunName } from "./new-run-folder.ts";
import { openRun } from "./stored-run.ts";
import { untilEnded } from "./until-ended.ts";
import { verifyRun } from "./verify-run.ts";
import { whileLocked } from "./while-locked.ts";

type PlannedRun = Pick<EngineRun, "plan" | "store">;

/** `kelvin local` of the experiment emulators: compares engines on this machine; returns the exit code. */
export async function compareEngines(words: LocalWords): Promise<number> {
  const costs = costBasis(words);
  closeInheritedDescriptors();
  const { resume } = words;
  if (resume === undefined) {
    const run = newRun(words);
    const locked = { option: "out", directory: run.store.directory } as const;
    return await whileLocked(locked, [run.plan], async () => await measure(run, words, costs));
  }
  const locked = { option: "resume", directory: resolve(resume) } as const;
  const { experiments } = await openRun("resume", resume);
  const plans = experiments.map(({ plan }) => plan);
  return await whileLocked(locked, plans, async () => {
    return await measure(await earlierRun(resume), words, costs);
  });
}

async function measure(run: PlannedRun, words: LocalWords, costs: CostBasis): Promise<number> {
  const ending = { directory: run.store.directory, asJson: words.json === true };
  return await untilEnded(ending, async (progress, signal) => {
    const { manifest, headline } = await measureEngines({ ...run, costs, progress, signal });
    const isComplete = manifest.status === "complete";
    return { headline, manifests: [manifest], isOfSeveral: false, isComplete };
  });
}

/** The plan over the engines that can be had here, and the folder of a new run; nothing is written yet. */
function newRun(words: LocalWords): PlannedRun {
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
      `engines to be had here; ${leftOut.join("; ")}`,
    );
  }
  const { runId, createdAt } = newRunName();
  const { memoryMb } = describeMachine(undefined);
  const { architecture } = floorCell;
  const choice = { runId, createdAt, seed, preset, rounds, architecture, memoryMb, leftOut };
  const plan = studyPlan(emulators, { ...choice, engines: here });
  return { plan, store: new DiskResultStore(newRunFolder(words.out, runId)) };
}

/** An interrupted run, held against its checksums. */
async function earlierRun(folder: string): Promise<PlannedRun> {
  const run = await openRun("resume", folder);
  await verifyRun(run, folder);
  return { plan: run.experiments[0]?.plan as Plan, store: run.store };
}
