/** What the process ends with; --help lists them. */
export const exitCodes = {
  complete: 0,
  failed: 1,
  badInput: 2,
  partial: 3,
  interrupted: 130,
} as const;

/** Errors that the caller is to mend before anything is done. */
const ofInput = ["InvalidInput", "ChangedRun"];

/** What a command that threw an error of this name ends with. */
export function exitCodeFor(errorName: string): number {
  return ofInput.includes(errorName) ? exitCodes.badInput : exitCodes.failed;
}
