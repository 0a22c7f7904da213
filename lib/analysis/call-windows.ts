import type { ImportedOrigin } from "../contract/types/contract.ts";

/** The period in which calls were made, ISO 8601 in UTC. */
interface CallWindow {
  readonly from: string;
  readonly to: string;
}

/** Returns the window that spans those of all cells; undefined if no source gave a time. */
export function wholeWindow({ windows }: Pick<ImportedOrigin, "windows">): CallWindow | undefined {
  const from = windows?.map((window) => window.from).toSorted()[0];
  const to = windows
    ?.map((window) => window.to)
    .toSorted()
    .at(-1);
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** Windows that overlap by less than this share of the shorter one count as different times. */
const leastShared = 0.5;

/**
 * Returns whether two windows are at different times. Every ratio between them then includes differences between
 * hours, such as the daily load.
 */
export function areApart(one: CallWindow, other: CallWindow): boolean {
  const [a, b] = [one, other].map(
    ({ from, to }) => [Date.parse(from), Date.parse(to)] as const,
  ) as [Ends, Ends];
  const shared = Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
  const shorter = Math.min(a[1] - a[0], b[1] - b[0]);
  return shared < leastShared * shorter;
}

type Ends = readonly [from: number, to: number];

/** Formats a window as `2026-01-05 10:00 to 11:30 UTC`, with the second day if it differs. */
export function windowText({ from, to }: CallWindow): string {
  const [day, time, laterDay, laterTime] = [
    ...[from.slice(0, 10), from.slice(11, 16)],
    ...[to.slice(0, 10), to.slice(11, 16)],
  ];
  if (day === laterDay && time === laterTime) return `${day} ${time} UTC`;
  return `${day} ${time} to ${day === laterDay ? "" : `${laterDay} `}${laterTime} UTC`;
}
