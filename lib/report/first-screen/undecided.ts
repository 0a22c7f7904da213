import type { FewCalls } from "../../statistics/few-calls.ts";
import { amountText, joined, timesText } from "./number-phrases.ts";
import {
  type Answered,
  isOneOperation,
  type Placed,
  pairName,
  placeText,
  type Topic,
} from "./topic.ts";

/** Describes the undecided comparisons with their bounds, the calls that cause this, and the equivalent ones. */
export function restText(topics: readonly Answered[], margin: string): string | undefined {
  const total = topics.reduce((sum, { compared }) => sum + compared.length, 0);
  const equivalent = topics.reduce((sum, { findings }) => sum + findings.equivalent.length, 0);
  const sentences = [
    ...undecidedTexts(topics),
    ...fewCallsTexts(topics),
    ...(equivalent === 0 ? [] : [sameText(equivalent, total, margin)]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function sameText(equivalent: number, total: number, margin: string): string {
  return equivalent === total
    ? `The same within ${margin} in ${total === 1 ? "the only comparison" : `all ${total} comparisons`}.`
    : `The same within ${margin} in ${equivalent} of ${total} comparisons.`;
}

/** Returns `Inconclusive: Rust vs. Python on a warm call (0.83 to 2.6 times as long); 3 of 12 other comparisons (...).` */
function undecidedTexts(topics: readonly Answered[]): readonly string[] {
  const whole = topics.filter(
    ({ findings, compared }) => findings.undecided.length === compared.length,
  );
  const rest = topics.filter((topic) => !whole.includes(topic));
  const open = rest.flatMap(({ findings }) => findings.undecided);
  const total = rest.reduce((sum, { compared }) => sum + compared.length, 0);
  const names = [...new Set(whole.map(pairName))];
  const parts = [
    ...names.map((name) => {
      const ofPair = whole.filter((topic) => pairName(topic) === name);
      const [{ subject, against }] = ofPair as [Answered];
      return `${subject} vs. ${against} ${worksText(ofPair)}`;
    }),
    ...(open.length === 0
      ? []
      : [
          `${open.length} of ${total} ${whole.length === 0 ? "" : "other "}comparisons${detailsText(open)}`,
        ]),
  ];
  return parts.length === 0 ? [] : [`Inconclusive: ${parts.join("; ")}.`];
}

/** Lists the kinds of work with the bounds of each, or with the bounds once if all are equal. */
function worksText(topics: readonly Topic[]): string {
  const details = topics.map(({ compared }) => detailsText(compared));
  const works = topics.map(({ phrases }, index) => `${phrases.slower}${details[index]}`);
  const [shared = ""] = details;
  return new Set(details).size === 1
    ? `${joined(topics.map(({ phrases }) => phrases.slower))}${shared}`
    : joined(works);
}

/** Returns the bounds of the intervals, and why the comparisons are undecided. */
function detailsText(compared: readonly Placed[]): string {
  const parts = [...boundsTexts(compared), ...causeTexts(compared)];
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

/** Lists the causes that intervals do not show, each with a count unless all comparisons share it. */
function causeTexts(compared: readonly Placed[]): readonly string[] {
  const reasons = compared.flatMap(({ undecidedReason }) => undecidedReason ?? []);
  return [...new Set(reasons)].flatMap((reason) => {
    const cause = causes[reason];
    if (cause === undefined) return [];
    const own = compared.filter(({ undecidedReason }) => undecidedReason === reason);
    const text = reason === "too-few" ? fewText(own) : cause;
    return own.length === compared.length ? [text] : [`${own.length} of them ${text}`];
  });
}

/** Causes that an interval does not show. `few-calls` has its own sentence. */
const causes: Readonly<Partial<Record<NonNullable<Placed["undecidedReason"]>, string>>> = {
  "too-few": "too little was measured",
  "not-positive": "a mean is 0",
  "inside-noise-floor": "within A/A noise",
  "within-cpu-period": "within one CPU period",
  "one-of-many": "not significant after correction",
  differs: "significant, but perhaps by less than the margin",
};

/** Says what is missing: one side has no kept sample, or there are too few environments. */
function fewText(compared: readonly Placed[]): string {
  const sides = compared.flatMap(({ environments, baselineEnvironments }) =>
    environments === undefined || baselineEnvironments === undefined
      ? []
      : [Math.min(environments, baselineEnvironments)],
  );
  const needed = Math.max(0, ...compared.map(({ environmentsNeeded = 0 }) => environmentsNeeded));
  if (sides.length < compared.length) return causes["too-few"] as string;
  const [fewest, most] = [Math.min(...sides), Math.max(...sides)];
  if (most === 0) return "one side has no call that counts";
  const found = fewest === most ? String(most) : `${fewest} to ${most}`;
  return needed === 0
    ? (causes["too-few"] as string)
    : `too few environments: ${found} of ${needed}`;
}

function boundsTexts(compared: readonly Placed[]): readonly string[] {
  const lows = compared.flatMap(({ low }) => low ?? []);
  const highs = compared.flatMap(({ high }) => high ?? []);
  if (lows.length === 0) return [];
  const [low, high] = [Math.min(...lows), Math.max(...highs)].map((bound) => bound.toPrecision(2));
  const ends = [low, high].map((bound) => timesText(Number(bound)));
  return [`95% CI ${ends.join(" to ")} times as long`];
}

/** Describes the calls that leave a difference undecided because they make up most of it. */
function fewCallsTexts(topics: readonly Answered[]): readonly string[] {
  const [most, ...others] = topics.flatMap(listFewCalls).toSorted((a, b) => b.change - a.change);
  if (most === undefined) return [];
  const more = others.length === 0 ? "" : ` A few calls leave ${others.length} more inconclusive.`;
  return [`${fewCallsText(most)}.${more}`];
}

/** A comparison that a few calls leave undecided. */
interface LeftOpen {
  readonly topic: Answered;
  readonly fewCalls: FewCalls;
  /** Size and operation, as in a sentence. */
  readonly place: string;
  /** How far these calls change the ratio, as a logarithm. */
  readonly change: number;
}

function listFewCalls(topic: Answered): readonly LeftOpen[] {
  return topic.findings.undecided.flatMap(({ fewCalls, size, operation, ratio = 1 }) => {
    if (fewCalls === undefined) return [];
    const change = Math.abs(Math.log(ratio / fewCalls.ratioWithout));
    const isNamed = !isOneOperation(topic.compared) && operation !== undefined;
    const place = placeText({ ...(size && { size }), ...(isNamed && { operation }) });
    return [{ topic, fewCalls, place, change }];
  });
}

/** Returns `1 of 63 warm calls of Python took 900 ms; without that one it would take 1.3 times as long as Rust`. */
function fewCallsText({ topic, fewCalls, place }: LeftOpen): string {
  const isAbove = fewCalls.side === "above";
  const [name, other] = isAbove ? [topic.subject, topic.against] : [topic.against, topic.subject];
  const ratio = isAbove ? fewCalls.ratioWithout : 1 / fewCalls.ratioWithout;
  const isOne = fewCalls.calls === 1 && fewCalls.other === undefined;
  const longest = [
    `${callsOf(fewCalls, topic.phrases.calls)} of ${name}${place} took ${longestText(fewCalls)}`,
    ...(fewCalls.other === undefined
      ? []
      : [`${callsOf(fewCalls.other)} of ${other} ${longestText(fewCalls.other)}`]),
  ].join(", and ");
  const it = fewCalls.other === undefined ? "it" : name;
  return `${longest}; without ${isOne ? "that one" : "those"} ${it} would ${againstText(ratio, other)}`;
}

type LongCalls = NonNullable<FewCalls["other"]>;

/** Returns `1 of 63 warm calls`. */
function callsOf({ calls, allCalls }: LongCalls, name?: string): string {
  return [`${calls} of ${timesText(allCalls)}`, ...(name === undefined ? [] : [name])].join(" ");
}

/** Returns `10,012 ms` or `up to 10,012 ms`. */
function longestText({ calls, longest }: LongCalls): string {
  return `${calls === 1 ? "" : "up to "}${timesText(Math.round(longest))} ms`;
}

/** Returns `take 1.3 times as long as Python` or `be 2 times faster than Python`. */
function againstText(ratio: number, other: string): string {
  const amount = amountText(ratio);
  if (amount.endsWith("faster")) return `be ${amount} than ${other}`;
  return amount.endsWith("longer") ? `take ${amount} than ${other}` : `take ${amount} as ${other}`;
}
