import { resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { emulators } from "../../lib/studies/emulators/definition.ts";
import { closeInheritedDescriptors } from "../../lib/toolchain/command-environment.ts";
import { compareEngines, newEngineRun } from "./compare-engines.ts";
import { costBasis } from "./cost-basis.ts";
import { untilEnded } from "./interruption.ts";
import { measureRun } from "./measure-run.ts";
import { type LocalOptions, type NewRun, newRun, whileLocked } from "./new-run.ts";
import { openRun, verifyRun } from "./stored-run.ts";

/** `kelvin local`: runs experiments on this machine, or compares engines; returns the exit code. */
export async function local(words: LocalOptions): Promise<number> {
  const isEngines = await isOfEngines(words);
  const costs = costBasis(words);
  closeInheritedDescriptors();
  const { resume } = words;
  const measure = async (run: NewRun) => {
    const ending = { directory: run.store.directory, asJson: words.json === true };
    const plainHttp = words.plainHttp === true;
    return await untilEnded(ending, async (progress, signal) => {
      const options = { costs, plainHttp, progress, signal };
      return isEngines ? await compareEngines(run, options) : await measureRun(run, options);
    });
  };
  if (resume === undefined) {
    const run = isEngines ? newEngineRun(words) : newRun(words);
    const locked = { option: "out", directory: run.store.directory } as const;
    const plans = run.experiments.map(({ plan }) => plan);
    return await whileLocked(locked, plans, async () => await measure(run));
  }
  const locked = { option: "resume", directory: resolve(resume) } as const;
  const { experiments } = await openRun("resume", resume);
  const plans = experiments.map(({ plan }) => plan);
  return await whileLocked(locked, plans, async () => await measure(await earlierRun(resume)));
}

/** Of an interrupted run its own plan says it, whatever the other words are. */
async function isOfEngines({ resume, experiment }: LocalOptions): Promise<boolean> {
  if (resume === undefined) return experiment === emulators.id;
  const { experiments } = await openRun("resume", resume);
  return experiments[0]?.plan.experiment === emulators.id;
}

/** An interrupted run. What it measured is held against its checksums: they are written anew at its end. */
async function earlierRun(folder: string): Promise<NewRun> {
  const run = await openRun("resume", folder);
  const { target } = run.experiments[0]?.plan ?? {};
  if (target !== "local") {
    throw new InvalidInput("resume", folder, `a run of this machine; it is one on ${target}`);
  }
  await verifyRun(run, folder);
  return { ...run, leftOut: [] };
}
