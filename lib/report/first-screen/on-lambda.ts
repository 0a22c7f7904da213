import type { ExpectedTimes } from "../../analysis/on-lambda.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { memoryMbPerVcpu } from "../../contract/cpu-credit.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { familyOf } from "../../prediction/function-kind.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import { count, shortSpan } from "../document/format.ts";
import { wrapped } from "../document/wrapped.ts";
import { mostSentenceLines } from "./first-screen.ts";
import { joined } from "./number-phrases.ts";
import {
  type Amounts,
  type Bounds,
  type Claim,
  claimsOf,
  directionOf,
  eachSpan,
  hull,
  type Kind,
  type KindRanges,
  type Sized,
  type SpanText,
  strongestSpan,
  wholeSpan,
} from "./sized-ranges.ts";
import { soundComparisons } from "./sound-comparisons.ts";
import { warmOperation } from "./warm-operation.ts";

/** Predicts how a run on one machine would compare on Lambda, in one text. Returns none without any prediction. */
export function lambdaTexts(view: ReportView): readonly string[] {
  const { baselineVariant } = view.subject;
  const variants = view.variants;
  const [only] = variants;
  if (only !== undefined && variants.length === 1) return timeTexts(view, only);
  const shown = variants
    .filter((variant) => variant !== baselineVariant)
    .map((variant) => ({ variant, ranges: ratioRanges(view, variant) }))
    .filter(({ ranges }) => ranges.length > 0)
    .toSorted((a, b) => claimed(b.ranges) - claimed(a.ranges))
    .slice(0, mostVariants);
  if (shown.length === 0) return [];
  const texts = spanChoices.map((spans) => ratioText(view, shown, spans));
  const fitting = texts.find((text) => wrapped(text).length <= mostSentenceLines);
  return [fitting ?? (texts.at(-1) as string)];
}

/** Forms for the ranges of the first and the second variant, longest first: ranges by size are used if they fit. */
const spanChoices: readonly (readonly [SpanText, SpanText])[] = [
  [eachSpan, eachSpan],
  [eachSpan, wholeSpan],
  [strongestSpan, wholeSpan],
  [wholeSpan, wholeSpan],
];

const mostVariants = 2;

/** Returns why a local run gives no prediction for Lambda. */
export function noLambdaText({ onLambda, plan, series }: ReportView): string {
  if (onLambda?.lacksSpeed === true) {
    return "No prediction for Lambda: this run did not store how fast its machine is.";
  }
  if (plan.cells.every(({ runtime }) => familyOf(runtime) === undefined)) {
    return "No prediction for Lambda: no figures are published for this runtime.";
  }
  const isLimited = ({ memoryMb }: Cell) => memoryMb >= memoryMbPerVcpu;
  if (onLambda?.lacksSmallSizes === true && !plan.cells.some(isLimited)) {
    return "No prediction for Lambda: this machine does not limit sizes below 1,769 MB.";
  }
  const hasIntervals = series.some(
    ({ phase, durationMs }) => phase !== "second" && durationMs.low !== undefined,
  );
  return onLambda?.times.length === 0 && hasIntervals
    ? "No prediction for Lambda: calls like these are predicted only from a machine as fast as the study's."
    : "This run has too few environments to say what Lambda would show.";
}

function kindsOf(view: ReportView): { readonly cold: Kind; readonly warm: Kind } {
  const call = warmCall(view);
  return {
    cold: { slower: "to start", faster: "start", on: "on a cold start" },
    warm: { slower: `on a ${call}`, faster: `answer a ${call}`, on: `on a ${call}` },
  };
}

function warmCall(view: ReportView): string {
  return `warm ${warmOperation(view)?.name ?? "call"}`;
}

function ratioRanges(view: ReportView, variant: string): readonly KindRanges[] {
  const { cold, warm } = kindsOf(view);
  const operation = warmOperation(view)?.operation;
  const sized = (compared: ReturnType<typeof soundComparisons>) =>
    compared.flatMap((each) => withRange(each.cell, each.onLambda));
  return [
    { kind: cold, sized: sized(soundComparisons(view, variant, "cold", "initAndDurationMs")) },
    {
      kind: warm,
      sized: sized(
        soundComparisons(view, variant, "warm", "durationMs").filter(
          (each) => each.operation === operation,
        ),
      ),
    },
  ].filter((each) => each.sized.length > 0);
}

function withRange(cell: Cell, range: Bounds | undefined): readonly Sized[] {
  return range === undefined ? [] : [{ cell, range }];
}

/** Returns the near bound of the strongest claim, or 1 if nothing is claimed. */
function claimed(ranges: readonly KindRanges[]): number {
  const bounds = ranges.flatMap(({ sized }) =>
    sized.map(({ range: { low, high } }) => Math.max(low, 1 / high)),
  );
  return Math.max(1, ...bounds);
}

/** The ranges of a variant's ratios to the baseline. */
interface Ranged {
  readonly variant: string;
  readonly ranges: readonly KindRanges[];
}

/**
 * Returns, for example, `On Lambda (90% ranges), Rust (tuned build) would start 6.2–16× faster than Rust at 128 MB,
 * 1.3–3.3× at 1,769 MB; Python would take 2.3–8.7× as long on a warm get at 128 MB. Elsewhere either may be faster.`
 */
function ratioText(
  view: ReportView,
  shown: readonly Ranged[],
  spans: readonly [SpanText, SpanText],
): string {
  const against = shortLabel(view, view.subject.baselineVariant);
  const start = `On Lambda (90% ranges), `;
  const isClaimed = ({ ranges }: Ranged) => ranges.some((each) => claimsOf(each).length > 0);
  const claims = shown.filter(isClaimed);
  const open = shown.filter((each) => !isClaimed(each));
  if (claims.length === 0) {
    const kinds = open.flatMap(({ ranges }) => ranges.map(({ kind }) => kind.on));
    const pairs = open.map(({ variant }) => `either ${shortLabel(view, variant)} or ${against}`);
    return `${start}${joined(pairs)} may be faster, ${joined([...new Set(kinds)])}.`;
  }
  const clauses = claims.map(({ variant, ranges }, index) => {
    const than = index === 0 ? against : undefined;
    const label = shortLabel(view, variant);
    return `${label} would ${claimsText(view, ranges, than, spans[index === 0 ? 0 : 1])}`;
  });
  const isPartly = claims.some(({ ranges }) => ranges.some(hasOpenSize));
  const rest = [
    ...(isPartly ? ["elsewhere"] : []),
    ...open.map(({ variant }) => `between ${shortLabel(view, variant)} and ${against}`),
  ];
  const either = rest.length === 0 ? "" : ` ${capitalised(joined(rest))} either may be faster.`;
  return `${start}${clauses.join("; ")}.${either}`;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function hasOpenSize({ sized }: KindRanges): boolean {
  return sized.some(({ range }) => directionOf(range) === "either");
}

/**
 * Returns `start 1.1–2.3× faster than Rust at 128 MB but take 1.6–3.6× as long at 1,769 MB, and 3.8–12× as long on a
 * warm get`.
 */
function claimsText(
  view: ReportView,
  ranges: readonly KindRanges[],
  against: string | undefined,
  span: SpanText,
): string {
  const kinds = ranges.map(claimsOf).filter(({ length }) => length > 0);
  const isTwofold = kinds.some(({ length }) => length > 1);
  const texts = kinds.map((claims, kind) =>
    claims
      .map((claim, index) => {
        const than = kind === 0 && index === 0 ? against : undefined;
        const before = index === 0 ? kinds[kind - 1]?.at(-1) : claims[index - 1];
        return claimText(claim, span(view, claim), { than, before, isTwofold });
      })
      .join(" but "),
  );
  return texts.join(isTwofold ? ", and " : " and ");
}

interface ClaimContext {
  /** What the first claim compares with. */
  readonly than: string | undefined;
  readonly before: Claim | undefined;
  /** Whether a kind of call has claims in both directions. */
  readonly isTwofold: boolean;
}

function claimText(
  { kind, direction }: Claim,
  { amount, places }: Amounts,
  { than, before, isTwofold }: ClaimContext,
): string {
  if (direction === "faster") {
    return `${kind.faster} ${amount} faster${than === undefined ? "" : ` than ${than}`}${places}`;
  }
  if (before?.kind === kind) return `take ${amount} as long${places}`;
  if (before?.direction === "slower") {
    return `${amount}${isTwofold ? " as long" : ""} ${kind.slower}${places}`;
  }
  return `take ${amount} as long${than === undefined ? "" : ` as ${than}`} ${kind.slower}${places}`;
}

/** Returns `On Lambda (90% ranges of means), a cold start of Python would take 150–480 ms at 128 MB and ...`. */
function timeTexts(view: ReportView, variant: string): readonly string[] {
  const operation = warmOperation(view)?.operation;
  const times = (phase: "cold" | "warm", of: (times: ExpectedTimes) => Bounds | undefined) =>
    view.rows[phase]
      .filter((series) => phase === "cold" || series.operation === operation)
      .flatMap(({ cell, onLambda }) => withRange(cell, onLambda && of(onLambda)));
  const parts = [
    { calls: "cold start", sized: times("cold", ({ initAndDurationMs }) => initAndDurationMs) },
    { calls: warmCall(view), sized: times("warm", ({ durationMs }) => durationMs) },
  ].filter(({ sized }) => sized.length > 0);
  const texts = parts.map(({ calls, sized }, index) => {
    const ends = endsOf(view, sized);
    const before = parts[index - 1];
    const isSameSizes =
      before !== undefined && placesOf(endsOf(view, before.sized)) === placesOf(ends);
    const name = index === 0 ? ` of ${shortLabel(view, variant)} would take` : "";
    const amounts = ends.map(({ span, place }) => `${span} ms${isSameSizes ? "" : place}`);
    return `a ${calls}${name} ${joined(amounts)}`;
  });
  return texts.length === 0 ? [] : [`On Lambda (90% ranges of means), ${texts.join("; ")}.`];
}

/** The range at the smallest or the largest size. */
interface RangeAtEnd {
  /** `150–480`. */
  readonly span: string;
  /** ` at 128 MB`. */
  readonly place: string;
}

function placesOf(ends: readonly RangeAtEnd[]): string {
  return ends.map(({ place }) => place).join();
}

function endsOf(view: ReportView, sized: readonly Sized[]): readonly RangeAtEnd[] {
  const sizes = sized.map(({ cell }) => cell.memoryMb);
  const ends = [...new Set([Math.min(...sizes), Math.max(...sizes)])];
  return ends.map((memoryMb) => {
    const own = sized.filter(({ cell }) => cell.memoryMb === memoryMb);
    const [{ cell }] = own as [Sized];
    const size = own.length === 1 ? sizeLabel(view, cell) : `${count(memoryMb)} MB`;
    return { span: shortSpan(hull(own)), place: ` at ${size}` };
  });
}
