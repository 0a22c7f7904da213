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

/** A run's overhead besides the measured functions, for the estimate. */
export interface RunModel {
  readonly transitions: TransitionModel;
  readonly driver: DriverModel;
  /** Time from the update that forces a cell cold until it can be invoked, ms; a trial waits for it once. */
  readonly forceColdMs: number;
  /** Time of a trial besides its calls and that wait, ms. */
  readonly trialOverheadMs: number;
  /** Time that a trial of a user's function then waits for its log, ms: lib/aws/log-telemetry.ts. */
  readonly logStreamsMs: number;
  /** Time of a measured call besides its billed duration, ms. */
  readonly callOverheadMs: number;
  /** Least time between the starts of two calls in an environment, ms, unless the plan sets it. */
  readonly callSpacingMs: number;
  /** The same for operations that need a longer time before each call. @default callSpacingMs before each */
  readonly operationSpacingMs?: Plan["operationSpacingMs"];
  /** Time between the starts of the updates that force a block's first trials cold, ms. */
  readonly updateSlotMs: number;
  /** Mean time that an environment is idle between two calls, ms. */
  readonly idleMs: number;
  /** Environments that are called in turn meanwhile, the idle one included. */
  readonly alive: number;
  /** Time to start and end the calls before an experiment's first block, and to check that block, ms. */
  readonly tryOverheadMs: number;
  /** Time to start and end a block, ms. */
  readonly blockOverheadMs: number;
  /** Time before an experiment's first block and after its last, ms. */
  readonly experimentOverheadMs: number;
  /** Time before the first experiment and after the last, ms. */
  readonly runOverheadMs: number;
}

/**
 * Charged transitions: every state that runs, retries included, and one for each child execution
 * that a distributed Map starts (docs.aws.amazon.com/step-functions/latest/dg/concepts-transitions.html).
 */
interface TransitionModel {
  /** Transitions per run: Start, Plan, Overview, the choice of the end, and the end. */
  readonly base: number;
  /** Seed, Try functions, First block and its Choice, Restore, Report, and the Choice of the next experiment. */
  readonly perExperiment: number;
  /** The Map and the Choice that returns to it. */
  readonly perBlock: number;
  /** The child's start and its one state; a trial that is handed over, which none should be, has two more. */
  readonly perTrial: number;
  /** The state Precision under a stopping rule, and the Choice that it returns to. */
  readonly perLook: number;
}

/**
 * The Lambda function behind the states; it is billed for as long as a trial lasts. Its architecture
 * follows from the cells, see driverArchitecture in lib/contract.
 */
interface DriverModel {
  readonly memoryMb: number;
  readonly invocationsPerTrial: number;
}

/**
 * The model of AWS, rounded up, so that a run comes out below its estimate rather than above: the driver
 * counts as billed during the wait for LastUpdateStatus=Successful too, about 3 s.
 */
export const awsRunModel: RunModel = {
  transitions: { base: 5, perExperiment: 7, perBlock: 2, perTrial: 2, perLook: 2 },
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
  experimentOverheadMs: 10_000,
  runOverheadMs: 5000,
};

/** The model of one machine: processes, no state machine, no charges. */
export const localRunModel: RunModel = {
  ...awsRunModel,
  transitions: { base: 0, perExperiment: 0, perBlock: 0, perTrial: 0, perLook: 0 },
  forceColdMs: 100,
  trialOverheadMs: 50,
  logStreamsMs: 0,
  callOverheadMs: 2,
  callSpacingMs: 0,
  updateSlotMs: 0,
  tryOverheadMs: 0,
  blockOverheadMs: 0,
  experimentOverheadMs: 5000,
  runOverheadMs: 0,
};

/** A plan's trials, block by block. */
export interface Forecast {
  readonly plan: Plan;
  /** The calls on AWS before the blocks: one per cell and event, none of which is a sample. */
  readonly tries: readonly TrialForecast[];
  readonly blocks: readonly (readonly TrialForecast[])[];
}

/** Expected billed durations of a trial's calls. Trials that make the same calls share one. */
export interface TrialForecast {
  readonly cell: Cell;
  /** The measured calls. */
  readonly calls: readonly ForecastCalls[];
  /** The call on AWS after them that asks an environment of Kelvin's to describe itself; it is no sample. */
  readonly description?: ForecastCalls;
}

/** Calls that bill the same. */
interface ForecastCalls {
  readonly count: number;
  readonly operation: string;
  readonly billedDurationMs: number;
}

/** The calls of a plan's functions before its first block; none off AWS. */
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

/** A description reads one file, which takes a few milliseconds at the smallest size. */
const descriptionMs = 5;

/**
 * The trials of a plan, block by block: one cold and one second call each, then the warm calls of
 * every operation in its order; on AWS also the description of an environment of Kelvin's functions. No
 * call bills more than the function's timeout. Throws RangeError on a trial of a cell that is not in the plan.
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
  return plan.blocks.map(({ visits: trials }) =>
    trials.map((trial) => {
      const key = `${trial.cellId} ${trial.warmOrder.join(" ")}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const made = forecast(trial);
      known.set(key, made);
      return made;
    }),
  );
}

/**
 * Memoises the function by forecast: a run has up to a hundred thousand trials, and some hundred
 * forecasts.
 */
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

/** Number of measured calls, each of which gives a sample. */
export function callCount(trial: TrialForecast): number {
  return countCalls(trial.calls);
}

/** Every call of the measured function, whether it is measured or not. */
export function allCalls({ calls, description }: TrialForecast): readonly ForecastCalls[] {
  return description === undefined ? calls : [...calls, description];
}

export function countCalls(calls: readonly ForecastCalls[]): number {
  return calls.reduce((sum, { count }) => sum + count, 0);
}

/** Cost of the measured function's calls, USD. */
export function trialCostUsd(trial: TrialForecast, price: LambdaPrice): number {
  const { memoryMb } = trial.cell;
  return allCalls(trial).reduce((sum, { count, billedDurationMs }) => {
    return sum + count * invocationCostUsd({ billedDurationMs, memoryMb }, price);
  }, 0);
}

/** Number of measured calls of each operation. */
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
