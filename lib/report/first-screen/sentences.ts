import {
  type Effect,
  type Findings,
  findEffects,
  type Judged,
  type Multiple,
  strength,
} from "../../analysis/findings.ts";
import { link, type Span, type Text } from "../document/document.ts";

/** A comparison, and where a reader finds it. */
export interface Placed extends Judged {
  /** The id of its table's row. */
  readonly row: string;
  /** `128 MB`; absent where a question has one size. */
  readonly size?: string;
  readonly operation?: string;
}

/** One question that sentences answer: a subject's time for one kind of work against another's. */
export interface Topic {
  readonly subject: string;
  readonly against: string;
  readonly words: TopicWords;
  readonly compared: readonly Placed[];
}

/** `answers a warm call` 3 times faster; takes 3 times as long `on a warm call`. */
interface TopicWords {
  readonly faster: string;
  readonly slower: string;
}

export const warmWords: TopicWords = { faster: "answers a warm call", slower: "on a warm call" };
export const firstRequestWords: TopicWords = {
  faster: "answers the first request",
  slower: "for the first request",
};
export const startWords: TopicWords = { faster: "starts", slower: "to start" };

/** What there is to say of the topics. */
export interface Said {
  /** One a subject, the one with the strongest effect first. */
  readonly sentences: readonly Text[];
  /** The rest in one: what this run cannot tell, and what is the same. Absent where all is decided. */
  readonly untold?: string;
}

type Answered = Topic & { readonly findings: Findings<Placed> };

/** The topics in sentences. */
export function sayTopics(topics: readonly Topic[], margin: string): Said {
  const answered = topics
    .filter(({ compared }) => compared.length > 0)
    .map((topic): Answered => ({ ...topic, findings: findEffects(topic.compared) }));
  const names = [...new Set(answered.map(pairName))];
  const sentences = names
    .map((name) => clausesOf(answered.filter((topic) => pairName(topic) === name)))
    .filter((clauses) => clauses.length > 0)
    .toSorted(([a], [b]) => strength((b as Clause).effect) - strength((a as Clause).effect))
    .map(sentence);
  // Where nothing at all was decided, that is the answer, and is not said twice.
  const isOpen = answered.every(({ findings, compared }) => {
    return findings.undecided.length === compared.length;
  });
  const untold = isOpen ? undefined : untoldText(answered, margin);
  return { sentences, ...(untold !== undefined && { untold }) };
}

function pairName({ subject, against }: Topic): string {
  return `${subject} and ${against}`;
}

interface Clause {
  readonly topic: Answered;
  readonly effect: Effect<Placed>;
}

function clausesOf(topics: readonly Answered[]): readonly Clause[] {
  return topics
    .flatMap((topic) => topic.findings.effects.map((effect) => ({ topic, effect })))
    .toSorted((a, b) => strength(b.effect) - strength(a.effect));
}

/** The strongest of the topics' effects as words that a chart may have for a title; undefined without one. */
export function strongestText(topics: readonly Topic[]): Text | undefined {
  return sayTopics(topics, "").sentences[0];
}

function sentence(clauses: readonly Clause[]): Text {
  const [first] = clauses as readonly [Clause, ...Clause[]];
  const spans = clauses.flatMap((clause, index): readonly Span[] => {
    const before = clauses[index - 1];
    if (before === undefined) return clauseSpans(clause, { isFirst: true, isSameVerb: false });
    const isSameVerb = form(before) === form(clause) && clause.effect.direction === "slower";
    const hasCommas = clauses.length > 2 || before.effect.least.of !== before.effect.most.of;
    const joint = index < clauses.length - 1 ? ", " : hasCommas ? ", and " : " and ";
    return [joint, ...clauseSpans(clause, { isFirst: false, isSameVerb })];
  });
  return [`${first.topic.subject} `, ...spans, "."];
}

/** In percent or in times, faster or slower: what two clauses with one verb share. */
function form({ effect }: Clause): string {
  return `${effect.direction} ${inPercent(effect)}`;
}

function clauseSpans(
  { topic, effect }: Clause,
  { isFirst, isSameVerb }: { readonly isFirst: boolean; readonly isSameVerb: boolean },
): readonly Span[] {
  const { words, against } = topic;
  const isPercent = inPercent(effect);
  const amounts = amountSpans(topic, effect);
  const part = partText(topic, effect);
  if (effect.direction === "faster") {
    const than = isFirst ? ` than ${against}` : "";
    return [`${words.faster} `, ...amounts.range, ` faster${than}`, ...amounts.places, part];
  }
  const than = isPercent ? "longer" : "as long";
  const reference = isFirst ? ` ${isPercent ? "than" : "as"} ${against}` : "";
  const verb = isSameVerb ? "" : "takes ";
  return [verb, ...amounts.range, ` ${than}${reference} ${words.slower}`, ...amounts.places, part];
}

function inPercent({ most }: Effect): boolean {
  return isSaidInPercent(spokenTimes(most));
}

interface Amounts {
  readonly range: readonly Span[];
  readonly places: readonly Span[];
}

/** `2 to 5 times`; of one operation at several sizes each end with its size: `75 times` ` at 128 MB, 6 times at 1769 MB`. */
function amountSpans({ compared }: Topic, effect: Effect<Placed>): Amounts {
  const { least, most, decided } = effect;
  const isPercent = inPercent(effect);
  const unit = isPercent ? " %" : " times";
  const number = (multiple: Multiple<Placed>) => {
    const times = spokenTimes(multiple);
    return link(isPercent ? percentText(times) : timesText(times), multiple.of.row);
  };
  if (spokenTimes(least) === spokenTimes(most)) return { range: [number(most), unit], places: [] };
  const [from, to] = [most.of.size, least.of.size];
  if (isOneOperation(compared) && decided.length > 1 && from !== undefined && to !== undefined) {
    return {
      range: [number(most), unit],
      places: [` at ${from}, `, number(least), `${unit} at ${to}`],
    };
  }
  return { range: [number(least), " to ", number(most), unit], places: [] };
}

function isOneOperation(compared: readonly Placed[]): boolean {
  return new Set(compared.map(({ operation }) => operation)).size === 1;
}

/** Which part of the topic's comparisons the effect is of; nothing where it is all of them. */
function partText({ compared }: Topic, { decided, least, most }: Effect<Placed>): string {
  if (decided.length === compared.length) return "";
  const [only] = decided;
  const isAtOneSize = decided.every(({ size }) => size === only?.size);
  const isNamed = spokenTimes(least) !== spokenTimes(most);
  if (isNamed && decided.length === 2 && isOneOperation(compared)) return "";
  if (isAtOneSize && only?.size !== undefined) {
    const all = compared.filter(({ size }) => size === only.size).length;
    if (all === decided.length) return ` at ${only.size}`;
  }
  const n = `${decided.length} of ${compared.length} comparisons`;
  return isNamed ? ` (${n})` : ` in ${n}`;
}

function untoldText(topics: readonly Answered[], margin: string): string | undefined {
  const whole = topics.filter(
    ({ findings, compared }) => findings.undecided.length === compared.length,
  );
  const rest = topics.filter((topic) => !whole.includes(topic));
  const count = (kind: "undecided" | "equivalent") =>
    rest.reduce((sum, { findings }) => sum + findings[kind].length, 0);
  const total = rest.reduce((sum, { compared }) => sum + compared.length, 0);
  const undecided = [
    ...whole.map((topic) => `between ${pairName(topic)} ${topic.words.slower}`),
    ...(count("undecided") === 0
      ? []
      : [`in ${count("undecided")} of ${total} ${whole.length === 0 ? "" : "other "}comparisons`]),
  ];
  const parts = [
    ...(undecided.length === 0
      ? []
      : [`no difference that this run can tell ${joined(undecided)}`]),
    ...(count("equivalent") === 0
      ? []
      : [`the same within ${margin} in ${count("equivalent")} of ${total} comparisons`]),
  ];
  const text = parts.join("; ");
  return text === "" ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function joined(items: readonly string[], word = "and"): string {
  return items.length < 2
    ? items.join("")
    : `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

type Bounds = Pick<Multiple, "times" | "low" | "high">;

/**
 * A multiple as a person would say it: the roundest number that claims no more than its 95 % CI does. It
 * is never above the interval, and below it by 5 % at the most: a little less than was measured is true
 * as well, and 2 is easier to say than 2.01.
 */
export function spokenTimes({ times, low, high }: Bounds): number {
  const inside = Math.min(Math.max(times, low), high);
  const decade = 10 ** Math.floor(Math.log10(inside));
  for (const step of stepsFor(inside / decade, decade)) {
    for (const steps of [Math.round(inside / step), Math.floor(inside / step)]) {
      const rounded = Number((steps * step).toPrecision(4));
      if (rounded >= low * mostUnderstated && rounded <= high && rounded > 1) return rounded;
    }
  }
  return Number((Math.floor((inside / decade) * 1000) * (decade / 1000)).toPrecision(4));
}

const mostUnderstated = 0.95;

/** From coarse to fine: 75 and not 74, 2.5 and not 2.4, 12 and not 12.3; just above 1 by percents. */
function stepsFor(mantissa: number, decade: number): readonly number[] {
  const fine = [0.1, 0.01, 0.001].map((step) => step * decade);
  if (decade === 1 && mantissa < 1.2) return fine.slice(1);
  return mantissa < 2 ? fine : [decade / 2, ...fine];
}

/** `2.5`, `1,200`. */
export function timesText(times: number): string {
  const [whole = "", decimals] = String(times).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

const saidInPercent = 1.2;

/** Whether a person would say `7 %` of it and not `1.07 times`. */
export function isSaidInPercent(times: number): boolean {
  return times < saidInPercent;
}

/** `7`, of 1.07. */
export function percentText(times: number): string {
  return String(Number(((times - 1) * 100).toFixed(1)));
}
