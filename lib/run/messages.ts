import type { Estimate, Manifest, StoppingLook } from "../contract/types/contract.ts";
import type { Deployment } from "../plan/deployment.ts";
import type { TrialProgress } from "../sampler/trial-sample.ts";

/** Messages between the states of a run. lib/infra/run-state-machine.ts and run-states.ts create the requests. */

export interface PlanRequest {
  /** Input from the console. */
  readonly input: unknown;
  readonly deployment: Deployment;
  /** ARN of the execution that sends the request. */
  readonly execution: string;
}

/** A cell and its function. */
export interface CellFunction {
  readonly cellId: string;
  readonly functionName: string;
}

/** Facts about the plans that later states need. The plans themselves are in S3: state is limited to 256 KiB. */
export interface PlannedRun {
  readonly runId: string;
  /** Experiments in their order; at least one. */
  readonly experiments: readonly PlannedExperiment[];
  readonly lanes: number;
  readonly costs: RunCosts;
  /** Total of all experiments; absent if the region's prices are not known. */
  readonly estimate?: Estimate;
  readonly warnings: readonly string[];
}

/** The costs of a run that do not depend on how long its calls take; 0 if their prices are not known. */
export interface RunCosts {
  /** The cap. Absent if the input has none. */
  readonly maxCostUsd?: number;
  /** Cost of the states before and after the trials. */
  readonly onceUsd: number;
  /** Cost of a trial without its calls and drivers: its states, requests and logs. */
  readonly trialUsd: number;
  /** Cost of the dearest call, and of its driver, if it takes until its timeout. */
  readonly longestCallUsd: number;
}

export interface PlannedExperiment {
  readonly experiment: string;
  /** Folder of the experiment's files, below runs/. */
  readonly folder: string;
  readonly seed: SeedRequest;
  readonly cells: readonly CellFunction[];
  /** Cells of each block in the order of their trials, as indices into `cells`. */
  readonly order: readonly (readonly number[])[];
  /** Number of blocks, from the first, that are measured in the inline Map. */
  readonly inlineBlocks: number;
  /** Number of blocks to measure before the first look; all without a stopping rule. */
  readonly blockCount: number;
  /** True if there is a stopping rule: the state Precision then decides how the run continues. */
  readonly isUntilPrecise?: true;
}

/** Requests a StoppingLook. */
export interface PrecisionRequest {
  readonly folder: string;
  /** Number of blocks measured so far. */
  readonly blocks: number;
  /** Whether the run's cap allows no further block. */
  readonly isSpent: boolean;
}

export interface SeedRequest {
  readonly experiment: string;
  readonly tableName?: string;
  readonly bucketName?: string;
}

/** What a trial, or the calls before the trials, may cost. */
export interface Allowance {
  /** Absent without a cap. */
  readonly limitUsd?: number;
  /** trialUsd of RunCosts. @default 0 */
  readonly fixedUsd?: number;
}

export interface TryRequest {
  /** The experiment's folder, below runs/. */
  readonly folder: string;
  /** ARN of the run's execution. */
  readonly execution: string;
  readonly cells: readonly CellFunction[];
  readonly allowance?: Allowance;
}

export interface TriedFunctions {
  readonly tried: number;
  /** Cost of the calls and of their driver; 0 if their prices are not known. */
  readonly costUsd: number;
  /** Cost of a trial of each cell that makes only these calls, by its id; 1 if the prices are not known. */
  readonly cellsUsd: Readonly<Record<string, number>>;
}

export interface FirstBlockRequest {
  readonly folder: string;
}

export interface MeasureRequest extends CellFunction {
  /** The experiment's folder, below runs/. */
  readonly folder: string;
  readonly block: number;
  /** ARN of the run's execution, not of the child execution that sends the request. */
  readonly execution: string;
  readonly allowance?: Allowance;
  /** Number of redrives of the trial; each starts it anew. @default 0 */
  readonly redrives?: number;
  /** Progress of the driver that stopped, the number of redrives before it, and its cost. Absent: the trial starts. */
  readonly progress?: TrialProgress & { readonly redrives?: number; readonly spentUsd?: number };
}

export interface MeasuredTrial {
  readonly cellId: string;
  /** Cost of the trial; 0 if the prices are not known. */
  readonly costUsd: number;
}

/** Type of a trial's failure whose share of the run's cap was spent. */
export const costCapReached = "CostCapReached";

/** A trial whose driver failed, with the Error and Cause of Step Functions. */
export interface RecordFailureRequest {
  readonly folder: string;
  readonly cellId: string;
  readonly block: number;
  readonly error: string;
  readonly cause: string;
}

/** Name of the error of the state Restore, which Step Functions passes on: the run measures nothing more after it. */
export const notRestoredName = "NotRestored";

export interface RestoreRequest {
  /** ARN of the execution that sends the request. */
  readonly execution: string;
  readonly functionNames: readonly string[];
}

export interface ReportRequest {
  readonly folder: string;
  readonly cells: readonly CellFunction[];
  /** The last look of the state Precision; empty without one. */
  readonly look: Partial<StoppingLook>;
  /** Empty if nothing failed. */
  readonly failure: { readonly error?: string; readonly cause?: string };
  /** The cap and the number of measured blocks if that ended it early; otherwise empty. */
  readonly cap: { readonly maxCostUsd?: number; readonly blocks?: number };
  /** What the run has cost so far. */
  readonly spentUsd: number;
}

export interface OverviewRequest {
  readonly runId: string;
  readonly experiments: readonly Pick<PlannedExperiment, "experiment" | "folder">[];
  /** Experiments that did not end as planned. */
  readonly failures: readonly FailedExperiment[];
  /** Warnings of the state Plan. */
  readonly warnings: readonly string[];
  /** The command that fetches a run, without its id. */
  readonly fetchCommand: string;
}

interface FailedExperiment {
  readonly experiment: string;
  readonly error: string;
  /** Explanation for the user. */
  readonly cause: string;
}

export interface RunOutcome {
  readonly status: "complete" | "partial";
  /** Counts of all experiments together. */
  readonly counts: Pick<Manifest["counts"], "planned" | "recorded" | "kept" | "rejected">;
  /** The counts in words. */
  readonly samples: string;
  /** First failure; absent if nothing failed. */
  readonly firstError?: string;
}

/** The output of an execution, shown in the console. */
export interface ReportedRun extends RunOutcome {
  readonly runId: string;
  /** The first screen of the report, line by line. */
  readonly headline: readonly string[];
  readonly warnings: readonly string[];
  /** URL of report.html in the S3 console; absent without a report. */
  readonly report?: string;
  /** The command that downloads the run. */
  readonly fetch: string;
  /** Address by file name. */
  readonly files: Readonly<Record<string, string>>;
}
