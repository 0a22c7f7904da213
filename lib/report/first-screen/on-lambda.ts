import { type ExpectedTimes, lambdaDirection } from "../../analysis/on-lambda.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { RowComparison } from "../../analysis/rows.ts";
import { memoryMbPerVcpu } from "../../contract/cpu-credit.ts";
import type { Cell } from "../../contract/types/contract.ts";
import { familyOf } from "../../prediction/function-kind.ts";
import { shortLabel, sizeLabel } from "../document/cell-labels.ts";
import { shortSpan, unlimitedText } from "../document/format.ts";
import { type LambdaClaim, lambdaPhrase, lambdaTimesPhrase, type Phrase } from "../phrases.ts";
import { soundComparisons } from "./sound-comparisons.ts";
import { warmOperation } from "./warm-operation.ts";

const mostVariants = 2;

/** Predicts how a run on one machine would compare on Lambda: of each variant, the strongest claim of each call. */
export function lambdaPhrases(view: ReportView): readonly Phrase[] {
  const { baselineVariant } = view.subject;
  const [only, ...others] = view.variants;
  if (only !== undefined && others.length === 0) return timePhrases(view, only);
  const against = shortLabel(view, baselineVariant);
  const subjects = view.variants
    .filter((variant) => variant !== baselineVariant)
    .map((variant) => ({ subject: shortLabel(view, variant), claims: claimsOf(view, variant) }))
    .filter(({ claims }) => claims.length > 0)
    .toSorted((a, b) => nearest(b.claims) - nearest(a.claims))
    .slice(0, mostVariants);
  return subjects.length === 0 ? [] : [lambdaPhrase(against, subjects)];
}

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
    return `No prediction for Lambda: ${unlimitedText}.`;
  }
  const hasIntervals = series.some(
    ({ phase, durationMs }) => phase !== "second" && durationMs.low !== undefined,
  );
  return onLambda?.times.length === 0 && hasIntervals
    ? "No prediction for Lambda: calls like these are predicted only from a machine as fast as the study's."
    : "This run has too few environments to say what Lambda would show.";
}

function claimsOf(view: ReportView, variant: string): readonly LambdaClaim[] {
  const warm = warmOperation(view);
  const cold = soundComparisons(view, variant, "cold", "initAndDurationMs");
  const ofWarm = soundComparisons(view, variant, "warm", "durationMs").filter(
    ({ operation }) => operation === warm?.operation,
  );
  return [
    ...claim(view, "cold start", cold),
    ...claim(view, `warm ${warm?.name ?? "call"}`, ofWarm),
  ];
}

/** Returns the size whose range lies furthest from 1, and counts those that say the same. */
function claim(
  view: ReportView,
  call: string,
  compared: readonly RowComparison[],
): readonly LambdaClaim[] {
  const ranged = compared.flatMap(({ cell, onLambda: range }) =>
    range === undefined ? [] : [{ cell, range, direction: lambdaDirection(range) }],
  );
  const [strongest] = ranged.toSorted((a, b) => nearBound(b) - nearBound(a));
  if (strongest === undefined) return [];
  const { cell, range, direction } = strongest;
  const sizesWith = (wanted: string) => ranged.filter((each) => each.direction === wanted).length;
  return [
    {
      ...{ call, size: sizeLabel(view, cell), range, direction, sizes: ranged.length },
      alike: sizesWith(direction),
      opposite:
        direction === "either" ? 0 : sizesWith(direction === "slower" ? "faster" : "slower"),
    },
  ];
}

function nearBound({ range: { low, high } }: Pick<LambdaClaim, "range">): number {
  return Math.max(low, 1 / high);
}

function nearest(claims: readonly LambdaClaim[]): number {
  return Math.max(...claims.map(nearBound));
}

/** Predicts the times of the only variant at its smallest and its largest size. */
function timePhrases(view: ReportView, variant: string): readonly Phrase[] {
  const warm = warmOperation(view);
  const cold = endsOf(view, "cold", view.plan.coldOperation, (own) => own.initAndDurationMs);
  const ofWarm = endsOf(view, "warm", warm?.operation, (own) => own.durationMs);
  const times = [
    { call: "cold start", spans: cold },
    { call: `warm ${warm?.name ?? "call"}`, spans: ofWarm },
  ].filter(({ spans }) => spans.length > 0);
  return times.length === 0 ? [] : [lambdaTimesPhrase(shortLabel(view, variant), times)];
}

function endsOf(
  view: ReportView,
  phase: "cold" | "warm",
  operation: string | undefined,
  of: (times: ExpectedTimes) => { readonly low: number; readonly high: number } | undefined,
): readonly string[] {
  const ranged = view.rows[phase]
    .filter((row) => row.operation === operation)
    .flatMap(({ cell, onLambda }) => {
      const range = onLambda && of(onLambda);
      return range === undefined ? [] : [{ cell, range }];
    })
    .toSorted((a, b) => a.cell.memoryMb - b.cell.memoryMb);
  const ends = [...new Set([ranged[0], ranged.at(-1)])].filter((each) => each !== undefined);
  return ends.map(({ cell, range }) => `${shortSpan(range)} ms at ${sizeLabel(view, cell)}`);
}
