import type { Comparison } from "../../analysis/comparisons.ts";
import type { Findings, Judged } from "../../analysis/findings.ts";

/** A comparison, and where a reader finds it. */
export interface Placed extends Judged {
  /** The id of its table's row. */
  readonly row: string;
  /** `128 MB`; absent where a question has one size. */
  readonly size?: string;
  readonly operation?: string;
  readonly moreWaits?: Comparison["moreWaits"];
  /** The same ratio by published figures of the same functions on Lambda. */
  readonly published?: number;
}

/** One question that sentences answer: a subject's time for one kind of work against another's. */
export interface Topic {
  readonly subject: string;
  readonly against: string;
  readonly words: TopicWords;
  readonly compared: readonly Placed[];
}

/** `answers a warm call` 3 times faster; takes 3 times as long `on a warm call`. */
interface TopicWords {
  readonly faster: string;
  readonly slower: string;
}

export const warmWords: TopicWords = { faster: "answers a warm call", slower: "on a warm call" };
/** Of a cold start: Init and the first Duration together. */
export const startWords: TopicWords = {
  faster: "starts",
  slower: "for a cold start",
};

/** A topic with what came of its comparisons. */
export type Answered = Topic & { readonly findings: Findings<Placed> };

export function pairName({ subject, against }: Topic): string {
  return `${subject} and ${against}`;
}
