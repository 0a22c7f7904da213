import { defined } from "../contract/defined.ts";
import type { CellFailure, Manifest } from "../contract/types/contract.ts";

/** The end of a run. */
interface RunEnd {
  readonly endedAt: string;
  readonly cellFailures: readonly CellFailure[];
  /** Why it ended before its plan was completed. @default it did not */
  readonly endedEarly?: string | undefined;
}

/** Returns the manifest's fields about the end of a run. It is complete if nothing failed and it did not end early. */
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
