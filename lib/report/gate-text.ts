import type { MetricName } from "../analysis/collected-series.ts";
import { findEffects } from "../analysis/findings.ts";
import { type GateFinding, isCompared, slowdownNotExcluded } from "../analysis/gate.ts";
import type { GateRemedy } from "../analysis/gate-remedy.ts";
import { claimsDirection } from "../analysis/on-lambda.ts";
import type { Compared } from "../analysis/series-ratio.ts";
import type { Phase } from "../analysis/series-view.ts";
import type { LambdaRange } from "../prediction/spread.ts";
import { code, type Text } from "./document/document.ts";
import { count, metricName, number, plural, shareText, spanOfRange } from "./document/format.ts";
import { howLost, lostText } from "./lost-calls-text.ts";

/** Lists the comparisons that a gate could not make, each with its cause; empty if it made them all. */
export function notComparedTexts(finding: GateFinding): readonly string[] {
  const { comparisons, tooFew, withoutRatio, withoutFigures, withLostCalls, lost, unshared } =
    finding;
  const { missingCalls, rejectedCalls, failedTrials, partialRuns } = finding;
  const has = ({ length }: readonly unknown[], what: string) =>
    length === 0
      ? []
      : [`${plural(length, "comparison")} ${length === 1 ? "has" : "have"} ${what}`];
  const are = (n: number, one: string, what: string) =>
    n === 0 ? [] : [`${plural(n, one)} ${n === 1 ? "is" : "are"} ${what}`];
  return [
    ...lost.map(lostText),
    ...(lost.length === 0
      ? are(withLostCalls.length, "comparison", `left out, as calls ${howLost}`)
      : []),
    ...(failedTrials === 0 ? [] : [`${plural(failedTrials, "trial")} failed`]),
    ...are(partialRuns, "run", "partial"),
    ...are(missingCalls, "planned call", "missing"),
    ...(rejectedCalls === 0
      ? []
      : [`${plural(rejectedCalls, "call")} do not count for their phase`]),
    ...(unshared.length === 0 ? [] : [unsharedText(unshared.length)]),
    ...(comparisons === 0 ? ["there is nothing to compare"] : []),
    ...has(tooFew, "too few environments"),
    ...has(withoutRatio, "a mean of 0, and no ratio"),
    ...has(withoutFigures, "a figure that is not a number"),
  ];
}

/** Returns `2 cells, operations or experiments are in one run alone`. */
function unsharedText(n: number): string {
  return n === 1
    ? "1 cell, operation or experiment is in one run alone"
    : `${count(n)} cells, operations or experiments are in one run alone`;
}

/** Returns `0 slower, 3 undecided: a slowdown of up to 1.91 times is not excluded`, or why nothing was compared. */
export function gateText(finding: GateFinding): string {
  const counts = `${count(finding.slower.length)} slower, ${undecidedText(finding)}`;
  return isCompared(finding)
    ? counts
    : `not compared in full (${notComparedTexts(finding).join("; ")}); ${counts}`;
}

/** Returns `3 undecided: a slowdown of up to 1.91 times is not excluded`. */
export function undecidedText(finding: GateFinding): string {
  const { undecided, notProven, margin } = finding;
  const largest = slowdownNotExcluded(finding);
  const open = `${count(undecided.length)} undecided`;
  if (undecided.length === 0) return open;
  if (notProven.length === 0) {
    return `${open}: a slowdown of more than ${shareText(margin)} is excluded`;
  }
  return largest === undefined
    ? open
    : `${open}: a slowdown of up to ${number(largest)} times is not excluded`;
}

/** Returns options for a run that is expected to be decisive: `--preset standard --cold 60 --warm 660`. */
export function remedyOptions(remedy: GateRemedy): readonly string[] {
  switch (remedy.kind) {
    case "environments": {
      const { environments, warmCalls } = remedy;
      return ["--preset", "standard", "--cold", `${environments}`, "--warm", `${warmCalls}`];
    }
    case "precision": {
      const share = Math.max(0.1, Math.floor(1000 * remedy.untilPrecision) / 10);
      const minutes = minutesOf(remedy);
      const budget = minutes === undefined ? [] : ["--max-minutes", `${2 * minutes}`];
      return ["--preset", "standard", "--until-precision", `${share}%`, ...budget];
    }
    default:
      return [];
  }
}

function minutesOf({ minutes }: { readonly minutes?: number }): number | undefined {
  return minutes === undefined ? undefined : Math.max(1, Math.ceil(minutes));
}

/**
 * Returns `To decide what is open: --preset standard --cold 60 --warm 660, about 12 minutes.`
 * @param command text to print instead of the options alone.
 */
export function remedyText(remedy: GateRemedy, command = remedyOptions(remedy).join(" ")): string {
  if (remedy.kind === "none") {
    return "More environments are not expected to decide what is open: ratios lie too near the margin, within A/A noise or within one CPU period.";
  }
  const minutes = minutesOf(remedy);
  const time = minutes === undefined ? "" : `, about ${plural(minutes, "minute")}`;
  return `To decide what is open: ${command}${time}.`;
}

/** A comparison with a name for its function and size. */
export interface NamedComparison extends Compared {
  readonly name: string;
  readonly phase: Phase;
  readonly operation: string;
  readonly quantity: MetricName;
  /** 90% range of the ratio on Lambda, for local runs. Absent if there is no prediction. */
  readonly onLambda?: LambdaRange;
}

export function callText({ phase, operation, quantity }: NamedComparison): string {
  return `${phase} ${operation}${quantity === "durationMs" ? "" : `, ${metricName(quantity)}`}`;
}

interface ComparedRows {
  readonly rows: readonly NamedComparison[];
  /** What is compared, without the number: `series of both runs`. */
  readonly what: string;
  readonly gate: GateFinding;
  readonly notCompared: readonly string[];
}

/** Returns `Of 84 series of both runs: 2 slower, at most 1.50 [1.44, 1.56] times (python-arm64-128, warm get)`. */
export function comparedText({ rows, what, gate, notCompared }: ComparedRows): string {
  const cause = notCompared.length === 0 ? "" : `Not compared in full: ${notCompared.join("; ")}. `;
  if (rows.length === 0) return cause.trimEnd();
  const { effects, equivalent } = findEffects(rows);
  const clauses = effects
    .toSorted((a, b) => (a.direction === b.direction ? 0 : a.direction === "slower" ? -1 : 1))
    .map(({ direction, decided, most: { times, low, high, comparison } }) => {
      const interval = `${number(times, 2)} [${number(low, 2)}, ${number(high, 2)}]`;
      return `${count(decided.length)} ${direction}, at most ${interval} times (${comparison.name}, ${callText(comparison)})`;
    });
  const all = `${count(rows.length)} ${what}`;
  const open = gate.undecided.length === 0 ? [] : [undecidedText(gate)];
  if (clauses.length > 0) return `${cause}Of ${all}: ${[...clauses, ...open].join("; ")}`;
  return equivalent.length === rows.length
    ? `${cause}Nothing is slower or faster: all ${all} are equivalent`
    : `${cause}Of ${all}: 0 slower, ${count(equivalent.length)} equivalent, ${undecidedText(gate)}`;
}

/** Explains the verdicts of a comment. */
export function readingText(margin: number): string {
  return `Slower or faster: the whole 95% CI of the ratio lies beyond the margin of ${shareText(margin)}, and the difference is significant after correction for the number of comparisons. Inconclusive is not equal. Ratios are of means over execution environments; a cold start is Init and the first Duration together.`;
}

/** Summarizes the comparisons that are neither slower nor faster. */
export function restText(rest: readonly Compared[]): string {
  if (rest.length === 0) return "How to read it";
  const equivalent = rest.filter(({ verdict }) => verdict === "equivalent").length;
  return `The rest: ${count(equivalent)} equivalent, ${count(rest.length - equivalent)} inconclusive; and how to read it`;
}

const mostOnLambda = 4;

/** Predicts the decided comparisons of local runs on Lambda, in one line; undefined without any prediction. */
export function lambdaText(decided: readonly NamedComparison[]): Text | undefined {
  const ranged = decided.flatMap((row) =>
    row.onLambda === undefined ? [] : [{ row, range: row.onLambda }],
  );
  if (ranged.length === 0) return undefined;
  const claimed = ranged.filter(({ range }) => claimsDirection(range));
  const shown = claimed
    .slice(0, mostOnLambda)
    .flatMap(({ row, range }, index) => [
      index === 0 ? "" : "; ",
      ...[code(row.name), `, ${callText(row)}, ${spanOfRange(range)} times`],
    ]);
  const notShown = claimed.length - Math.min(claimed.length, mostOnLambda);
  const more = notShown === 0 ? "" : `; and ${count(notShown)} more on one side of 1`;
  const open = ranged.length - claimed.length;
  const either =
    open === 0
      ? ""
      : `${claimed.length === 0 ? "" : "; "}either may be faster in ${count(open)} of ${count(ranged.length)} decided here`;
  return ["On Lambda (90% ranges of the ratio): ", ...shown, `${more}${either}.`];
}
