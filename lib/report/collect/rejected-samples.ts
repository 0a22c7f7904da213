import type { Sample } from "../../contract/types/contract.ts";

/** One sample that is in no statistic: where it stands in the data, and what it says. */
export interface RejectedSample {
  readonly reason: string;
  readonly cellId: string;
  readonly block: number;
  /** Present when the visit was made again. */
  readonly attempt?: number;
  readonly sequence: number;
  readonly phase: Sample["phase"];
  readonly operation: string;
  /** As Lambda reported it, where it did. */
  readonly durationMs?: number;
  /** The rejection's own words, or the error's. */
  readonly detail?: string;
}

/** Held of each reason, so that memory and page stay bounded; the data has every one. */
export const rejectedHeld = 20;

/** The first rejected samples of each reason, by cell, block and sequence, whatever their order of arrival. */
export class RejectedSamples {
  readonly #byReason = new Map<string, RejectedSample[]>();

  add(sample: Sample, reason: string): void {
    const held = this.#byReason.get(reason) ?? [];
    this.#byReason.set(reason, held);
    const last = held.at(-1);
    const isFull = held.length === rejectedHeld;
    if (isFull && last !== undefined && before(last, placeOf(sample))) return;
    if (isFull) held.pop();
    const added = rejectedOf(sample, reason);
    const at = held.findIndex((other) => before(added, other));
    held.splice(at === -1 ? held.length : at, 0, added);
  }

  /** By reason. */
  list(): readonly RejectedSample[] {
    return [...this.#byReason].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, held]) => held);
  }
}

type Place = Pick<RejectedSample, "cellId" | "block" | "attempt" | "sequence">;

function placeOf({ cell, block, attempt, sequence }: Sample): Place {
  return { cellId: cell.id, block, ...(attempt !== undefined && { attempt }), sequence };
}

function before(a: Place, b: Place): boolean {
  if (a.cellId !== b.cellId) return a.cellId < b.cellId;
  return (a.block - b.block || (a.attempt ?? 0) - (b.attempt ?? 0) || a.sequence - b.sequence) <= 0;
}

function rejectedOf(sample: Sample, reason: string): RejectedSample {
  const { phase, operation, telemetry, rejected, error } = sample;
  const { durationMs } = telemetry ?? {};
  const failure = error === undefined ? undefined : `${error.type}: ${error.message}`;
  const detail = rejected?.detail ?? failure;
  return {
    reason,
    ...placeOf(sample),
    phase,
    operation,
    ...(durationMs !== undefined && { durationMs }),
    ...(detail !== undefined && { detail }),
  };
}
