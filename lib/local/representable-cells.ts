import { cpuCredit } from "../contract/cpu-credit.ts";
import { InvalidInput } from "../contract/errors.ts";
import type { Cell } from "../contract/types/contract.ts";

export interface RepresentableCells {
  readonly cells: readonly Cell[];
  /** What is left out and why, a line a memory size. */
  readonly leftOut: readonly string[];
}

/**
 * The cells whose pool this machine has the CPUs for: a larger one would be measured at the machine's
 * size under the cell's name. A function without a pool uses one CPU whatever it pays for.
 * Throws InvalidInput where none is left.
 */
export function representableCells(cells: readonly Cell[], cpus: number): RepresentableCells {
  const fits = ({ workers, memoryMb }: Cell) =>
    workers === undefined || (workers <= cpus && cpuCredit(memoryMb) <= cpus);
  const left = cells.filter((cell) => !fits(cell));
  const sizes = new Map(left.map((cell) => [cell.memoryMb, cell]));
  if (left.length === cells.length) {
    throw new InvalidInput(
      "memory",
      [...sizes.keys()],
      `sizes of at most ${cpus} CPUs: this machine has no more`,
    );
  }
  return {
    cells: cells.filter(fits),
    leftOut: [...sizes.values()].map(
      ({ memoryMb, workers }) =>
        `${memoryMb} MB with ${workers} workers: ${cpuCredit(memoryMb).toFixed(2)} vCPUs, and this machine has ${cpus}`,
    ),
  };
}
