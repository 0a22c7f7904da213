import { claimsDirection } from "../../analysis/on-lambda.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import type { LambdaRange } from "../../prediction/spread.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import { shortSpan } from "../document/format.ts";
import { joinedSizes } from "./number-phrases.ts";

export type Bounds = Pick<LambdaRange, "low" | "high">;

/** A size and its range of a ratio or a time. */
export interface Sized {
  readonly cell: Cell;
  readonly range: Bounds;
}

/** The words for one kind of call. */
export interface Kind {
  /** `to start`, as in: takes 3 times as long to start. */
  readonly slower: string;
  /** `start`, as in: would start 3 times faster. */
  readonly faster: string;
  /** `on a cold start`. */
  readonly on: string;
}

/** The ranges for one kind of call, by size. */
export interface KindRanges {
  readonly kind: Kind;
  readonly sized: readonly Sized[];
}

type Direction = "slower" | "faster" | "either";

/** Returns the direction that a range claims: `either` if it includes 1, in which case its printed ends do, too. */
export function directionOf(range: Bounds): Direction {
  if (!claimsDirection(range)) return "either";
  return range.low > 1 ? "slower" : "faster";
}

function turnedRange({ low, high }: Bounds): Bounds {
  return { low: 1 / high, high: 1 / low };
}

/** The sizes whose ranges, for one kind of call, lie on the same side of 1. */
export interface Claim {
  readonly kind: Kind;
  readonly direction: Exclude<Direction, "either">;
  readonly own: readonly Sized[];
  readonly all: readonly Sized[];
}

/** Returns the claims about one kind of call, at most one in each direction, that at the smaller sizes first. */
export function claimsOf({ kind, sized }: KindRanges): readonly Claim[] {
  const smallest = ({ own }: Claim) => Math.min(...own.map(({ cell }) => cell.memoryMb));
  return (["slower", "faster"] as const)
    .map((direction) => ({
      kind,
      direction,
      all: sized,
      own: sized.filter(({ range }) => directionOf(range) === direction),
    }))
    .filter(({ own }) => own.length > 0)
    .toSorted((a, b) => smallest(a) - smallest(b));
}

/** `6.2–16×` and ` at 128 MB, 1.3–3.3× at 1,769 MB`. */
export interface Amounts {
  readonly amount: string;
  readonly places: string;
}
export type SpanText = (view: ReportView, claim: Claim) => Amounts;

/** Returns the ranges of the smallest and the largest size if all others lie between them; otherwise as wholeSpan. */
export function eachSpan(view: ReportView, claim: Claim): Amounts {
  const { own, all } = claim;
  const sorted = own.toSorted((a, b) => a.cell.memoryMb - b.cell.memoryMb);
  const [least, most] = [sorted[0], sorted.at(-1)] as [Sized, Sized];
  const isOneEach = new Set(all.map(({ cell }) => cell.memoryMb)).size === all.length;
  if (own.length < 2 || !isOneEach || !areEnds(claim, [least, most])) return wholeSpan(view, claim);
  const [from, to] = [least, most].map((each) => timesOf(claim, [each])) as [string, string];
  const isRising = (claim.direction === "slower") === most.range.high > least.range.high;
  const change = own.length === 2 ? "" : isRising ? "rising to " : "falling to ";
  const places = ` at ${sizeLabel(view, least.cell)}, ${change}${to} at ${sizeLabel(view, most.cell)}`;
  return { amount: from, places };
}

/** Returns whether these two sizes cover the ranges of all, and no size between them has another direction. */
function areEnds({ own, all }: Claim, [least, most]: readonly [Sized, Sized]): boolean {
  const between = all.filter(
    ({ cell }) => cell.memoryMb >= least.cell.memoryMb && cell.memoryMb <= most.cell.memoryMb,
  );
  const [whole, covered] = [hull(own), hull([least, most])];
  const isCovered = whole.low === covered.low && whole.high === covered.high;
  return own.length === 2 || (isCovered && between.length === own.length);
}

/** Returns one range over all sizes of the claim, and that of the size with the largest effect. */
export function strongestSpan(view: ReportView, claim: Claim): Amounts {
  const { amount, places } = wholeSpan(view, claim);
  const ends = claim.own.map((each) => ({ each, near: nearBound(each) }));
  const [strongest] = ends.toSorted((a, b) => b.near - a.near);
  if (strongest === undefined || ends.length === 1) return { amount, places };
  const { each } = strongest;
  const size = sizeLabel(view, each.cell);
  return { amount, places: `${places} (${timesOf(claim, [each])} at ${size})` };
}

function nearBound({ range: { low, high } }: Sized): number {
  return Math.max(low, 1 / high);
}

/** Returns one range over all sizes of the claim. */
export function wholeSpan(view: ReportView, claim: Claim): Amounts {
  return { amount: timesOf(claim, claim.own), places: sizesText(view, claim.own, claim.all) };
}

function timesOf({ direction }: Claim, sized: readonly Sized[]): string {
  const range = hull(sized);
  return `${shortSpan(direction === "slower" ? range : turnedRange(range))}×`;
}

/** Returns the smallest range that covers all of them. */
export function hull(sized: readonly Sized[]): Bounds {
  return {
    low: Math.min(...sized.map(({ range }) => range.low)),
    high: Math.max(...sized.map(({ range }) => range.high)),
  };
}

/** Returns ` at 128 MB`, ` from 512 MB up` or ` up to 512 MB`; empty for all sizes. */
function sizesText(view: ReportView, own: readonly Sized[], all: readonly Sized[]): string {
  if (own.length === all.length) return "";
  const label = ({ cell }: Sized) => sizeLabel(view, cell);
  const sorted = all.toSorted((a, b) => a.cell.memoryMb - b.cell.memoryMb);
  const ordered = sorted.filter((each) => own.includes(each));
  const [least, most] = [ordered[0], ordered.at(-1)] as [Sized, Sized];
  const isOneEach = new Set(all.map(({ cell }) => cell.memoryMb)).size === all.length;
  if (own.length > 1 && isOneEach) {
    if (sorted.indexOf(least) === all.length - own.length) return ` from ${label(least)} up`;
    if (sorted.indexOf(most) === own.length - 1) return ` up to ${label(most)}`;
  }
  return own.length > mostNamed
    ? ` at ${own.length} of ${all.length} sizes`
    : ` at ${joinedSizes(ordered.map(label))}`;
}

const mostNamed = 3;
