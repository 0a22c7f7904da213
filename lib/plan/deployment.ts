import type { Cell } from "../contract/types/contract.ts";
import type { Preset } from "./experiment.ts";

/** The stack that Kelvin has in an account and region; one that measures a function by its ARN has its own. */
export const usualStackName = "Kelvin";

/** What stands in the stack, as the state machine knows it. */
export interface Deployment {
  /** What a run takes that does not say. */
  readonly preset: Preset;
  /**
   * A price table as JSON, of the region that the stack is in. Text, since the state machine evaluates strings.
   * Absent: Kelvin's own.
   */
  readonly prices?: string;
  readonly experiments: Readonly<Record<string, DeployedExperiment>>;
}

export interface DeployedExperiment {
  readonly cells: readonly Cell[];
  /** Function name by cell id. */
  readonly functions: Readonly<Record<string, string>>;
  /**
   * Of a user's functions, which no catalogue has: their ExperimentProtocol as JSON. Text, since the state
   * machine would evaluate a string of the user's that looks like one of its expressions.
   */
  readonly protocol?: string;
  readonly tableName?: string;
  readonly bucketName?: string;
  /** What was asked for at deploy and is not there, for the reader. Absent: nothing. */
  readonly leftOut?: readonly string[];
}
