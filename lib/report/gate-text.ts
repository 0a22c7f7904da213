import type { MetricName } from "../analysis/collected-series.ts";
import { findEffects } from "../analysis/findings.ts";
import { type Gated, type GateFinding, isCompared, slowdownNotExcluded } from "../analysis/gate.ts";
import type { GateRemedy } from "../analysis/gate-remedy.ts";
import { lambdaDirection } from "../analysis/on-lambda.ts";
import type { Compared } from "../analysis/series-ratio.ts";
import type { Phase } from "../analysis/series-view.ts";
import type { LambdaRange } from "../prediction/spread.ts";
import { code, plain, type Text } from "./document/document.ts";
import { count, metricName, number, plural, shareText, shortSpan } from "./document/format.ts";
import { topicSentences } from "./first-screen/sentences.ts";
import { callWords, type Topic } from "./first-screen/topic.ts";
import { lostText } from "./lost-calls-text.ts";
import { countsText, undecidedPhrase } from "./phrases.ts";

/** Lists the comparisons that a gate could not make, each with its cause; empty if it made them all. */
export function notComparedTexts(finding: GateFinding): readonly string[] {
  const { comparisons, tooFew, withoutRatio, withoutFigures, unsound, lost, unshared } = finding;
  const { missingCalls, failedTrials, partialRuns } = finding;
  const has = ({ length }: readonly unknown[], what: string) =>
    length === 0
      ? []
      : [`${plural(length, "comparison")} ${length === 1 ? "has" : "have"} ${what}`];
  const are = (n: number, one: string, what: string) =>
    n === 0 ? [] : [`${plural(n, one)} ${n === 1 ? "is" : "are"} ${what}`];
  return [
    ...lost.map(lostText),
    ...(lost.length === 0
      ? are(unsound.length, "comparison", "left out, as too many calls do not count")
      : []),
    ...(failedTrials === 0 ? [] : [`${plural(failedTrials, "trial")} failed`]),
    ...are(partialRuns, "run", "partial"),
    ...are(missingCalls, "planned call", "missing"),
    ...(unshared.length === 0 ? [] : [unsharedText(unshared.length)]),
    ...(comparisons === 0 ? ["there is nothing to compare"] : []),
    ...has(tooFew, "too few environments"),
    ...has(withoutRatio, "a mean of 0, and no ratio"),
    ...has(withoutFigures, "a figure that is not a number"),
  ];
}

/** Returns `2 cells, kinds of call or experiments are in one run only`. */
function unsharedText(n: number): string {
  return n === 1
    ? "1 cell, kind of call or experiment is in one run only"
    : `${count(n)} cells, kinds of call or experiments are in one run only`;
}

/** What a gate's exit code says: 1 and 7 fail, 4 and 6 cannot tell, 0 passes. */
export type GateStatus = "FAIL" | "CANNOT TELL" | "PASS";

/**
 * Returns `FAIL: head is slower than base on a warm call: 1.37× [1.21, 1.57] at 512 MB. 1 slower, 11 undecided of 12.`:
 * what decides, then all verdicts, then what is not excluded. Other comparisons that are slower follow, a line each.
 *
 * @param topicOf makes the question of a single comparison.
 */
export function gateLines<Each extends Gated>(
  finding: GateFinding<Each>,
  status: GateStatus,
  topicOf: (compared: Each) => Topic,
): readonly string[] {
  const { verdicts } = finding;
  const whole = isCompared(finding)
    ? []
    : [`Not compared in full: ${notComparedTexts(finding).join("; ")}.`];
  const counts = verdicts.length === 0 ? [] : [`${countsText(verdicts)}.`];
  const [cause, ...others] =
    status === "FAIL" ? slowerTexts(finding, topicOf) : openTexts(finding, status, topicOf);
  const causes = cause === undefined ? [] : [cause];
  const all = [...causes, ...whole, ...counts, ...notExcludedTexts(finding)].join(" ");
  return [`${status}: ${all}`.replace(/^CANNOT TELL: Cannot tell /, "CANNOT TELL "), ...others];
}

function slowerTexts<Each extends Gated>(
  { slower, margin }: GateFinding<Each>,
  topicOf: (compared: Each) => Topic,
): readonly string[] {
  return topicSentences(slower.map(topicOf), margin).sentences.map(plain);
}

function openTexts<Each extends Gated>(
  finding: GateFinding<Each>,
  status: GateStatus,
  topicOf: (compared: Each) => Topic,
): readonly string[] {
  if (status === "PASS") return ["Nothing is slower."];
  const [widest] = finding.notProven.toSorted((a, b) => (b.high ?? 0) - (a.high ?? 0));
  if (widest === undefined || !isCompared(finding)) return [];
  const topic = topicOf(widest);
  return [plain(undecidedPhrase(topic, topic.compared))];
}

/** Returns `Not excluded: a slowdown up to 1.19×; a slow path in fewer than 1 of 3 environments.` */
export function notExcludedTexts(finding: GateFinding): readonly string[] {
  const { undecided, notProven, margin, unseenShare, slower } = finding;
  const isPassed = slower.length === 0 && isCompared(finding);
  const largest = slowdownNotExcluded(finding);
  const isBounded = undecided.length > 0 && notProven.length === 0;
  const open = [
    ...(undecided.length === 0 || largest === undefined
      ? []
      : [`a slowdown up to ${number(largest)}×`]),
    ...(isPassed
      ? [`a slow path in fewer than 1 of ${count(Math.floor(1 / unseenShare))} environments`]
      : []),
  ];
  return [
    ...(isBounded ? [`A slowdown of more than ${shareText(margin)} is excluded.`] : []),
    ...(open.length === 0 ? [] : [`Not excluded: ${open.join("; ")}.`]),
  ];
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
    return "More environments are not expected to decide what is open: ratios lie too near the margin for a run of reasonable length, within A/A noise or within one CPU period.";
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
  /** What is compared, without the number: `series`. */
  readonly what: string;
  readonly against: string;
  readonly gate: GateFinding;
  readonly notCompared: readonly string[];
}

/** Returns `1 slower, 83 undecided of 84 series. python-arm64-128 is slower than before on a warm call: 1.50× [1.44, 1.56].` */
export function comparedText({ rows, what, against, gate, notCompared }: ComparedRows): string {
  const cause =
    notCompared.length === 0 ? [] : [`Not compared in full: ${notCompared.join("; ")}.`];
  if (rows.length === 0) return cause.join("");
  const counts = `${countsText(rows.map(({ verdict }) => verdict))} ${what}.`;
  const strongest = findEffects(rows).effects.toSorted(
    (a, b) => Number(b.direction === "slower") - Number(a.direction === "slower"),
  );
  const decided = strongest.slice(0, 1).map(({ most: { comparison } }) => {
    const { name, phase, operation } = comparison;
    const call =
      phase === "warm" ? { ...callWords.warm, on: `on a warm ${operation}` } : callWords[phase];
    const [subject = name, base = against] = name.split(" against ");
    const topic = { subject, against: base, call, compared: [{ ...comparison, row: "" }] };
    return topicSentences([topic], gate.margin).sentences.map(plain);
  });
  return [...cause, counts, ...decided.flat(), ...notExcludedTexts(gate)].join(" ");
}

/** Explains the verdicts of a comment. */
export function readingText(margin: number): string {
  return `Slower or faster: the whole 95% CI of the ratio lies beyond the margin of ${shareText(margin)}, and the difference is significant after correction for the number of comparisons. Undecided is not the same. Ratios are of means over execution environments; a cold start is Init and the first Duration together.`;
}

/** Summarizes the comparisons that are neither slower nor faster. */
export function restText(rest: readonly Compared[]): string {
  if (rest.length === 0) return "How to read it";
  return `The rest: ${countsText(rest.map(({ verdict }) => verdict))}; and how to read it`;
}

const mostOnLambda = 4;

/** Predicts the decided comparisons of local runs on Lambda, in one line; undefined without any prediction. */
export function lambdaText(decided: readonly NamedComparison[]): Text | undefined {
  const ranged = decided.flatMap((row) =>
    row.onLambda === undefined ? [] : [{ row, range: row.onLambda }],
  );
  if (ranged.length === 0) return undefined;
  const claimed = ranged.filter(({ range }) => lambdaDirection(range) !== "either");
  const shown = claimed
    .slice(0, mostOnLambda)
    .flatMap(({ row, range }, index) => [
      index === 0 ? "" : "; ",
      ...[code(row.name), `, ${callText(row)}, ${shortSpan(range)}×`],
    ]);
  const notShown = claimed.length - Math.min(claimed.length, mostOnLambda);
  const more = notShown === 0 ? "" : `; and ${count(notShown)} more on one side of 1`;
  const open = ranged.length - claimed.length;
  const either =
    open === 0
      ? ""
      : `${claimed.length === 0 ? "" : "; "}either may be faster in ${count(open)} of ${count(ranged.length)} decided here`;
  return ["On Lambda (90%): ", ...shown, `${more}${either}.`];
}
