import {
  claimsDirection,
  type ExpectedTimes,
  expectedRatio,
  expectedTimes,
} from "../../analysis/on-lambda.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import { seriesIn, variantsRun } from "../../analysis/select.ts";
import type { Phase } from "../../analysis/series-view.ts";
import type { Cell } from "../../contract/types/contract.ts";
import type { LambdaRange } from "../../prediction/spread.ts";
import { calibratedText } from "../calibration-text.ts";
import { sizeLabel } from "../document/cell-labels.ts";
import { spanOfRange } from "../document/format.ts";
import { comparisonsOf } from "../section/columns.ts";
import { joined } from "./spoken-numbers.ts";
import { startWords, warmWords } from "./topic.ts";
import { shortLabel } from "./view-topics.ts";

/** The results to expect on Lambda from a local run, in a few sentences; none for other runs. */
export function expectedTexts(view: ReportView): readonly string[] {
  const { onLambda } = view;
  if (onLambda === undefined) return [];
  if (onLambda.lacksSpeed) {
    return ["Nothing is expected on Lambda: this run did not store how fast its machine is."];
  }
  const { baselineVariant } = view.subject;
  const variants = variantsRun(view);
  const others = variants.filter((variant) => variant !== baselineVariant);
  const texts =
    variants.length === 1
      ? variants.flatMap((variant) => timesText(view, variant))
      : others.flatMap((variant) => ratiosText(view, variant));
  const isOpen = onLambda.ratios.some(({ range }) => !claimsDirection(range));
  return [
    ...(texts.length === 0
      ? ["Nothing is published that these times could be held against."]
      : [
          `Expected on Lambda (90% ranges of means${calibratedText(onLambda)}): ${texts.join("; ")}.`,
        ]),
    ...(texts.length > 0 && isOpen ? ["Where a range includes 1, either may be faster."] : []),
    ...(texts.length > 0 && onLambda.coversEveryKind
      ? ["These functions may do any kind of work, so the ranges cover every kind."]
      : []),
    ...(onLambda.lacksSmallSizes
      ? ["This machine does not limit sizes below 1,769 MB, so nothing is said of them."]
      : []),
  ];
}

interface Kind {
  readonly words: typeof startWords;
  readonly phase: Phase;
  readonly quantity: "initAndDurationMs" | "durationMs";
}

const kinds: readonly Kind[] = [
  { words: startWords, phase: "cold", quantity: "initAndDurationMs" },
  { words: warmWords, phase: "warm", quantity: "durationMs" },
];

/** `Python takes 0.45 to 1.3 times as long as Rust for a cold start at 128 MB and 1.2 to 4 times at 1,769 MB`. */
function ratiosText(view: ReportView, variant: string): readonly string[] {
  const clauses = kinds.flatMap(({ words, phase, quantity }) => {
    const ranges = comparisonsOf(view, variant, phase, quantity).flatMap((each) =>
      sized(each.cell, expectedRatio(view, each)),
    );
    const texts = atEnds(view, ranges, (range) => `${spanOfRange(range)} times`);
    return texts.length === 0 ? [] : [{ texts, slower: words.slower }];
  });
  const [first] = clauses;
  if (first === undefined) return [];
  const against = shortLabel(view, view.subject.baselineVariant);
  const said = clauses.map(({ texts, slower }, index) => {
    const [[span = "", size = ""] = [], ...others] = texts;
    const than = index === 0 ? ` as long as ${against}` : "";
    const rest = others.map(([range, at]) => ` and ${range} at ${at}`).join("");
    return `${span}${than} ${slower} at ${size}${rest}`;
  });
  return [`${shortLabel(view, variant)} takes ${joined(said)}`];
}

/** `its cold starts take 150 to 480 ms at 128 MB`. */
function timesText(view: ReportView, variant: string): readonly string[] {
  return kinds.flatMap(({ words, phase, quantity }) => {
    const ranges = seriesIn(view, phase)
      .filter(({ cell }) => cell.variant === variant)
      .flatMap((series) => sized(series.cell, rangeOf(expectedTimes(view, series), quantity)));
    const texts = atEnds(view, ranges, (range) => `${spanOfRange(range)} ms`);
    const places = texts.map(([range, at]) => `${range} at ${at}`);
    return places.length === 0 ? [] : [`its ${words.calls} take ${joined(places)}`];
  });
}

function rangeOf(times: ExpectedTimes | undefined, quantity: Kind["quantity"]) {
  return quantity === "initAndDurationMs" ? times?.initAndDurationMs : times?.durationMs;
}

interface Sized {
  readonly cell: Cell;
  readonly range: LambdaRange;
}

function sized(cell: Cell, range: LambdaRange | undefined): readonly Sized[] {
  return range === undefined ? [] : [{ cell, range }];
}

/** The ranges at the smallest and the largest size; each covers all operations. */
function atEnds(
  view: ReportView,
  ranges: readonly Sized[],
  text: (range: Pick<LambdaRange, "low" | "high">) => string,
): readonly (readonly [range: string, size: string])[] {
  const sizes = ranges.map(({ cell }) => cell.memoryMb);
  const ends = [...new Set([Math.min(...sizes), Math.max(...sizes)])];
  return ends.flatMap((memoryMb) => {
    const own = ranges.filter(({ cell }) => cell.memoryMb === memoryMb);
    const [first] = own;
    if (first === undefined) return [];
    const low = Math.min(...own.map(({ range }) => range.low));
    const high = Math.max(...own.map(({ range }) => range.high));
    return [[text({ low, high }), sizeLabel(view, first.cell)] as const];
  });
}
