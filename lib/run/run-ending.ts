import { defined } from "../contract/defined.ts";
import type { CellFailure, Manifest } from "../contract/types/contract.ts";

/** How a run came to its end. */
interface RunEnd {
  readonly endedAt: string;
  readonly cellFailures: readonly CellFailure[];
  /** Why it ended before its plan was done. @default it did not */
  readonly endedEarly?: string | undefined;
}

/** The manifest's fields about the end of a run: it is complete if nothing failed and nothing was cut off. */
export function runEnding({
  endedAt,
  cellFailures,
  endedEarly,
}: RunEnd): Pick<Manifest, "status" | "endedAt" | "endedEarly" | "cellFailures"> {
  const isComplete = endedEarly === undefined && cellFailures.length === 0;
  return {
    status: isComplete ? "complete" : "partial",
    endedAt,
    ...defined({ endedEarly }),
    cellFailures: [...cellFailures],
  };
}
