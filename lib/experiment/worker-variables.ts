import type { Cell } from "../contract/types/contract.ts";

/** The environment variable from which a function builds its pool; none where it has no pool. */
export function workerVariables({ workers }: Cell): Readonly<Record<string, string>> {
  return workers === undefined ? {} : { WORKER_COUNT: String(workers) };
}
