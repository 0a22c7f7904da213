import { findEffects, type Multiple, strength } from "../../analysis/findings.ts";
import { link, type Span, type Text } from "../document/document.ts";
import { missing, shortSpan } from "../document/format.ts";
import { isShownInPercent, percentText, roundedTimes, timesText } from "./number-phrases.ts";
import { type Placed, pairName, type Topic } from "./topic.ts";

/** Outcome of all comparisons of two variants, short enough for a table row. */
export interface PairOutcome {
  readonly subject: string;
  readonly against: string;
  /** The outcome for starts: `1.4–7× slower`. */
  readonly start: Text;
  /** The outcome for all other calls. */
  readonly call: Text;
  /** `0.44–3.9 (0.78–14)`: predicted ratios on Lambda of a local run's starts and, in brackets, its other calls. */
  readonly onLambda?: string;
}

/** Returns the outcome of each pair, the strongest effect first. */
export function pairOutcomes(topics: readonly Topic[]): readonly PairOutcome[] {
  const answered = topics.filter(({ compared }) => compared.length > 0);
  return [...new Set(answered.map(pairName))]
    .map((name) => answered.filter((topic) => pairName(topic) === name))
    .toSorted((a, b) => strongest(b) - strongest(a))
    .map(pairOutcome);
}

function strongest(topics: readonly Topic[]): number {
  const effects = topics.flatMap(({ compared }) => findEffects(compared).effects);
  return Math.max(0, ...effects.map(strength));
}

function pairOutcome(topics: readonly Topic[]): PairOutcome {
  const [{ subject, against }] = topics as readonly [Topic, ...Topic[]];
  const starts = comparedIn(topics, true);
  const calls = comparedIn(topics, false);
  const onLambda = lambdaText(starts, calls);
  return {
    subject,
    against,
    start: outcomeText(starts),
    call: outcomeText(calls),
    ...(onLambda !== undefined && { onLambda }),
  };
}

/** Returns the comparisons of starts, or those of all other calls. */
export function comparedIn(topics: readonly Topic[], isStart: boolean): readonly Placed[] {
  return topics
    .filter(({ phrases }) => (phrases.isStart ?? false) === isStart)
    .flatMap(({ compared }) => compared);
}

/**
 * Returns `1.4–7× slower (3/4)`: the range of the comparisons decided in the strongest direction, and their share of
 * all. Returns `~` if all are equivalent, or `?` if none is decided and not all are equivalent.
 */
export function outcomeText(compared: readonly Placed[]): Text {
  if (compared.length === 0) return missing;
  const { effects, equivalent } = findEffects(compared);
  const [effect] = effects;
  if (effect === undefined) return equivalent.length === compared.length ? "~" : "?";
  const { direction, least, most, decided } = effect;
  const isPercent = isShownInPercent(roundedTimes(most));
  const end = (multiple: Multiple<Placed>): Span => {
    const times = roundedTimes(multiple);
    return link(isPercent ? percentText(times) : timesText(times), multiple.comparison.row);
  };
  const isOne = roundedTimes(least) === roundedTimes(most);
  const part = decided.length === compared.length ? "" : ` (${decided.length}/${compared.length})`;
  return [
    ...(isOne ? [] : [end(least), "–"]),
    end(most),
    `${isPercent ? "%" : "×"} ${direction}${part}`,
  ];
}

function lambdaText(starts: readonly Placed[], calls: readonly Placed[]): string | undefined {
  const [start, call] = [starts, calls].map(widestSpan);
  if (start === undefined && call === undefined) return undefined;
  return `${start ?? missing}${call === undefined ? "" : ` (${call})`}`;
}

/** Returns the span from the least low to the largest high of all ranges. */
function widestSpan(compared: readonly Placed[]): string | undefined {
  const ranges = compared.flatMap(({ onLambda }) => onLambda ?? []);
  if (ranges.length === 0) return undefined;
  const low = Math.min(...ranges.map((range) => range.low));
  return shortSpan({ low, high: Math.max(...ranges.map((range) => range.high)) });
}
