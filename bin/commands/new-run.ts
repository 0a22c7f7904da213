import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type {
  Cell,
  Limit,
  NetworkProfile,
  Plan,
  VerdictRule,
} from "../../lib/contract/types/contract.ts";
import { removeUnfinished, requirePlainFolder } from "../../lib/files/plain-file.ts";
import { unfinishedName } from "../../lib/files/replace-file.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { floorCell, type RepresentableCells, representableCells } from "../../lib/local/machine.ts";
import { listOwnServices } from "../../lib/local/own-services.ts";
import { lockName, lockRun } from "../../lib/local/run-lock.ts";
import { expand, withInstrumentedPart } from "../../lib/plan/expand.ts";
import type { Experiment } from "../../lib/plan/experiment.ts";
import { matrix } from "../../lib/plan/matrix.ts";
import { experimentFolder, newRunId } from "../../lib/plan/run-id.ts";
import { mostSamples } from "../../lib/plan/stopping.ts";
import { localIdleMs } from "../../lib/plan/trial-calls.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { Progress } from "../progress.ts";
import type { CostOptions } from "./cost-basis.ts";
import {
  type ExperimentChoice,
  type RunChoices,
  type RunOptions,
  runChoices,
} from "./run-choice.ts";
import { experimentFolders, requireFolder, type StoredRun } from "./stored-run.ts";

/** The options of a plan, besides what is to run. */
interface PlanOptions {
  readonly out?: string;
  readonly instructions?: true;
  readonly network?: NetworkProfile;
  /** Time that an environment is idle before each call but the first, ms. @default localIdleMs */
  readonly idle?: number;
  /** The rule for calling a difference. @default the usual rule */
  readonly verdicts?: VerdictRule;
  /** The limits that functions are to stay below. @default nothing */
  readonly limits?: readonly Limit[];
}

interface NewRunOptions extends RunOptions, PlanOptions {}

/** A run that has not started: nothing of it is written yet. */
export interface NewRun extends StoredRun {
  /** Experiments that were asked for and do not run, each with the reason. */
  readonly leftOut: readonly string[];
}

/** A choice, and those of its cells that this machine can represent. */
interface Represented extends RepresentableCells {
  readonly choice: ExperimentChoice;
}

/** The plans of a run of experiments in the catalogue, and the folder for its files. */
export function newRun(words: NewRunOptions): NewRun {
  return newRunOf(runChoices(words, drawSeed()), words);
}

export function drawSeed(): number {
  return randomBytes(4).readUInt32LE();
}

/** The plans of a run, and the folder for its files. */
export function newRunOf(choices: RunChoices, words: PlanOptions): NewRun {
  const { experiments, leftOut } = choices;
  const { represented, without } = representedOn(experiments, cpus().length);
  const ids = represented.map(({ choice }) => choice.experiment.id);
  const name = newRunName();
  const { runId } = name;
  const directory = newRunFolder(words.out, runId);
  const planned = represented.map((each) => {
    const folder = experimentFolder(each.choice.experiment.id, ids);
    const plan = makePlan(each, words, name, ids.length > 1);
    return { folder, plan, store: new DiskResultStore(join(directory, folder)) };
  });
  return {
    runId,
    store: new DiskResultStore(directory),
    experiments: planned,
    leftOut: [...leftOut, ...without],
  };
}

function makePlan(
  { choice, cells, leftOut }: Represented,
  words: PlanOptions,
  run: RunName,
  isMultiExperiment: boolean,
): Plan {
  const { experiment } = choice;
  // If there are several experiments, --network applies only to those that call a service.
  const asked = isMultiExperiment && !callsService(experiment) ? undefined : words.network;
  const network = networkChoice(experiment, asked);
  const idleMs = words.idle ?? localIdleMs;
  const expanded = {
    ...expand(experiment, cells, { ...choice, ...run, target: "local", lanes: 1 }),
    ...(network !== undefined && { network }),
    ...(idleMs > 0 && { idleMs }),
    ...(words.verdicts !== undefined && { verdicts: words.verdicts }),
    ...(words.limits !== undefined && { limits: [...words.limits] }),
  };
  const timed = leftOut.length === 0 ? expanded : { ...expanded, leftOut: [...leftOut] };
  return words.instructions === true ? withInstrumentedPart(timed) : timed;
}

/** Leaves out, with the reason, one of several experiments that the machine is too small for. */
function representedOn(
  choices: readonly ExperimentChoice[],
  machineCpus: number,
): { readonly represented: readonly Represented[]; readonly without: readonly string[] } {
  const represented: Represented[] = [];
  const without: string[] = [];
  let refusal: InvalidInput | undefined;
  for (const choice of choices) {
    const wanted = { ...choice, architectures: [floorCell.architecture] };
    const cells = plannedCells(choice, matrix(choice.experiment, wanted));
    try {
      represented.push({ choice, ...representableCells(cells, machineCpus) });
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      refusal ??= error;
      without.push(`${choice.experiment.id} is left out: ${error.message}`);
    }
  }
  if (represented.length === 0 && refusal !== undefined) throw refusal;
  return { represented, without };
}

/** Drops the A/A pair if sizes are chosen: here its two sides are the same files, and its calls are extra. */
function plannedCells({ stopping }: ExperimentChoice, cells: readonly Cell[]): readonly Cell[] {
  if (stopping?.sizeChoice === undefined) return cells;
  return cells.filter(({ twinOf }) => twinOf === undefined);
}

/** The options of `kelvin local`. */
export interface LocalOptions extends NewRunOptions, CostOptions {
  readonly resume?: string;
  readonly json?: true;
  readonly plainHttp?: true;
  readonly waitForQuiet?: true;
  readonly verbose?: true;
}

interface RunName {
  readonly runId: string;
  readonly createdAt: string;
}

/** The name of a run that starts now. */
export function newRunName(): RunName {
  const createdAt = new Date().toISOString();
  return { createdAt, runId: newRunId(createdAt, randomBytes(3).toString("hex")) };
}

/** The folder for a run's files; throws InvalidInput if it holds a run already. Nothing is written yet. */
export function newRunFolder(out: string | undefined, runId: string): string {
  const directory = resolve(out ?? join(projectPaths.runs, runId));
  requireFolder("out", directory);
  requirePlainFolder(directory);
  requireNoRun(out, directory);
  return directory;
}

/** Throws InvalidInput if the folder holds a run. */
function requireNoRun(out: string | undefined, directory: string): void {
  if (experimentFolders(directory).length === 0) return;
  throw new InvalidInput(
    "out",
    out,
    "a folder that holds no run yet, or --resume to continue that run",
  );
}

function callsService({ table, bucket, ownServices }: Experiment): boolean {
  return table !== undefined || bucket !== undefined || listOwnServices(ownServices).length > 0;
}

/**
 * The network between functions and their service: the one given, else the experiment's own, whose
 * connections are kept if none were given; undefined if there is none. Throws InvalidInput.
 */
export function networkChoice(
  experiment: Experiment,
  asked: NetworkProfile | undefined,
): NetworkProfile | undefined {
  const own = experiment.localNetwork;
  if (asked === undefined) return own;
  if (!callsService(experiment)) {
    throw new InvalidInput(
      "network",
      asked,
      `no value for ${experiment.id}, whose functions call no service`,
    );
  }
  const { delayMs, connectMs = own?.connectMs ?? 0 } = asked;
  return delayMs === 0 ? undefined : { ...asked, connectMs };
}

/** Network description for a run's first lines and its report. */
export function networkText(profile: NetworkProfile, seed: number): string {
  const { delayMs, jitterMs, connectMs = 0 } = profile;
  const jitter = jitterMs === 0 ? "" : `, give or take up to ${jitterMs} ms drawn by seed ${seed}`;
  const connections =
    connectMs === 0 ? "connections are not delayed" : `${connectMs} ms to open a connection`;
  return `${delayMs} ms a request${jitter}; ${connections}`;
}

/** A folder to write to, and the option that named it. */
interface ChosenFolder {
  readonly option: "out" | "resume";
  readonly directory: string;
}

/** The amount to be written, and its description. */
export interface NeededSpace {
  readonly bytes: number;
  /** Description of the files: "198 samples and their report". */
  readonly what: string;
}

/** A sample's line is some 900 bytes long; the reports add a few MB. */
const bytesPerSample = 1500;
const reportsBytes = 16 * 1024 * 1024;

export function spaceOfPlans(plans: readonly Plan[]): NeededSpace {
  return spaceOfSamples(plans.reduce((sum, plan) => sum + mostSamples(plan), 0));
}

export function spaceOfSamples(samples: number): NeededSpace {
  const bytes = samples * bytesPerSample + reportsBytes;
  return { bytes, what: `${samples} samples and their report` };
}

/** Free bytes on the file system of a folder. */
type FreeBytes = (directory: string) => number;

/**
 * Throws InvalidInput, before any work is done, if the folder is not writable or lacks the space. A folder
 * that does not exist yet is not created: the one that will contain it is tried.
 */
export function requireWritable(
  { option, directory }: ChosenFolder,
  { bytes, what }: NeededSpace,
  freeBytes: FreeBytes = readFreeBytes,
): void {
  const existing = nearestExisting(resolve(directory));
  const probe = unfinishedName(join(existing, "probe"));
  try {
    writeFileSync(probe, "", { flag: "wx" });
    rmSync(probe);
  } catch (error) {
    const allowed = `a folder that can be written to (${describeError(error).message})`;
    throw new InvalidInput(option, directory, allowed);
  }
  const neededMb = megabytes(bytes);
  const freeMb = Math.floor(freeBytes(existing) / 1024 / 1024);
  if (freeMb >= neededMb) return;
  const allowed = `a folder with ${neededMb} MB free for ${what}; it has ${freeMb} MB`;
  throw new InvalidInput(option, directory, allowed);
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

function readFreeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}

/**
 * Does the work as the only process that writes to the folder, which has the space for the plans; reports
 * a lock that a dead process left, and removes its unfinished files. A folder that is empty at the end is removed.
 */
export async function whileLocked<Result>(
  { option, directory }: ChosenFolder,
  plans: readonly Plan[],
  work: () => Promise<Result>,
): Promise<Result> {
  requireWritable({ option, directory }, spaceOfPlans(plans));
  mkdirSync(directory, { recursive: true });
  const { release, takenOverFrom } = lockRun(option, directory);
  // A second Ctrl-C ends the process at once.
  process.once("exit", release);
  try {
    if (takenOverFrom !== undefined) {
      const { pid, since } = takenOverFrom;
      new Progress().say(
        `${lockName}: taken over from process ${pid} (started ${since}), which is gone`,
      );
    }
    // Another process may have started a run there since the check.
    if (option === "out") requireNoRun(directory, directory);
    removeUnfinished(directory);
    return await work();
  } finally {
    process.off("exit", release);
    release();
    removeEmpty(directory);
  }
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // The folder holds the run.
  }
}
