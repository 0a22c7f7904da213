import type { Comparison } from "../../analysis/comparisons.ts";
import type { Judged } from "../../analysis/findings.ts";

/** A comparison, and the table row that shows it. */
export interface Placed extends Judged {
  /** The id of its table row. */
  readonly row: string;
  /** `128 MB`; absent if a question has only one size. */
  readonly size?: string;
  readonly operation?: string;
  readonly moreWaits?: Comparison["moreWaits"];
  /** The number of environments on each side, and the number that an interval needs if they are too few. */
  readonly environments?: number;
  readonly baselineEnvironments?: number;
  readonly environmentsNeeded?: number;
  /** The same ratio from published figures of the same functions on Lambda. */
  readonly published?: number;
  /** The 90% range of the same ratio on Lambda, if one is predicted for a local run. */
  readonly onLambda?: { readonly low: number; readonly high: number };
}

/** A question that sentences answer: how long a subject takes for one kind of work, compared with another. */
export interface Topic {
  readonly subject: string;
  readonly against: string;
  readonly call: CallWords;
  readonly compared: readonly Placed[];
}

/** The words for one kind of work: slower `on a warm call`; 1 of 63 `warm calls`. */
interface CallWords {
  readonly on: string;
  readonly calls: string;
  /**
   * Whether the work is a start. Tables list starts separately from calls.
   * @default false
   */
  readonly isStart?: true;
}

/** The words for the calls of each phase. A cold start is Init and the first Duration together. */
export const callWords: Readonly<Record<Comparison["phase"], CallWords>> = {
  cold: { on: "on a cold start", calls: "cold starts", isStart: true },
  second: { on: "on the second call", calls: "second calls" },
  warm: { on: "on a warm call", calls: "warm calls" },
};

export function pairName({ subject, against }: Topic): string {
  return `${subject} and ${against}`;
}

export function isOneOperation(compared: readonly Placed[]): boolean {
  return new Set(compared.map(({ operation }) => operation)).size === 1;
}

/** Returns ` for query at 128 MB`. */
export function placeText({ operation, size }: Pick<Placed, "operation" | "size">): string {
  const work = operation === undefined ? "" : ` for ${operation}`;
  return `${work}${size === undefined ? "" : ` at ${size}`}`;
}
