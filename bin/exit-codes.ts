import { type GateFinding, isCompared, lostCalls } from "../lib/analysis/gate.ts";
import type { LimitFinding } from "../lib/analysis/limits.ts";
import type { Manifest } from "../lib/contract/types/contract.ts";
import type { GateStatus } from "../lib/report/gate-text.ts";

/** The exit codes of the commands: see exitCodesHelp. */
export const exitCodes = {
  complete: 0,
  /** A gate found something slower. No other outcome has this code. */
  slower: 1,
  badInput: 2,
  partial: 3,
  /** A gate could not compare: calls were wrong, failed or missing, or the run was partial. */
  notCompared: 4,
  /** An error that the input did not cause. */
  failed: 5,
  /** A gate with --fail-on not-proven found something undecided. */
  notProven: 6,
  /** A function is above a limit (--limit), and nothing is slower. */
  limitMissed: 7,
  interrupted: 130,
} as const;

/** The meaning of each code, for every command: printed by --help, and repeated in docs/running-locally.md. */
export const exitCodesHelp = `Exit codes
  0 done; of a gate (measure --fail-on slower, compare): all was compared, and nothing is slower
  1 a gate found something slower; nothing else ends with 1
  2 bad input, or a function that fails: nothing was measured, and nothing is lost
  3 a part only: trials or experiments failed, a cap (--max-cost) ended the run, no call of a run counts, or only
    Python was measured
  4 a gate could not compare in full: calls are wrong, failed or missing, or the run is partial
  5 failed for another reason, which the message says
  6 with --fail-on not-proven: nothing is slower, and not all of it is proven to be no slower
  7 a limit is missed (--limit), and nothing is slower
  130 interrupted; what was measured is kept
`;

/** Returns whether every trial of a run's plan was made, and not all of its calls are wrong or failed. */
export function isWhole({ status, counts }: Pick<Manifest, "status" | "counts">): boolean {
  return status === "complete" && (counts.kept > 0 || lostCalls(counts).length === 0);
}

/** Errors that the caller has to fix before anything can be done. */
const inputErrors = ["InvalidInput", "ChangedRun", "FunctionFails"];

/** Returns the exit code of a command that threw an error of this name. */
export function exitCodeFor(errorName: string): number {
  return inputErrors.includes(errorName) ? exitCodes.badInput : exitCodes.failed;
}

/** Outcomes that a gate can fail on: slower, or not proven to be no slower. */
export const failOnOptions = ["slower", "not-proven"] as const;
export type FailOn = (typeof failOnOptions)[number];

/** Returns the exit code of a gate. Slower takes precedence over comparisons that could not be made. */
export function gateExitCode(finding: GateFinding, failOn: FailOn = "slower"): number {
  if (finding.slower.length > 0) return exitCodes.slower;
  if (!isCompared(finding)) return exitCodes.notCompared;
  const isOpen = failOn === "not-proven" && finding.notProven.length > 0;
  return isOpen ? exitCodes.notProven : exitCodes.complete;
}

/** Returns the word for what a gate's exit code says. */
export function gateStatus(code: number): GateStatus {
  if (code === exitCodes.complete) return "PASS";
  const isFailed = code === exitCodes.slower || code === exitCodes.limitMissed;
  return isFailed ? "FAIL" : "CANNOT TELL";
}

/** Returns the exit code of limits. A limit without measurements counts as a comparison that was not made. */
export function limitExitCode(finding: LimitFinding, failOn: FailOn = "slower"): number {
  if (finding.missed.length > 0) return exitCodes.limitMissed;
  if (finding.notMeasured.length > 0) return exitCodes.notCompared;
  const isOpen = failOn === "not-proven" && finding.undecided.length > 0;
  return isOpen ? exitCodes.notProven : exitCodes.complete;
}

const { slower, limitMissed, notCompared, notProven } = exitCodes;
const gravest: readonly number[] = [slower, limitMissed, notCompared, notProven];

/** Returns the most severe exit code of a run and its gates: slower and missed limits take precedence. */
export function gravestCode(codes: readonly number[]): number {
  const found = gravest.find((code) => codes.includes(code));
  return found ?? codes.find((code) => code !== exitCodes.complete) ?? exitCodes.complete;
}
