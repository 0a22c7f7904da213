import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { findStudy } from "../../lib/studies/catalogue.ts";
import { type BuildForecast, noopBinary } from "../../lib/toolchain/build-local.ts";
import { closeInheritedDescriptors } from "../../lib/toolchain/command-environment.ts";
import { hasCargo, pinnedRust } from "../../lib/toolchain/rust-toolchain.ts";
import { exitCodes } from "../exit-codes.ts";
import { forecastText, Progress } from "../progress.ts";
import { compareEngines, newEngineRun } from "../run/compare-engines.ts";
import { costBasis } from "../run/cost-basis.ts";
import { measureRun, missingBuilds, needsRust } from "../run/measure-run.ts";
import { type LocalOptions, type NewRun, newRun } from "../run/new-run.ts";
import { whileLocked } from "../run/run-folder.ts";
import { openRun } from "../run/stored-run.ts";
import { untilEnded } from "../run/until-ended.ts";
import { verifyRun } from "../run/verify-run.ts";

/** Measures a run to its end; returns the exit code. */
type Measure = (run: NewRun, options?: { readonly withFloor: boolean }) => Promise<number>;

/** `kelvin local`: runs experiments on this machine, or compares engines; returns the exit code. */
export async function local(options: LocalOptions): Promise<number> {
  const isEngines = await isStudy(options);
  const costs = costBasis(options);
  closeInheritedDescriptors();
  const hasRust = hasCargo();
  const measure: Measure = async (run, { withFloor } = { withFloor: hasRust }) => {
    const ending = {
      ...{ directory: run.store.directory, asJson: options.json === true },
      isVerbose: options.verbose === true,
    };
    const plainHttp = options.plainHttp === true;
    return await untilEnded(ending, async (progress, signal) => {
      const { waitForQuiet = false } = options;
      const measuring = { costs, plainHttp, waitForQuiet, progress, signal };
      return isEngines
        ? await compareEngines(run, measuring)
        : await measureRun(run, { ...measuring, withFloor });
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
  const progress = new Progress();
  if (pythonFirst !== undefined) {
    progress.say(pythonFirst);
    const code = await inNewFolder(pythonRun(options), (each) =>
      measure(each, { withFloor: false }),
    );
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

/** The state of this machine before a new run builds anything. */
export interface Beginning {
  /** Whether anything that the run measures or calls is built with Rust. */
  readonly needsRust: boolean;
  /** The builds that remain. */
  readonly missing: BuildForecast;
  readonly hasRust: boolean;
  /** Whether the run has variants in Python. */
  readonly hasPython: boolean;
  /** Whether a person is watching: a terminal, no --json, no CI. */
  readonly isWatched: boolean;
}

export function describeBeginning(
  run: Pick<NewRun, "experiments">,
  { json }: Pick<LocalOptions, "json">,
  hasRust: boolean,
): Beginning {
  const cells = run.experiments.flatMap(({ plan }) => plan.cells);
  return {
    needsRust: needsRust(run),
    missing: missingBuilds(run, { withFloor: true }),
    hasRust,
    hasPython: cells.some(({ runtime }) => runtime.startsWith("python")),
    isWatched: json !== true && process.stdout.isTTY === true && !process.env.CI,
  };
}

/** The first steps of a new run. */
interface FirstSteps {
  /** Message before Python is measured alone; absent if it is not. */
  readonly pythonFirst?: string;
  /** The reason the run itself cannot follow; absent if it can. */
  readonly refusal?: string;
}

/**
 * Decides whether Python is measured alone first: it is if the first result would otherwise take minutes to build, or
 * cannot be built without Rust. Nothing compiles meanwhile.
 */
export function firstSteps(beginning: Beginning): FirstSteps {
  const { missing, hasRust, hasPython, isWatched } = beginning;
  if (!beginning.needsRust) return {};
  const isLong = missing.binaries.some((name) => name !== noopBinary.binaryName);
  const isFirst = hasPython && isWatched && (isLong || !hasRust);
  return {
    ...(isFirst && { pythonFirst: pythonFirstText(beginning) }),
    ...(!hasRust && { refusal: noRustText() }),
  };
}

/**
 * Returns Python's part of `compute`, which calls no service, as a separate run. The two sizes take half a minute;
 * 128 MB alone would take a whole one.
 */
export function pythonRun({ seed }: Pick<LocalOptions, "seed">): NewRun {
  return newRun({
    experiment: "compute",
    preset: "quick",
    variants: ["python"],
    memory: [512, 1769],
    ...(seed !== undefined && { seed }),
  });
}

function pythonFirstText({ missing, hasRust }: Beginning): string {
  const python = "Python alone, in the experiment compute, which calls no service (half a minute)";
  if (!hasRust) return `Rust: found none; measures ${python}`;
  const build = forecastText(missing, availableParallelism());
  return `${build}\nbefore that, while nothing compiles: ${python}`;
}

function noRustText(): string {
  return [
    "Rust: found none. The functions in Rust are built with it, and so are the emulated DynamoDB and S3",
    "that the ones in Python call: none of these was measured. To compare Rust with Python, install",
    `rustup (https://rustup.rs), which fetches the pinned Rust ${pinnedRust()}, and run this`,
    "command again. What runs without Rust: --experiment compute --variants python",
  ].join("\n");
}
