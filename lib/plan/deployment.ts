import type { Cell } from "../contract/types/contract.ts";
import { driverMemoryMb } from "./driver-size.ts";
import type { Preset } from "./experiment.ts";

/** Default name of Kelvin's stack in an account and region; a function measured by its ARN has a separate stack. */
export const usualStackName = "Kelvin";

/**
 * Returns whether CloudFormation accepts the name for a stack:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cfn-using-console-create-stack-parameters.html
 */
export function isStackName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(text);
}

/** Returns the prefix below which the CDK uploads what a stack is deployed from: in a bucket that others share. */
export function uploadPrefix(stack: string): string {
  return `kelvin/${stack}/`;
}

/**
 * Functions that CloudFormation creates at the same time. A creation makes about four of the 15 control-plane requests
 * a second that Lambda accepts from all clients of an account.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html#api-requests
 */
export const functionsAtOnce = 10;

/** Returns how long CloudFormation takes at most: 8 s per function, and 2 minutes for all else. */
export function deployMinutes(measuredFunctions: number): number {
  const functions = measuredFunctions + Object.keys(driverMemoryMb).length;
  return 2 + (Math.ceil(functions / functionsAtOnce) * 8) / 60;
}

/** Key of a stack's lock in its bucket. It is not under runs/, so that it is not listed as a run. */
export const runLockKey = "lock.json";

/** The stack's contents, as passed to the state machine. */
export interface Deployment {
  /** The default preset of a run. */
  readonly preset: Preset;
  /** Price table of the stack's region, as JSON text: the state machine evaluates strings. Default: Kelvin's own. */
  readonly prices?: string;
  readonly experiments: Readonly<Record<string, DeployedExperiment>>;
}

export interface DeployedExperiment {
  readonly cells: readonly Cell[];
  /** Function name by cell id. */
  readonly functions: Readonly<Record<string, string>>;
  /**
   * ExperimentProtocol of a user's functions, which are in no catalogue. It is JSON text because the state machine
   * would evaluate a user's string that looks like one of its expressions.
   */
  readonly protocol?: string;
  readonly tableName?: string;
  readonly bucketName?: string;
  /** Parts requested at deploy but not deployed, as text for the user. Absent: nothing is missing. */
  readonly leftOut?: readonly string[];
}
