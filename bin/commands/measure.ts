import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Summary } from "../../lib/analysis/summary.ts";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { FunctionsFile } from "../../lib/contract/types/contract.ts";
import { writeFunctionsFile } from "../../lib/functions/functions-file.ts";
import { newScratchFolder } from "../../lib/local/scratch-folder.ts";
import { closeInheritedDescriptors } from "../../lib/toolchain/command-environment.ts";
import type { FailOn } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { type CostOptions, costBasis } from "../run/cost-basis.ts";
import {
  describeFailures,
  earlierRun,
  type FunctionsRunOptions,
  newFunctionsRun,
  runsFunctionsFile,
  storedFunctions,
} from "../run/functions-run.ts";
import { type FunctionOptions, functionsFile } from "../run/measure-choice.ts";
import type { ArnOptions } from "../run/measure-deployed.ts";
import { measureGate } from "../run/measure-gate.ts";
import { measureRun, type MeasureOptions as RunOptions } from "../run/measure-run.ts";
import { isFunctionArn } from "../run/measured-copies.ts";
import type { NewRun } from "../run/new-run.ts";
import { type InterpreterOptions, openExperiment } from "../run/open-functions.ts";
import { whileLocked } from "../run/run-folder.ts";
import { type EndedRun, untilEnded } from "../run/until-ended.ts";

/** The options of `kelvin measure`. */
interface MeasureOptions
  extends FunctionOptions,
    FunctionsRunOptions,
    ArnOptions,
    InterpreterOptions,
    CostOptions {
  readonly save?: string;
  readonly resume?: string;
  readonly json?: true;
  readonly markdown?: string;
  readonly waitForQuiet?: true;
  readonly verbose?: true;
  readonly failOn?: FailOn;
}

/** `kelvin measure`: measures functions on this machine, or deployed ones on AWS; returns the exit code. */
export async function measure(
  artefacts: readonly string[],
  options: MeasureOptions,
): Promise<number> {
  if (artefacts.some(isFunctionArn)) return await measureArns(artefacts, options);
  requireNoArnOptions(options);
  requireNothingWithAuto(options);
  const folder = newScratchFolder("functions");
  try {
    return await measureHere(artefacts, options, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures the user's own functions on this machine, unpacked in a folder. */
async function measureHere(
  artefacts: readonly string[],
  options: MeasureOptions,
  folder: string,
): Promise<number> {
  const { resume, save, verbose = false } = options;
  const progress = new Progress(process.stderr, { isVerbose: verbose });
  const file = resume === undefined ? functionsFile(artefacts, options) : storedFunctions(resume);
  const costs = costBasis(options);
  closeInheritedDescriptors();
  const opened = await openExperiment(file, folder, options, progress);
  const { experiment } = opened;
  if (save !== undefined) await saveFunctions(save, file, progress);
  const run =
    resume === undefined
      ? newFunctionsRun(opened, options, costs)
      : await earlierRun(resume, experiment);
  const { directory } = run.store;
  const plans = run.experiments.map(({ plan }) => plan);
  const locked =
    resume === undefined
      ? ({ option: "out", directory } as const)
      : ({ option: "resume", directory: resolve(resume) } as const);
  return await whileLocked(locked, plans, async () => {
    return await untilReported(run, options, {
      costs,
      plainHttp: false,
      withFloor: false,
      command: "measure",
      waitForQuiet: options.waitForQuiet === true,
      experimentOf: () => experiment,
      onReady: () => writeFunctionsFile(join(directory, runsFunctionsFile), file),
    });
  });
}

async function saveFunctions(path: string, file: FunctionsFile, progress: Progress): Promise<void> {
  await writeFunctionsFile(path, file);
  progress.say(`saved to ${path}`);
  const { describeClearSecrets } = await import("../run/clear-secrets.ts");
  for (const line of describeClearSecrets(file)) progress.say(line);
}

/** Measures until everything is reported, or until Ctrl-C; returns the exit code, which may be that of a gate. */
async function untilReported(
  run: NewRun,
  { json, markdown, verbose, failOn }: MeasureOptions,
  options: Omit<RunOptions, "progress" | "signal">,
): Promise<number> {
  const ending = {
    directory: run.store.directory,
    resumeWith: "kelvin measure --resume",
    asJson: json === true,
    isVerbose: verbose === true,
    judge: ({ summary }: EndedRun, code: number) => judged(summary, code, failOn),
    ...defined({ markdown }),
  };
  return await untilEnded(ending, async (progress, signal) => {
    const ended = await measureRun(run, { ...options, progress, signal });
    for (const line of ended.manifests.flatMap(describeFailures)) progress.say(line);
    return ended;
  });
}

/** Judges the run's gate and limits, and returns the exit code. */
function judged(summary: Summary | undefined, code: number, failOn?: FailOn): number {
  if (summary === undefined) return code;
  const options = { args: process.argv.slice(2), progress: new Progress() };
  return measureGate(summary, code, { ...options, ...defined({ failOn }) });
}

/** Measures copies of deployed functions on AWS; a gate works as for functions on this machine. */
async function measureArns(
  arns: readonly string[],
  { failOn, ...options }: MeasureOptions,
): Promise<number> {
  const { measureDeployed } = await import("../run/measure-deployed.ts");
  const gate = (summary: Summary, code: number) => judged(summary, code, failOn);
  return await measureDeployed(arns, options, failOn && gate);
}

/** Throws InvalidInput for an option that only applies to a function's ARN. */
function requireNoArnOptions(options: ArnOptions): void {
  const own = ["yes", "maxCost", "keep", "apply", "applyWithoutAsking", "copySecrets"] as const;
  for (const name of [...own, "qualifier", "toolkitStack", "context"] as const) {
    if (options[name] === undefined) continue;
    const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const allowed = "no value without the ARN of a deployed function";
    const message = `--${option} goes with the ARN of a deployed function: kelvin measure ARN --${option}`;
    throw new InvalidInput(option, options[name], allowed, message);
  }
}

/** Throws InvalidInput for options that --memory auto excludes. */
function requireNothingWithAuto({ memory, preset, failOn }: MeasureOptions): void {
  if (memory !== "auto") return;
  if (preset !== "quick") {
    const allowed = "quick with --memory auto, which adds environments while a size is undecided";
    throw new InvalidInput("preset", preset, allowed);
  }
  if (failOn === undefined) return;
  const allowed = "no value with --memory auto: a gate compares functions at sizes that are given";
  throw new InvalidInput("fail-on", failOn, allowed);
}
