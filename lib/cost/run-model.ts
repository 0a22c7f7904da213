import { lambdaCallSpacingMs } from "../contract/call-spacing.ts";
import { driverMemoryMb } from "../contract/driver-memory.ts";

/** What a run takes beside the measured functions, for the estimate. */
export interface RunModel {
  readonly transitions: TransitionModel;
  readonly driver: DriverModel;
  /** From the change that makes a cell cold until it can be invoked, ms; a visit waits it once. */
  readonly forceColdMs: number;
  /** What a visit takes beside its calls and the wait, ms. */
  readonly visitOverheadMs: number;
  /** What a measured call takes beside its billed duration, ms. */
  readonly callOverheadMs: number;
  /** From the start of a call to that of the next one in its environment at least, ms, where the plan does not say it. */
  readonly callSpacingMs: number;
  /** Starting and ending a block, ms. */
  readonly blockOverheadMs: number;
  /** Before an experiment's first block and after its last, ms. */
  readonly experimentOverheadMs: number;
  /** Before the first experiment and after the last, ms. */
  readonly runOverheadMs: number;
}

/**
 * Charged transitions: every state that runs, retries included, and one for each child execution
 * that a distributed Map starts (docs.aws.amazon.com/step-functions/latest/dg/concepts-transitions.html).
 */
export interface TransitionModel {
  /** Start, Plan, Overview, the choice of the end, and the end. */
  readonly base: number;
  /** Seed, Restore, Report, and the Choice that goes on to the next experiment. */
  readonly perExperiment: number;
  /** The Map and the Choice that goes back to it. */
  readonly perBlock: number;
  /** The child's start and its one state; a visit that is handed over, which none should be, has two more. */
  readonly perVisit: number;
  /** Under a stopping rule: the state Precision, and the Choice that it goes back to. */
  readonly perLook: number;
}

/**
 * The Lambda function behind the states; it is billed for as long as a visit lasts. Its architecture
 * follows from the cells, see driverArchitecture in lib/contract.
 */
export interface DriverModel {
  readonly memoryMb: number;
  readonly invocationsPerVisit: number;
}

/**
 * On AWS. Rounded up, so that a run comes out below its estimate rather than above: the driver is
 * taken as billed through the wait for LastUpdateStatus=Successful too, about 3 s.
 */
export const awsRunModel: RunModel = {
  transitions: { base: 5, perExperiment: 4, perBlock: 2, perVisit: 2, perLook: 2 },
  driver: { memoryMb: driverMemoryMb.measure, invocationsPerVisit: 1 },
  forceColdMs: 3000,
  visitOverheadMs: 1000,
  callOverheadMs: 30,
  callSpacingMs: lambdaCallSpacingMs,
  blockOverheadMs: 3000,
  experimentOverheadMs: 10_000,
  runOverheadMs: 5000,
};

/** On one machine: processes, no state machine, nothing that is charged. */
export const localRunModel: RunModel = {
  ...awsRunModel,
  transitions: { base: 0, perExperiment: 0, perBlock: 0, perVisit: 0, perLook: 0 },
  forceColdMs: 100,
  visitOverheadMs: 50,
  callOverheadMs: 2,
  callSpacingMs: 0,
  blockOverheadMs: 0,
  experimentOverheadMs: 5000,
  runOverheadMs: 0,
};
