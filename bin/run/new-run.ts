import { randomBytes } from "node:crypto";
import { cpus } from "node:os";
import { join } from "node:path";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type {
  Cell,
  Limit,
  NetworkProfile,
  Plan,
  VerdictRule,
} from "../../lib/contract/types/contract.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { floorCell, type RepresentableCells, representableCells } from "../../lib/local/machine.ts";
import { listOwnServices } from "../../lib/local/own-services.ts";
import { withInstrumentedPart } from "../../lib/plan/expand.ts";
import type { Experiment } from "../../lib/plan/experiment.ts";
import { experimentFolder, newRunId } from "../../lib/plan/run-id.ts";
import type { StoppingChoice } from "../../lib/plan/stopping.ts";
import { localIdleMs } from "../../lib/plan/trial-calls.ts";
import {
  expandChoice,
  type RunChoices,
  type RunOptions,
  runChoices,
  type SizeChoice,
} from "../../lib/run/run-choice.ts";
import type { CostOptions } from "./cost-basis.ts";
import { newRunFolder } from "./run-folder.ts";
import type { StoredRun } from "./stored-run.ts";

/** The options of a plan, besides what is to run. */
interface PlanOptions {
  readonly out?: string;
  /** @default drawn at random */
  readonly seed?: number;
  readonly instructions?: true;
  readonly network?: NetworkProfile;
  /** Time that an environment is idle before each call but the first, ms. @default localIdleMs */
  readonly idle?: number;
  /** The rule for verdicts. @default the usual rule */
  readonly verdicts?: VerdictRule;
  /** Limits that the functions must stay below. @default none */
  readonly limits?: readonly Limit[];
}

interface NewRunOptions extends RunOptions, PlanOptions {}

/** A run that has not started. Nothing is written yet. */
export interface NewRun extends StoredRun {
  /** Requested experiments that do not run, each with the reason. */
  readonly leftOut: readonly string[];
}

/** An experiment with those of its chosen cells that this machine can represent. */
interface Represented extends RepresentableCells {
  readonly experiment: Experiment;
}

/** Plans a run of experiments in the catalogue, and picks the folder for its files. */
export function newRun(options: NewRunOptions): NewRun {
  return newRunOf(runChoices(options, [floorCell.architecture]), options);
}

export function drawSeed(): number {
  return randomBytes(4).readUInt32LE();
}

/** Plans a run, and picks the folder for its files. */
export function newRunOf(choices: RunChoices, options: PlanOptions): NewRun {
  const { leftOut } = choices;
  const { represented, tooLarge } = representedOn(choices, cpus().length);
  const ids = represented.map(({ experiment }) => experiment.id);
  const { seed = drawSeed() } = options;
  const run = { ...newRunName(), seed };
  const { runId } = run;
  const directory = newRunFolder(options.out, runId);
  const planned = represented.map((each) => {
    const folder = experimentFolder(each.experiment.id, ids);
    const plan = makePlan(each, choices, options, { ...run, isMultiExperiment: ids.length > 1 });
    return { folder, plan, store: new DiskResultStore(join(directory, folder)) };
  });
  return {
    runId,
    store: new DiskResultStore(directory),
    experiments: planned,
    leftOut: [...leftOut, ...tooLarge],
  };
}

function makePlan(
  { experiment, cells, leftOut }: Represented,
  sizes: SizeChoice,
  options: PlanOptions,
  { isMultiExperiment, ...name }: NamedRun,
): Plan {
  const run = { ...name, target: "local", lanes: 1 } as const;
  // If there are several experiments, --network applies only to those that call a service.
  const requested = isMultiExperiment && !callsService(experiment) ? undefined : options.network;
  const network = networkChoice(experiment, requested);
  const idleMs = options.idle ?? localIdleMs;
  const expanded = {
    ...expandChoice({ experiment, cells }, sizes, run),
    ...defined({ network, verdicts: options.verdicts, limits: options.limits?.slice() }),
    ...(idleMs > 0 && { idleMs }),
  };
  const timed = leftOut.length === 0 ? expanded : { ...expanded, leftOut: [...leftOut] };
  return options.instructions === true ? withInstrumentedPart(timed) : timed;
}

/** Leaves out experiments that the machine is too small for, with the reason. Throws if none remains. */
function representedOn(
  { experiments, stopping }: RunChoices,
  machineCpus: number,
): { readonly represented: readonly Represented[]; readonly tooLarge: readonly string[] } {
  const represented: Represented[] = [];
  const tooLarge: string[] = [];
  let refusal: InvalidInput | undefined;
  for (const { experiment, cells } of experiments) {
    const planned = plannedCells(stopping, cells);
    try {
      represented.push({ experiment, ...representableCells(planned, machineCpus) });
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      refusal ??= error;
      tooLarge.push(`${experiment.id} is left out: ${error.message}`);
    }
  }
  if (represented.length === 0 && refusal !== undefined) throw refusal;
  return { represented, tooLarge };
}

/** Drops the A/A pair if sizes are chosen: here its two sides are the same files, and its calls are extra. */
function plannedCells(
  stopping: StoppingChoice | undefined,
  cells: readonly Cell[],
): readonly Cell[] {
  if (stopping?.sizeChoice === undefined) return cells;
  return cells.filter(({ replicaOf }) => replicaOf === undefined);
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

interface NamedRun extends RunName {
  readonly seed: number;
  readonly isMultiExperiment: boolean;
}

/** Returns the name of a run that starts now. */
export function newRunName(): RunName {
  const createdAt = new Date().toISOString();
  return { createdAt, runId: newRunId(createdAt, randomBytes(3).toString("hex")) };
}

function callsService({ table, bucket, ownServices }: Experiment): boolean {
  return table !== undefined || bucket !== undefined || listOwnServices(ownServices).length > 0;
}

/**
 * Returns the network between functions and their service: the one given, else the experiment's own, whose connection
 * time also applies if none is given. Undefined if there is none. Throws InvalidInput.
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

/** Describes the network for a run's first lines and its report. */
export function networkText(profile: NetworkProfile, seed: number): string {
  const { delayMs, jitterMs, connectMs = 0 } = profile;
  const jitter = jitterMs === 0 ? "" : `, give or take up to ${jitterMs} ms drawn by seed ${seed}`;
  const connections =
    connectMs === 0 ? "connections are not delayed" : `${connectMs} ms to open a connection`;
  return `${delayMs} ms a request${jitter}; ${connections}`;
}
