import { claimsDirection, type ExpectedTimes } from "../../analysis/on-lambda.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { familyOf } from "../../prediction/function-kind.ts";
import { wholeCpuMb } from "../../prediction/model.ts";
import type { LambdaRange } from "../../prediction/spread.ts";
import { calibratedText } from "../calibration-text.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import { outwardRange, spanOfRange } from "../document/format.ts";
import { comparisonsOf } from "../section/columns.ts";
import { joined } from "./spoken-numbers.ts";
import { shortLabel } from "./view-topics.ts";
import { warmOperation } from "./warm-operation.ts";

type Bounds = Pick<LambdaRange, "low" | "high">;

/** One question that a variant's ranges answer. */
interface Kind {
  /** `takes 3 times as long` to start. */
  readonly slower: string;
  /** `starts` 3 times faster. */
  readonly faster: string;
  /** `on a cold start`. */
  readonly on: string;
  /** `cold starts`. */
  readonly calls: string;
}

/** A size's range, of a ratio or of a time. */
interface Sized {
  readonly cell: Cell;
  readonly range: Bounds;
}

/** What Lambda would show of a run on one machine, in one or two sentences; empty if nothing can be said of it. */
export function lambdaTexts(view: ReportView): readonly string[] {
  const { baselineVariant } = view.subject;
  const variants = view.variants;
  const [only] = variants;
  if (only !== undefined && variants.length === 1) return timeTexts(view, only);
  const answered = variants
    .filter((variant) => variant !== baselineVariant)
    .map((variant) => ({ variant, ranges: ratioRanges(view, variant) }))
    .filter(({ ranges }) => ranges.some(({ sized }) => sized.length > 0))
    .toSorted((a, b) => claimed(b.ranges) - claimed(a.ranges));
  return answered
    .slice(0, mostSentences)
    .map(({ variant, ranges }, index) => ratioSentence(view, variant, ranges, index === 0));
}

const mostSentences = 2;

/** The reason why a local run says nothing of Lambda. */
export function noLambdaText({ onLambda, plan, series }: ReportView): string {
  if (onLambda?.lacksSpeed === true) {
    return "Nothing is expected on Lambda: this run did not store how fast its machine is.";
  }
  if (plan.cells.every(({ runtime }) => familyOf(runtime) === undefined)) {
    return "Nothing can be said of Lambda: no figures are published to hold these against.";
  }
  const isLimited = ({ memoryMb }: Cell) => memoryMb >= wholeCpuMb;
  if (onLambda?.lacksSmallSizes === true && !plan.cells.some(isLimited)) {
    return "Nothing can be said of Lambda: this machine does not limit sizes below 1,769 MB.";
  }
  const hasIntervals = series.some(
    ({ phase, durationMs }) => phase !== "second" && durationMs.low !== undefined,
  );
  return onLambda?.times.length === 0 && hasIntervals
    ? "Nothing can be said of Lambda: calls like these are predicted only on a machine as fast as the study's."
    : "This run has too few environments to say what Lambda would show.";
}

interface KindRanges {
  readonly kind: Kind;
  readonly sized: readonly Sized[];
}

function kindsOf(view: ReportView): { readonly cold: Kind; readonly warm: Kind } {
  const call = `warm ${warmOperation(view)?.name ?? "call"}`;
  return {
    cold: { slower: "to start", faster: "start", on: "on a cold start", calls: "cold starts" },
    warm: {
      ...{ slower: `on a ${call}`, faster: `answer a ${call}`, on: `on a ${call}` },
      calls: "warm calls",
    },
  };
}

function ratioRanges(view: ReportView, variant: string): readonly KindRanges[] {
  const { cold, warm } = kindsOf(view);
  const operation = warmOperation(view)?.operation;
  const sized = (compared: ReturnType<typeof comparisonsOf>) =>
    compared.flatMap((each) => withRange(each.cell, each.onLambda));
  return [
    { kind: cold, sized: sized(comparisonsOf(view, variant, "cold", "initAndDurationMs")) },
    {
      kind: warm,
      sized: sized(
        comparisonsOf(view, variant, "warm", "durationMs").filter(
          (each) => each.operation === operation,
        ),
      ),
    },
  ];
}

function withRange(cell: Cell, range: Bounds | undefined): readonly Sized[] {
  return range === undefined ? [] : [{ cell, range }];
}

type Direction = "slower" | "faster" | "either";

/** The direction that a range has as it is printed: only one that excludes 1 after rounding claims any. */
export function directionOf(range: Bounds): Direction {
  const isSlower = range.low > 1;
  if (!claimsDirection(outwardRange(isSlower ? range : turnedRange(range)))) return "either";
  return isSlower ? "slower" : "faster";
}

function turnedRange({ low, high }: Bounds): Bounds {
  return { low: 1 / high, high: 1 / low };
}

/** The strongest claim's near bound; 1 if nothing is claimed. */
function claimed(ranges: readonly KindRanges[]): number {
  const bounds = ranges.flatMap(({ sized }) =>
    sized.map(({ range: { low, high } }) => Math.max(low, 1 / high)),
  );
  return Math.max(1, ...bounds);
}

/** `On Lambda (90% ranges), Python would take 1.5 to 4 times as long as Rust to start from 512 MB up (at 128 MB either may be faster)`. */
function ratioSentence(
  view: ReportView,
  variant: string,
  ranges: readonly KindRanges[],
  isFirst: boolean,
): string {
  const [subject, against] = [variant, view.subject.baselineVariant].map((id) =>
    shortLabel(view, id),
  ) as [string, string];
  const measured = ranges.filter(({ sized }) => sized.length > 0);
  const isOpen = ({ sized }: KindRanges) =>
    sized.every(({ range }) => directionOf(range) === "either");
  const calibrated = view.onLambda === undefined ? "" : calibratedText(view.onLambda);
  const start = isFirst ? `On Lambda (90% ranges${calibrated}), ` : "";
  const open = joined(measured.filter(isOpen).map(({ kind }) => kind.on));
  const decided = measured.filter((each) => !isOpen(each));
  if (decided.length === 0) {
    const either = `of ${subject} and ${against} either may be faster ${open}.`;
    return isFirst ? `${start}${either}` : `O${either.slice(1)}`;
  }
  const claims = decided.map((each, index) => claimText(view, each, decided[index - 1], against));
  const isPartly = decided.some(({ sized }) => directionsIn(sized).has("either"));
  const where = isPartly ? "otherwise" : open;
  const rest = where === "" ? "" : `; ${where} either may be faster`;
  return `${start}${subject} would ${joined(claims)}${rest}.`;
}

function directionsIn(sized: readonly Sized[]): ReadonlySet<Direction> {
  return new Set(sized.map(({ range }) => directionOf(range)));
}

/** `take 3 times as long as Rust to start at 128 MB`; a claim after one of the same form repeats no verb. */
function claimText(
  view: ReportView,
  { kind, sized }: KindRanges,
  before: KindRanges | undefined,
  against: string,
): string {
  const isSlowerBefore = before !== undefined && directionsIn(before.sized).has("slower");
  const texts = (["slower", "faster"] as const).flatMap((direction) => {
    const own = sized.filter(({ range }) => directionOf(range) === direction);
    if (own.length === 0) return [];
    const at = sizesText(view, own, sized);
    if (direction === "slower") {
      const span = spanOfRange(hull(own));
      if (isSlowerBefore) return [`${span} times ${kind.slower}${at}`];
      return [`take ${span} times as long as ${against} ${kind.slower}${at}`];
    }
    const than = before === undefined ? ` than ${against}` : "";
    return [`${kind.faster} ${spanOfRange(turnedRange(hull(own)))} times faster${than}${at}`];
  });
  return joined(texts);
}

/** The smallest range that covers all of them. */
function hull(sized: readonly Sized[]): Bounds {
  return {
    low: Math.min(...sized.map(({ range }) => range.low)),
    high: Math.max(...sized.map(({ range }) => range.high)),
  };
}

/** ` at 128 MB`, ` from 512 MB up`, ` up to 512 MB`; empty for all sizes. */
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
    : ` at ${joined(ordered.map(label))}`;
}

const mostNamed = 3;

/** `On Lambda (90% ranges), cold starts of Python would take 150 to 480 ms at 128 MB and 90 to 200 ms at 1,769 MB`. */
function timeTexts(view: ReportView, variant: string): readonly string[] {
  const { cold, warm } = kindsOf(view);
  const operation = warmOperation(view)?.operation;
  const times = (phase: "cold" | "warm", of: (times: ExpectedTimes) => Bounds | undefined) =>
    view.rows[phase]
      .filter((series) => phase === "cold" || series.operation === operation)
      .flatMap(({ cell, onLambda }) => withRange(cell, onLambda && of(onLambda)));
  const parts = [
    { kind: cold, sized: times("cold", ({ initAndDurationMs }) => initAndDurationMs) },
    { kind: warm, sized: times("warm", ({ durationMs }) => durationMs) },
  ]
    .filter(({ sized }) => sized.length > 0)
    .map(({ kind, sized }) => `${kind.calls} would take ${atEnds(view, sized)}`);
  const name = shortLabel(view, variant);
  const calibrated = view.onLambda === undefined ? "" : calibratedText(view.onLambda);
  return parts.length === 0
    ? []
    : [`On Lambda (90% ranges of means${calibrated}), ${name}'s ${joined(parts)}.`];
}

/** `150 to 480 ms at 128 MB and 90 to 200 ms at 1,769 MB`: the smallest and the largest size. */
function atEnds(view: ReportView, sized: readonly Sized[]): string {
  const sizes = sized.map(({ cell }) => cell.memoryMb);
  const ends = [...new Set([Math.min(...sizes), Math.max(...sizes)])];
  return joined(
    ends.map((memoryMb) => {
      const own = sized.filter(({ cell }) => cell.memoryMb === memoryMb);
      const [{ cell }] = own as [Sized];
      return `${spanOfRange(hull(own))} ms at ${own.length === 1 ? sizeLabel(view, cell) : `${memoryMb} MB`}`;
    }),
  );
}
