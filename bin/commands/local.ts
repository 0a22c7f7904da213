import { resolve } from "node:path";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { closeInheritedDescriptors } from "../../lib/toolchain/command-environment.ts";
import { hasCargo } from "../../lib/toolchain/rust-toolchain.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { compareEngines, newEngineRun } from "../run/compare-engines.ts";
import { costBasis } from "../run/cost-basis.ts";
import { describeBeginning, firstSteps, pythonRun } from "../run/first-steps.ts";
import { measureRun } from "../run/measure-run.ts";
import { type LocalOptions, type NewRun, newRun } from "../run/new-run.ts";
import { whileLocked } from "../run/run-folder.ts";
import { openRun } from "../run/stored-run.ts";
import { findStudy } from "../run/studies.ts";
import { type Judge, untilEnded } from "../run/until-ended.ts";
import { verifyRun } from "../run/verify-run.ts";

/** Measures a run to its end; returns the exit code. */
type Measure = (
  run: NewRun,
  options?: { readonly withFloor: boolean; readonly opening: string },
) => Promise<number>;

/** `kelvin local`: runs experiments on this machine, or compares engines; returns the exit code. */
export async function local(options: LocalOptions, judge?: Judge): Promise<number> {
  const isEngines = await isStudy(options);
  const costs = costBasis(options);
  closeInheritedDescriptors();
  const hasRust = hasCargo();
  const measure: Measure = async (run, special) => {
    const ending = {
      directory: run.store.directory,
      asJson: options.json === true,
      isVerbose: options.verbose === true,
      ...defined({ judge }),
    };
    const plainHttp = options.plainHttp === true;
    return await untilEnded(ending, async (progress, signal) => {
      const { waitForQuiet = false } = options;
      const measuring = { costs, plainHttp, waitForQuiet, progress, signal };
      return isEngines
        ? await compareEngines(run, measuring)
        : await measureRun(run, { ...measuring, withFloor: hasRust, ...special });
    });
  };
  if (options.resume !== undefined) return await measureRest(options.resume, measure);
  if (isEngines) return await inNewFolder(newEngineRun(options), measure);
  return await measureInSteps(options, hasRust, measure);
}

/** Measures a new run; Python is measured alone first if the rest must still be built or cannot be. */
async function measureInSteps(
  options: LocalOptions,
  hasRust: boolean,
  measure: Measure,
): Promise<number> {
  const run = newRun(options);
  const { pythonFirst, refusal } = firstSteps(describeBeginning(run, options, hasRust));
  if (pythonFirst !== undefined) {
    const code = await inNewFolder(pythonRun(options), (each) =>
      measure(each, { withFloor: false, opening: pythonFirst }),
    );
    if (code !== exitCodes.complete) return code;
  }
  if (refusal === undefined) return await inNewFolder(run, measure);
  new Progress().say(refusal);
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

/** Returns whether engines are compared. For an interrupted run its own plan decides, not the options. */
async function isStudy({ resume, experiment }: LocalOptions): Promise<boolean> {
  if (resume === undefined) return findStudy(experiment) !== undefined;
  const { experiments } = await openRun("resume", resume);
  return findStudy(experiments[0]?.plan.experiment) !== undefined;
}

/** Opens an interrupted run and verifies it by its checksums, which are written again at its end. */
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
