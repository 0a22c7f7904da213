import { type GateFinding, isCompared } from "../lib/analysis/gate.ts";

/** The exit codes of the commands: see exitCodesHelp. */
export const exitCodes = {
  complete: 0,
  /** A gate found something slower, and nothing else ends so. */
  slower: 1,
  badInput: 2,
  partial: 3,
  /** A gate could not compare: calls that are wrong, failed or missing, or a partial run. */
  notCompared: 4,
  /** An error that is nobody's input. */
  failed: 5,
  interrupted: 130,
} as const;

/** What each code means, for every command: --help prints it, and docs/running-locally.md has the same lines. */
export const exitCodesHelp = `Exit codes
  0 done; of a gate (measure --fail-on slower, compare): all was compared, and nothing is slower
  1 a gate found something slower; nothing else ends with 1
  2 bad input, or a function that fails: nothing was measured, and nothing is lost
  3 a part only: trials or experiments failed, or only Python was measured for want of Rust
  4 a gate could not compare in full: calls are wrong, failed or missing, or the run is partial
  5 failed for another reason, which the message says
  130 interrupted; what was measured is kept
`;

/** Errors that the caller has to fix before anything can be done. */
const inputErrors = ["InvalidInput", "ChangedRun", "FunctionFails"];

/** The exit code of a command that threw an error of this name. */
export function exitCodeFor(errorName: string): number {
  return inputErrors.includes(errorName) ? exitCodes.badInput : exitCodes.failed;
}

/** The exit code of a gate: what is slower is so whatever else could not be compared. */
export function gateExitCode(finding: GateFinding): number {
  if (finding.slower.length > 0) return exitCodes.slower;
  return isCompared(finding) ? exitCodes.complete : exitCodes.notCompared;
}
