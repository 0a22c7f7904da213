import { InvalidInput } from "../contract/errors.ts";

// What somebody else's run may ask of this machine. A visit's samples are some kB, a plan and a report of
// thousands of cells some tens of MB.

/** Of any file of a run; read piece by piece. */
export const largestFileBytes = 1 << 30;
/** Of a file that is read whole. */
export const largestTextBytes = 1 << 27;
/** Of a sample: Lambda's own largest answer, 6 MB, fits in it. */
export const longestLineCharacters = 1 << 24;

/** Throws InvalidInput of a file that is too large, before it is read. */
export function requireSize(name: string, bytes: number, largestBytes: number): void {
  if (bytes <= largestBytes) return;
  throw new InvalidInput(name, `${bytes} bytes`, `at most ${largestBytes} bytes`);
}
