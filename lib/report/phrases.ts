import { type Effect, type Judged, type Multiple, partsFromMedian } from "../analysis/findings.ts";
import type { LambdaDirection } from "../analysis/on-lambda.ts";
import type { Unsound } from "../analysis/standing.ts";
import type { FewCalls } from "../statistics/few-calls.ts";
import { link, type Span } from "./document/document.ts";
import {
  count,
  decimalsFor,
  number,
  plural,
  shareText,
  shortSpan,
  verdictWords,
} from "./document/format.ts";
import {
  callWords,
  isOneOperation,
  type Placed,
  placeText,
  type Topic,
} from "./first-screen/topic.ts";
import { lossText } from "./lost-calls-text.ts";

declare const wording: unique symbol;

/** A sentence about outcomes: its fixed form is one of this file's, and no other file makes one. */
export type Phrase = readonly Span[] & { readonly [wording]: true };

function phrase(...spans: readonly Span[]): Phrase {
  return spans.filter((span) => span !== "") as unknown as Phrase;
}

/** `head is slower than base on a cold start: 5.5× [5.2, 5.8] at 128 MB (slower at 3 of 4 sizes).` */
export function decidedPhrase(topic: Topic, { direction, most, decided }: Effect<Placed>): Phrase {
  const { comparison } = most;
  return phrase(
    `${capitalised(topic.subject)} is ${direction} than ${topic.against} ${topic.call.on}: `,
    link(multipleText(most), comparison.row),
    `${placeOf(topic, comparison)}${mediansText(direction, comparison)}`,
    `${shareOf(topic, decided, direction)}.`,
  );
}

/** The same of a run on one machine, whose kind of comparison is not predicted for Lambda. */
export function simulatedPhrase(measured: Phrase): Phrase {
  return phrase("Simulated, and not predicted for Lambda: ", ...measured);
}

/** `head is the same as base on a warm call: within 5% at 512 MB (the same at 1 of 4 sizes).` */
export function samePhrase(topic: Topic, same: readonly Placed[], margin: number): Phrase {
  const place = same.length === 1 ? placeOf(topic, same[0] as Placed) : "";
  return phrase(
    `${capitalised(topic.subject)} is ${verdictWords.equivalent} as ${topic.against} ${topic.call.on}: `,
    `within ${shareText(margin)}${place}${shareOf(topic, same, verdictWords.equivalent)}.`,
  );
}

/** `Cannot tell head from base on a warm call: 0.95× [0.80, 1.12] at 512 MB (undecided at 3 of 4 sizes).` */
export function undecidedPhrase(topic: Topic, open: readonly Placed[]): Phrase {
  const [widest] = open.toSorted((a, b) => reach(b) - reach(a)) as [Placed, ...Placed[]];
  const { ratio, low, high, row } = widest;
  const isKnown = ratio !== undefined && low !== undefined && high !== undefined;
  const amount = isKnown ? [link(multipleText({ times: ratio, low, high }), row)] : [];
  const place = isKnown ? placeOf(topic, widest) : "";
  return phrase(
    `Cannot tell ${topic.subject} from ${topic.against} ${topic.call.on}: `,
    ...amount,
    `${place}${isKnown ? shareOf(topic, open, verdictWords.undecided) : ""}`,
    `${causesText(open, isKnown)}.`,
  );
}

/** `1 of 63 warm calls of Python at 128 MB took 10,012 ms: without that one, 1.02×.` */
export function fewCallsPhrase(topic: Topic, { fewCalls, ...placed }: Placed): Phrase | undefined {
  if (fewCalls === undefined) return undefined;
  const { side, other, ratioWithout } = fewCalls;
  const isAbove = side === "above";
  const [name, otherName] = isAbove
    ? [topic.subject, topic.against]
    : [topic.against, topic.subject];
  const isOne = fewCalls.calls === 1 && other === undefined;
  const beside = other === undefined ? "" : `, and ${longCallsText(other)} of ${otherName}`;
  return phrase(
    `${longCallsText(fewCalls, topic.call.calls)} of ${name}${placeOf(topic, placed)}${beside}`,
    ` took ${isOne ? "" : "up to "}${count(Math.max(fewCalls.longest, other?.longest ?? 0))} ms: `,
    `without ${isOne ? "that one" : "those"}, ${number(ratioWithout)}×.`,
  );
}

/** What a range of one size on Lambda says, and of how many sizes the same is said. */
export interface LambdaClaim {
  /** `cold start`. */
  readonly call: string;
  readonly size: string;
  readonly range: { readonly low: number; readonly high: number };
  readonly direction: LambdaDirection;
  readonly sizes: number;
  /** Sizes with the same direction, and with the opposite one. */
  readonly alike: number;
  readonly opposite: number;
}

/** `On Lambda (90%) vs. base. head: cold start 3.6–8.3× slower at 128 MB (3/4); warm call 0.9–2.0×, either.` */
export function lambdaPhrase(
  against: string,
  subjects: readonly { readonly subject: string; readonly claims: readonly LambdaClaim[] }[],
): Phrase {
  const texts = subjects.map(
    ({ subject, claims }) => ` ${subject}: ${claims.map(claimText).join("; ")}.`,
  );
  return phrase(`On Lambda (90%) vs. ${against}.${texts.join("")}`);
}

function claimText({ call, size, range, direction, sizes, alike, opposite }: LambdaClaim): string {
  const { low, high } = range;
  const span = shortSpan(direction === "faster" ? { low: 1 / high, high: 1 / low } : range);
  if (direction === "either") return `${call} ${span}×, either`;
  const other = direction === "slower" ? "faster" : "slower";
  const others = opposite === 0 ? "" : `, ${other} ${opposite}/${sizes}`;
  const share = sizes === 1 ? "" : ` (${alike}/${sizes}${others})`;
  return `${call} ${span}× ${direction} at ${size}${share}`;
}

/** `On Lambda (90%), F: a cold start takes 150–480 ms at 128 MB, 90–210 ms at 1,769 MB; a warm call 3.0–8.1 ms.` */
export function lambdaTimesPhrase(
  subject: string,
  times: readonly { readonly call: string; readonly spans: readonly string[] }[],
): Phrase {
  const texts = times.map(({ call, spans }) => `a ${call} takes ${spans.join(", ")}`);
  return phrase(`On Lambda (90%), ${subject}: ${texts.join("; ")}.`);
}

/** `Not compared: 2 of 9 cold starts of head at 512 MB had a failed Init.` */
export function notComparedPhrase(name: string, unsound: readonly Unsound[]): Phrase {
  const sum = (of: "calls" | "of") => unsound.reduce((total, each) => total + each[of], 0);
  const phases = [...new Set(unsound.flatMap((each) => each.phases))];
  const calls = phases.length === 1 ? callWords[phases[0] ?? "warm"].calls : "calls";
  const reasons = unsound.flatMap((each) => each.reasons);
  return phrase(
    `Not compared: ${count(sum("calls"))} of ${count(sum("of"))} ${calls} of ${name} ${lossText(reasons)}.`,
  );
}

/** `1 slower, 2 the same, 9 undecided of 12`: the verdicts that some have. */
export function countsText(verdicts: readonly Judged["verdict"][]): string {
  const found = (["slower", "faster", "equivalent", "undecided"] as const).flatMap((verdict) => {
    const n = verdicts.filter((each) => each === verdict).length;
    return n === 0 ? [] : [`${count(n)} ${verdictWords[verdict]}`];
  });
  return `${found.join(", ")} of ${count(verdicts.length)}`;
}

/** A multiple, and how it is printed wherever it is first said: `5.50× [5.21, 5.80]`. */
function multipleText({ times, low, high }: Pick<Multiple, "times" | "low" | "high">): string {
  const decimals = Math.min(2, decimalsFor(times));
  const [least, most] = [low, high].map((bound) => number(bound, decimals));
  return `${number(times, decimals)}× [${least}, ${most}]`;
}

function placeOf({ compared }: Topic, { operation, size }: Pick<Placed, "operation" | "size">) {
  const isNamed = operation !== undefined && !isOneOperation(compared);
  return placeText({ ...(size !== undefined && { size }), ...(isNamed && { operation }) });
}

/** ` (slower at 3 of 4 sizes)`, of several comparisons. */
function shareOf({ compared }: Topic, own: readonly Placed[], word: string): string {
  const all = compared.length;
  if (all === 1) return "";
  const isBySize = new Set(compared.map(({ size }) => size)).size === all;
  const noun = isBySize ? "sizes" : "comparisons";
  const whole = all === 2 ? "both" : `all ${count(all)}`;
  const share = own.length === all ? whole : `${count(own.length)} of ${count(all)}`;
  return ` (${word} ${isBySize ? "at" : "in"} ${share} ${noun})`;
}

/** `, 1.11× by medians`, where means and medians disagree, with the cause if calls that wait for CPU explain it. */
function mediansText(direction: "faster" | "slower", compared: Placed): string {
  const { ratio = 1, medianRatio = ratio, moreWaits } = compared;
  if (!partsFromMedian(compared)) return "";
  const times = number(direction === "slower" ? medianRatio : 1 / medianRatio);
  const longMean = ratio > medianRatio ? "cell" : "baseline";
  const more = longMean === "cell" ? "more" : "fewer";
  const cause = moreWaits === longMean ? ` (${more} of its calls wait for CPU)` : "";
  return `, ${times}× by medians${cause}`;
}

/** How far an undecided ratio may lie from 1; without an interval, not at all. */
function reach({ low = 1, high = 1 }: Placed): number {
  return Math.max(Math.log(high), -Math.log(low));
}

/** Causes that an interval does not show. */
const causes: Readonly<Partial<Record<NonNullable<Placed["undecidedReason"]>, string>>> = {
  "not-positive": "a mean is 0",
  "inside-noise-floor": "within A/A noise",
  "within-cpu-period": "within one CPU period",
  "few-calls": "it depends on a few calls",
  "one-of-many": "not significant after correction",
  differs: "significant, but perhaps by less than the margin",
};

/** Each cause with the number of comparisons that have it, unless all do. */
function causesText(open: readonly Placed[], isAfterRatio: boolean): string {
  const texts = open.map((each) =>
    each.undecidedReason === "too-few" ? fewText(each) : causes[each.undecidedReason ?? "differs"],
  );
  const known = open.flatMap(({ undecidedReason }, index) =>
    undecidedReason === undefined ? [] : (texts[index] ?? []),
  );
  const each = [...new Set(known)].map((text) => {
    const n = known.filter((other) => other === text).length;
    return n === open.length ? text : `${count(n)} of them ${text}`;
  });
  if (each.length === 0) return isAfterRatio ? "" : "too little was measured";
  return `${isAfterRatio ? "; " : ""}${each.join("; ")}`;
}

function fewText({ environments, baselineEnvironments, environmentsNeeded }: Placed): string {
  const fewest = Math.min(environments ?? 0, baselineEnvironments ?? 0);
  if (environments !== undefined && fewest === 0) return "one side has no call that counts";
  if (environments === undefined || environmentsNeeded === undefined)
    return "too little was measured";
  return `too few environments, ${count(fewest)} of ${count(environmentsNeeded)}`;
}

type LongCalls = NonNullable<FewCalls["other"]>;

function longCallsText({ calls, allCalls }: LongCalls, name?: string): string {
  return `${count(calls)} of ${name === undefined ? count(allCalls) : plural(allCalls, name, name)}`;
}

/** A sentence that starts with a name keeps it as it is. */
function capitalised(text: string): string {
  return text.replace(/^the /, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
}
