import type { Cell, Plan, Trial } from "../contract/types/contract.ts";
import { driverMemoryMb } from "../plan/driver-size.ts";
import {
  lambdaCallSpacingMs,
  listTrialCalls,
  listWarmOperations,
  updateSlotMs,
} from "../plan/trial-calls.ts";
import { choosePrior, type DurationPriors } from "./duration-priors.ts";
import { invocationCostUsd } from "./invocation-cost.ts";
import type { LambdaPrice } from "./prices.ts";

/** A run's overhead in addition to the measured functions, for the estimate. */
export interface RunModel {
  readonly transitions: TransitionModel;
  readonly driver: DriverModel;
  /** Time from the update that forces a cell cold until it can be invoked, ms; once per trial. */
  readonly forceColdMs: number;
  /** Time of a trial in addition to its calls and forceColdMs, ms. */
  readonly trialOverheadMs: number;
  /** Time that a trial of a user's function waits for its log at the end, ms: lib/aws/log-telemetry.ts. */
  readonly logStreamsMs: number;
  /** Time of a measured call in addition to its billed duration, ms. */
  readonly callOverheadMs: number;
  /** Minimum time between the starts of two calls in an environment, ms, unless the plan sets it. */
  readonly callSpacingMs: number;
  /** The same for operations that need more time before each call. @default callSpacingMs for all */
  readonly operationSpacingMs?: Plan["operationSpacingMs"];
  /** Time between the starts of the updates that force a block's first trials cold, ms. */
  readonly updateSlotMs: number;
  /** Mean idle time of an environment between two calls, ms. */
  readonly idleMs: number;
  /** Number of environments that are called in turn meanwhile, including the idle one. */
  readonly alive: number;
  /** Time to start and end the calls before an experiment's first block, and to check that block, ms. */
  readonly tryOverheadMs: number;
  /** Time to start and end a block, ms. */
  readonly blockOverheadMs: number;
  /** Additional time of a block in a distributed Map, ms. */
  readonly distributedMs: number;
  /** Time before an experiment's first block and after its last, ms. */
  readonly experimentOverheadMs: number;
  /** Time before the first experiment and after the last, ms. */
  readonly runOverheadMs: number;
}

/**
 * Charged transitions: each state that runs, including retries, and one for each child execution that a distributed
 * Map starts (docs.aws.amazon.com/step-functions/latest/dg/concepts-transitions.html).
 */
interface TransitionModel {
  /** Transitions per run: Start, Plan, Overview, the Choice of the end, and the end. */
  readonly base: number;
  /** Seed, Try functions and First block with their Choice, Restore, Report, and the Choice of the next experiment. */
  readonly perExperiment: number;
  /** The Map and the Choice that returns to it. */
  readonly perBlock: number;
  /** Its only state; a trial that is handed over, which none should be, has two more. */
  readonly perTrial: number;
  /** The start of a distributed Map's child, which is one trial. */
  readonly perChild: number;
  /** The state Precision of a stopping rule, and the Choice that it returns to. */
  readonly perLook: number;
}

/**
 * The Lambda function that makes a trial; it is billed for as long as the trial lasts. Its architecture follows from
 * the cells, see driverArchitecture in lib/plan.
 */
interface DriverModel {
  readonly memoryMb: number;
  readonly invocationsPerTrial: number;
}

/**
 * Overhead on AWS, rounded up, so that a run tends to end below its estimate: the driver counts as billed also while
 * it waits for LastUpdateStatus=Successful, about 3 s.
 */
export const awsRunModel: RunModel = {
  transitions: { base: 5, perExperiment: 8, perBlock: 2, perTrial: 1, perChild: 1, perLook: 2 },
  driver: { memoryMb: driverMemoryMb.measure, invocationsPerTrial: 1 },
  forceColdMs: 3000,
  trialOverheadMs: 1000,
  logStreamsMs: 8000,
  callOverheadMs: 30,
  callSpacingMs: lambdaCallSpacingMs,
  updateSlotMs,
  idleMs: 0,
  alive: 1,
  tryOverheadMs: 5000,
  blockOverheadMs: 3000,
  // 8 s for a distributed Map, as over 7 s were measured for trivial items:
  // https://repost.aws/questions/QUn5oKgcnjRTemt39V9hdtyw/why-is-step-function-s-distributed-map-slow
  distributedMs: 5000,
  experimentOverheadMs: 10_000,
  runOverheadMs: 5000,
};

/** Overhead of a local run: processes, no state machine, no charges. */
export const localRunModel: RunModel = {
  ...awsRunModel,
  transitions: { base: 0, perExperiment: 0, perBlock: 0, perTrial: 0, perChild: 0, perLook: 0 },
  forceColdMs: 100,
  trialOverheadMs: 50,
  logStreamsMs: 0,
  callOverheadMs: 2,
  callSpacingMs: 0,
  updateSlotMs: 0,
  tryOverheadMs: 0,
  blockOverheadMs: 0,
  distributedMs: 0,
  experimentOverheadMs: 5000,
  runOverheadMs: 0,
};

/** A plan's trials, block by block. */
export interface Forecast {
  readonly plan: Plan;
  /** The calls on AWS before the blocks: one per cell and event, none of which is a sample. */
  readonly tries: readonly TrialForecast[];
  readonly blocks: readonly (readonly TrialForecast[])[];
  /** Number of blocks, from the first, in the inline Map. */
  readonly inlineBlocks: number;
}

/** Expected billed durations of a trial's calls. Trials that make the same calls share one forecast. */
export interface TrialForecast {
  readonly cell: Cell;
  /** The measured calls. */
  readonly calls: readonly ForecastCalls[];
  /** The call on AWS that asks an environment of a Kelvin function to describe itself at the end; not a sample. */
  readonly description?: ForecastCalls;
}

/** Calls with the same billed duration. */
interface ForecastCalls {
  readonly count: number;
  readonly operation: string;
  readonly billedDurationMs: number;
}

/** Returns the calls of a plan's functions before its first block; none if the target is not AWS. */
export function forecastTries(plan: Plan, priors: DurationPriors): readonly TrialForecast[] {
  if (plan.target !== "aws") return [];
  return plan.cells.map((cell): TrialForecast => {
    const warmOrder = listWarmOperations(plan, cell.variant).filter(
      (operation) => operation !== plan.coldOperation,
    );
    const [cold, , ...warm] = forecastCalls(plan, { warmOrder }, cell, priors);
    const once = [...(cold === undefined ? [] : [cold]), ...warm];
    return { cell, calls: once.map((calls) => ({ ...calls, count: 1 })) };
  });
}

/** A description reads one file, which takes a few milliseconds at the smallest memory size. */
const descriptionMs = 5;

/**
 * Returns the trials of a plan, block by block: one cold and one second call each, then the warm calls of every
 * operation in its order; on AWS also the call that describes an environment of Kelvin's functions. No call bills
 * more than the function's timeout. Throws RangeError on a trial of a cell that is not in the plan.
 */
export function forecastTrials(plan: Plan, priors: DurationPriors): readonly TrialForecast[][] {
  const cells = new Map(plan.cells.map((cell) => [cell.id, cell]));
  const known = new Map<string, TrialForecast>();
  const forecast = (trial: Trial): TrialForecast => {
    const cell = cells.get(trial.cellId);
    if (cell === undefined) throw new RangeError(`trial: no cell ${trial.cellId} in the plan`);
    const calls = forecastCalls(plan, trial, cell, priors);
    const description = { count: 1, operation: "describe", billedDurationMs: descriptionMs };
    const isDescribed = plan.target === "aws" && !plan.ownResults;
    return { cell, calls, ...(isDescribed && { description }) };
  };
  return plan.blocks.map(({ trials }) =>
    trials.map((trial) => {
      const key = `${trial.cellId} ${trial.warmOrder.join(" ")}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const computed = forecast(trial);
      known.set(key, computed);
      return computed;
    }),
  );
}

/** Caches the function's values by forecast: a run has up to a hundred thousand trials, but some hundred forecasts. */
export function oncePerForecast<Value>(
  compute: (trial: TrialForecast) => Value,
): (trial: TrialForecast) => Value {
  const known = new Map<TrialForecast, Value>();
  return (trial) => {
    const found = known.get(trial);
    if (found !== undefined) return found;
    const value = compute(trial);
    known.set(trial, value);
    return value;
  };
}

function forecastCalls(
  plan: Plan,
  trial: Pick<Trial, "warmOrder">,
  cell: Cell,
  priors: DurationPriors,
): readonly ForecastCalls[] {
  const { initMs, firstMs, secondMs, warmMs } = choosePrior(cell, priors);
  const timeoutMs = plan.timeoutSeconds * 1000;
  const durationMs = { cold: initMs + firstMs, second: secondMs, warm: warmMs };
  return listTrialCalls(plan, trial).map(({ phase, operation, calls: count }) => ({
    count,
    operation,
    billedDurationMs: Math.ceil(Math.min(durationMs[phase], timeoutMs)),
  }));
}

/** Returns the number of measured calls, each of which gives a sample. */
export function callCount(trial: TrialForecast): number {
  return countCalls(trial.calls);
}

/** Returns every call of the measured function, including those that are not measured. */
export function allCalls({ calls, description }: TrialForecast): readonly ForecastCalls[] {
  return description === undefined ? calls : [...calls, description];
}

export function countCalls(calls: readonly ForecastCalls[]): number {
  return calls.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the cost of the measured function's calls, USD. */
export function trialCostUsd(trial: TrialForecast, price: LambdaPrice): number {
  const { memoryMb } = trial.cell;
  return allCalls(trial).reduce((sum, { count, billedDurationMs }) => {
    return sum + count * invocationCostUsd({ billedDurationMs, memoryMb }, price);
  }, 0);
}

/** Returns the number of measured calls of each operation. */
export function callsByOperation(trials: readonly TrialForecast[]): ReadonlyMap<string, number> {
  const trialsOf = new Map<TrialForecast, number>();
  for (const trial of trials) trialsOf.set(trial, (trialsOf.get(trial) ?? 0) + 1);
  const calls = new Map<string, number>();
  for (const [trial, times] of trialsOf) {
    for (const { operation, count } of trial.calls) {
      calls.set(operation, (calls.get(operation) ?? 0) + count * times);
    }
  }
  return calls;
}
