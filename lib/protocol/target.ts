import type { Cell, Sample, Telemetry } from "../contract/types/contract.ts";

/** What one call of a function came to. A failure of measurement is a value here, never thrown. */
export interface Invocation {
  readonly requestId?: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly clientLatencyMs?: number;
  readonly telemetry?: Telemetry;
  /** The log came truncated and its REPORT was not in it. */
  readonly logTruncated?: boolean;
  /** What the function returned; absent when it failed. */
  readonly payload?: unknown;
  readonly error?: { readonly type: string; readonly message: string };
}

/** What can be invoked and made cold: AWS, this machine, a fake in tests. */
export interface Target {
  readonly kind: Sample["target"];
  /**
   * The cell's next invocation meets a new execution environment. Throws when that cannot be had;
   * the visit is then recorded as a failure of its cell.
   */
  forceCold(cell: Cell): Promise<void>;
  /** Calls the cell's function once, with no retry of any kind. */
  invoke(cell: Cell, event: { readonly operation: string }): Promise<Invocation>;
}
