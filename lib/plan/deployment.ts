import type { Cell } from "../contract/types/contract.ts";
import type { Preset } from "./experiment.ts";

/** Name of Kelvin's stack in an account and region; measuring a function by its ARN uses a stack of its own. */
export const usualStackName = "Kelvin";

/** The stack's contents, as the state machine knows them. */
export interface Deployment {
  /** The preset of a run that names none. */
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
   * ExperimentProtocol of a user's functions as JSON, since no catalogue has them. Text, since the state
   * machine would evaluate a user's string that looks like one of its expressions.
   */
  readonly protocol?: string;
  readonly tableName?: string;
  readonly bucketName?: string;
  /** Parts requested at deploy but not deployed, for the reader. Absent: nothing is missing. */
  readonly leftOut?: readonly string[];
}
