import { resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { emulators } from "../../lib/studies/emulators/definition.ts";
import { closeInheritedDescriptors } from "../../lib/toolchain/command-environment.ts";
import { hasCargo } from "../../lib/toolchain/rust-toolchain.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { describeBeginning, firstSteps, pythonRun } from "./before-rust.ts";
import { compareEngines, newEngineRun } from "./compare-engines.ts";
import { costBasis } from "./cost-basis.ts";
import { measureRun } from "./measure-run.ts";
import { type LocalOptions, type NewRun, newRun, whileLocked } from "./new-run.ts";
import { openRun, verifyRun } from "./stored-run.ts";
import { untilEnded } from "./until-ended.ts";

/** Measures a run to its end; returns the exit code. */
type Measure = (run: NewRun, options?: { readonly withFloor: boolean }) => Promise<number>;

/** `kelvin local`: runs experiments on this machine, or compares engines; returns the exit code. */
export async function local(words: LocalOptions): Promise<number> {
  const isEngines = await isOfEngines(words);
  const costs = costBasis(words);
  closeInheritedDescriptors();
  const hasRust = hasCargo();
  const measure: Measure = async (run, { withFloor } = { withFloor: hasRust }) => {
    const ending = { directory: run.store.directory, asJson: words.json === true };
    const plainHttp = words.plainHttp === true;
    return await untilEnded(ending, async (progress, signal) => {
      const options = { costs, plainHttp, progress, signal };
      return isEngines
        ? await compareEngines(run, options)
        : await measureRun(run, { ...options, withFloor });
    });
  };
  if (words.resume !== undefined) return await measureRest(words.resume, measure);
  if (isEngines) return await inNewFolder(newEngineRun(words), measure);
  return await measureInSteps(words, hasRust, measure);
}

/** A new run, after Python alone where what else it needs is still to be built, or cannot be. */
async function measureInSteps(
  words: LocalOptions,
  hasRust: boolean,
  measure: Measure,
): Promise<number> {
  const run = newRun(words);
  const { pythonFirst, refusal } = firstSteps(describeBeginning(run, words, hasRust));
  const progress = new Progress();
  if (pythonFirst !== undefined) {
    progress.say(pythonFirst);
    const code = await inNewFolder(pythonRun(words), (each) => measure(each, { withFloor: false }));
    if (code !== exitCodes.complete) return code;
  }
  if (refusal === undefined) return await inNewFolder(run, measure);
  progress.say(refusal);
  return pythonFirst === undefined ? exitCodes.failed : exitCodes.partial;
}

async function inNewFolder(run: NewRun, measure: Measure): Promise<number> {
  const locked = { option: "out", directory: run.store.directory } as const;
  const plans = run.experiments.map(({ plan }) => plan);
  return await whileLocked(locked, plans, () => measure(run));
}

async function measureRest(folder: string, measure: Measure): Promise<number> {
  const locked = { option: "resume", directory: resolve(folder) } as const;
  const { experiments } = await openRun("resume", folder);
  const plans = experiments.map(({ plan }) => plan);
  return await whileLocked(locked, plans, async () => await measure(await earlierRun(folder)));
}

/** Whether engines are compared; for an interrupted run, its own plan decides, whatever the other options are. */
async function isOfEngines({ resume, experiment }: LocalOptions): Promise<boolean> {
  if (resume === undefined) return experiment === emulators.id;
  const { experiments } = await openRun("resume", resume);
  return experiments[0]?.plan.experiment === emulators.id;
}

/** An interrupted run, verified with its checksums, which are written again at its end. */
async function earlierRun(folder: string): Promise<NewRun> {
  const run = await openRun("resume", folder);
  const { target } = run.experiments[0]?.plan ?? {};
  if (target !== "local") {
    throw new InvalidInput(
      "resume",
      folder,
      `a run measured on one machine; the target of this one is ${target}`,
    );
  }
  await verifyRun(run, folder);
  return { ...run, leftOut: [] };
}
