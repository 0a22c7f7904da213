/** The exit codes of the commands; --help lists them. */
export const exitCodes = {
  complete: 0,
  failed: 1,
  badInput: 2,
  partial: 3,
  interrupted: 130,
} as const;

/** Errors that the caller has to fix before anything can be done. */
const inputErrors = ["InvalidInput", "ChangedRun", "FunctionFails"];

/** The exit code of a command that threw an error of this name. */
export function exitCodeFor(errorName: string): number {
  return inputErrors.includes(errorName) ? exitCodes.badInput : exitCodes.failed;
}
