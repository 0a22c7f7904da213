import type { Estimate, Manifest, StoppingLook } from "../contract/types/contract.ts";
import type { Deployment } from "../plan/deployment.ts";
import type { TrialProgress } from "../sampler/trial-sample.ts";

/** Messages between the states of a run. lib/infra/run-state-machine.ts and run-states.ts write the requests. */

export interface PlanRequest {
  /** Input typed in the console. */
  readonly input: unknown;
  readonly deployment: Deployment;
  /** ARN of the execution that asks. */
  readonly execution: string;
}

/** A cell and the function that it is. */
export interface CellFunction {
  readonly cellId: string;
  readonly functionName: string;
}

/** Facts about the plans that later states need; the plans lie in S3. State is limited to 256 KiB. */
export interface PlannedRun {
  readonly runId: string;
  /** Experiments in the order in which they run; at least one. */
  readonly experiments: readonly PlannedExperiment[];
  readonly lanes: number;
  /** Total of all experiments; absent if the region's prices are not known. */
  readonly estimate?: Estimate;
  readonly warnings: readonly string[];
}

export interface PlannedExperiment {
  readonly experiment: string;
  /** Folder of all its files, below runs/. */
  readonly folder: string;
  readonly seed: SeedRequest;
  readonly cells: readonly CellFunction[];
  /** Cells of each block in the order of their trials, as indices into `cells`. */
  readonly order: readonly (readonly number[])[];
  /** Blocks that are measured before anything is asked: without a stopping rule all. */
  readonly blockCount: number;
  /** There is a stopping rule: how it goes on is asked of the state Precision. */
  readonly isUntilPrecise?: true;
}

/** Asks for a StoppingLook. */
export interface PrecisionRequest {
  readonly folder: string;
  /** Measured so far. */
  readonly blocks: number;
}

export interface SeedRequest {
  readonly experiment: string;
  readonly tableName?: string;
  readonly bucketName?: string;
}

export interface TryRequest {
  /** The experiment's, below runs/. */
  readonly folder: string;
  readonly cells: readonly CellFunction[];
}

export interface FirstBlockRequest {
  readonly folder: string;
}

export interface MeasureRequest extends CellFunction {
  /** The experiment's, below runs/. */
  readonly folder: string;
  readonly block: number;
  /** ARN of the run's execution, not of the child that asks. */
  readonly execution: string;
  /** Number of redrives of the trial; each starts it anew. @default 0 */
  readonly redrives?: number;
  /** Progress of another driver that stopped, and after how many it did. If absent, the trial begins. */
  readonly progress?: TrialProgress & { readonly redrives?: number };
}

/** A trial whose driver failed: Step Functions' Error and Cause. */
export interface RecordFailureRequest {
  readonly folder: string;
  readonly cellId: string;
  readonly block: number;
  readonly error: string;
  readonly cause: string;
}

/** The name of Restore's own error, which Step Functions passes on: nothing is left to measure then. */
export const notRestoredName = "NotRestored";

export interface RestoreRequest {
  /** ARN of the execution that asks. */
  readonly execution: string;
  readonly functionNames: readonly string[];
}

export interface ReportRequest {
  readonly folder: string;
  readonly cells: readonly CellFunction[];
  /** The last of the state Precision; empty where it was not asked. */
  readonly look: Partial<StoppingLook>;
  /** Empty when nothing failed. */
  readonly failure: { readonly error?: string; readonly cause?: string };
}

export interface OverviewRequest {
  readonly runId: string;
  readonly experiments: readonly Pick<PlannedExperiment, "experiment" | "folder">[];
  /** The experiments that did not come to their end as planned. */
  readonly failures: readonly FailedExperiment[];
  /** Warnings of the state Plan. */
  readonly warnings: readonly string[];
  /** The command that fetches a run, without its id. */
  readonly fetchCommand: string;
}

interface FailedExperiment {
  readonly experiment: string;
  readonly error: string;
  /** Explanation for people to read. */
  readonly cause: string;
}

export interface RunOutcome {
  readonly status: "complete" | "partial";
  /** Counts of all experiments together. */
  readonly counts: Pick<Manifest["counts"], "planned" | "recorded" | "kept" | "rejected">;
  /** The same in words. */
  readonly samples: string;
  /** First failure; absent if nothing failed. */
  readonly firstError?: string;
}

/** The output of an execution, for whoever looks at it in the console. */
export interface ReportedRun extends RunOutcome {
  readonly runId: string;
  /** The first screen of the report, line by line. */
  readonly headline: readonly string[];
  readonly warnings: readonly string[];
  /** The page of report.html in the console of S3; absent where there is no report. */
  readonly report?: string;
  /** The command that downloads the run. */
  readonly fetch: string;
  /** Address by file name. */
  readonly files: Readonly<Record<string, string>>;
}
