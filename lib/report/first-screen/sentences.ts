import {
  type Effect,
  findEffects,
  type Multiple,
  partsFromMedian,
  strength,
} from "../../analysis/findings.ts";
import { link, type Span, type Text } from "../document/document.ts";
import {
  amountsText,
  isShownInPercent,
  percentText,
  roundedTimes,
  timesText,
} from "./number-phrases.ts";
import {
  type Answered,
  isOneOperation,
  type Placed,
  pairName,
  placeText,
  type Topic,
} from "./topic.ts";
import { restText } from "./undecided.ts";

export interface TopicSentences {
  /** One sentence per subject, the strongest effect first. */
  readonly sentences: readonly Text[];
  /** The rest: undecided comparisons with their bounds, and equivalent ones. Absent if there are none. */
  readonly rest?: string;
}

/** Describes the topics in sentences. */
export function topicSentences(topics: readonly Topic[], margin: string): TopicSentences {
  const answered = topics
    .filter(({ compared }) => compared.length > 0)
    .map((topic): Answered => ({ ...topic, findings: findEffects(topic.compared) }));
  const names = [...new Set(answered.map(pairName))];
  const sentences = names
    .map((name) => clausesOf(answered.filter((topic) => pairName(topic) === name)))
    .filter((clauses) => clauses.length > 0)
    .toSorted(([a], [b]) => strength((b as Clause).effect) - strength((a as Clause).effect))
    .map(sentence);
  const rest = restText(answered, margin);
  return { sentences, ...(rest !== undefined && { rest }) };
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

/** Describes the strongest effect, as a chart title. Returns undefined if there is none. */
export function strongestText(topics: readonly Topic[]): Text | undefined {
  return topicSentences(topics, "").sentences[0];
}

function sentence(clauses: readonly Clause[]): Text {
  const [first] = clauses as readonly [Clause, ...Clause[]];
  const spans = clauses.flatMap((clause, index): readonly Span[] => {
    const before = clauses[index - 1];
    if (before === undefined) return clauseSpans(clause, { isFirst: true, isSameVerb: false });
    const isSameVerb = form(before) === form(clause) && clause.effect.direction === "slower";
    const hasCommas =
      clauses.length > 2 || before.effect.least.comparison !== before.effect.most.comparison;
    const joint = index < clauses.length - 1 ? ", " : hasCommas ? ", and " : " and ";
    return [joint, ...clauseSpans(clause, { isFirst: false, isSameVerb })];
  });
  return [`${first.topic.subject.replace(/^the /, "The ")} `, ...spans, "."];
}

/** Returns the direction and the unit (percent or times); two clauses share a verb only if both are equal. */
function form({ effect }: Clause): string {
  return `${effect.direction} ${inPercent(effect)}`;
}

function clauseSpans(
  { topic, effect }: Clause,
  { isFirst, isSameVerb }: { readonly isFirst: boolean; readonly isSameVerb: boolean },
): readonly Span[] {
  const { phrases, against } = topic;
  const isPercent = inPercent(effect);
  const amounts = amountSpans(topic, effect);
  const part = partText(topic, effect);
  const typically = typicalText(effect);
  if (effect.direction === "faster") {
    const than = isFirst ? ` than ${against}` : "";
    return [
      `${phrases.faster} `,
      ...amounts.range,
      ` faster${than}`,
      ...amounts.places,
      `${part}${typically}`,
    ];
  }
  const than = isPercent ? "longer" : "as long";
  const reference = isFirst ? ` ${isPercent ? "than" : "as"} ${against}` : "";
  const verb = isSameVerb ? "" : "takes ";
  return [
    verb,
    ...amounts.range,
    ` ${than}${reference} ${phrases.slower}`,
    ...amounts.places,
    `${part}${typically}`,
  ];
}

function inPercent({ most }: Effect): boolean {
  return isShownInPercent(roundedTimes(most));
}

interface Amounts {
  readonly range: readonly Span[];
  readonly places: readonly Span[];
}

/** Returns `2 to 5 times`, or for one operation at several sizes, `75 times` and ` at 128 MB, 6 times at 1,769 MB`. */
function amountSpans({ compared }: Topic, effect: Effect<Placed>): Amounts {
  const { least, most, decided } = effect;
  const isPercent = inPercent(effect);
  const unit = isPercent ? "%" : " times";
  const number = (multiple: Multiple<Placed>) => {
    const times = roundedTimes(multiple);
    return link(isPercent ? percentText(times) : timesText(times), multiple.comparison.row);
  };
  if (roundedTimes(least) === roundedTimes(most))
    return { range: [number(most), unit], places: [] };
  const [from, to] = [most.comparison.size, least.comparison.size];
  if (isOneOperation(compared) && decided.length > 1 && from !== undefined && to !== undefined) {
    return {
      range: [number(most), unit],
      places: [` at ${from}, `, number(least), `${unit} at ${to}`],
    };
  }
  return { range: [number(least), " to ", number(most), unit], places: [] };
}

/** Returns the share of the topic's comparisons that have the effect; empty if all have it. */
function partText({ compared }: Topic, { decided, least, most }: Effect<Placed>): string {
  if (decided.length === compared.length) return "";
  const [only] = decided;
  const isAtOneSize = decided.every(({ size }) => size === only?.size);
  const isNamed = roundedTimes(least) !== roundedTimes(most);
  if (isNamed && decided.length === 2 && isOneOperation(compared)) return "";
  if (isAtOneSize && only?.size !== undefined) {
    const all = compared.filter(({ size }) => size === only.size).length;
    if (all === decided.length) return ` at ${only.size}`;
  }
  const n = `${decided.length} of ${compared.length} comparisons`;
  return isNamed ? ` (${n})` : ` in ${n}`;
}

/** Returns ` (on average; typically 11% longer: more of its calls wait for CPU)` if means and medians disagree. */
function typicalText({ decided }: Effect<Placed>): string {
  const parted = decided.filter(partsFromMedian);
  const [first] = parted;
  if (first === undefined) return "";
  const typical = parted.flatMap(({ medianRatio }) => medianRatio ?? []);
  const waits = partingWaits(first);
  const isCause = parted.every((each) => partingWaits(each) === waits);
  const cause = isCause && waits !== undefined ? `: ${waitTexts[waits]}` : "";
  return ` (on average; typically ${amountsText(typical)}${partedText(parted, decided)}${cause})`;
}

/** Returns ` for query at 128 MB`, where means and medians disagree; empty if they do in all decided comparisons. */
function partedText(parted: readonly Placed[], decided: readonly Placed[]): string {
  if (parted.length === decided.length) return "";
  const [only] = parted;
  if (parted.length > 1 || only === undefined) {
    return ` in ${parted.length} of ${decided.length} comparisons`;
  }
  return placeText(only);
}

/** Returns the side with more waits for CPU, if those explain why its mean is high for its median. */
function partingWaits({ moreWaits, ratio = 1, medianRatio = 1 }: Placed): Placed["moreWaits"] {
  const longMean = ratio > medianRatio ? "cell" : "baseline";
  return moreWaits === longMean ? moreWaits : undefined;
}

const waitTexts = {
  cell: "more of its calls wait for CPU",
  baseline: "fewer of its calls wait for CPU",
} as const;
