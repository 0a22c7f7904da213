import { findEffects, strength } from "../../analysis/findings.ts";
import { link, type Text } from "../document/document.ts";
import { missing, number, shortSpan, verdictWords } from "../document/format.ts";
import { type Placed, pairName, type Topic } from "./topic.ts";

/** Outcome of all comparisons of two variants, short enough for a table row. */
export interface PairOutcome {
  readonly subject: string;
  readonly against: string;
  /** The outcome for starts: `7.02× slower 3/4`. */
  readonly start: Text;
  /** The outcome for all other calls. */
  readonly call: Text;
  /** `0.44–3.9 (0.78–14)`: the strongest ratio predicted for Lambda of a local run's starts and, in brackets, its other calls. */
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
    .filter(({ call }) => (call.isStart ?? false) === isStart)
    .flatMap(({ compared }) => compared);
}

/** Returns `7.02× slower 3/4`: the strongest of the comparisons and how many share its direction, or the one word. */
export function outcomeText(compared: readonly Placed[]): Text {
  if (compared.length === 0) return missing;
  const { effects, equivalent } = findEffects(compared);
  const [effect] = effects;
  if (effect === undefined) {
    return verdictWords[equivalent.length === compared.length ? "equivalent" : "undecided"];
  }
  const { direction, most, decided } = effect;
  const part = compared.length === 1 ? "" : ` ${decided.length}/${compared.length}`;
  return [link(`${number(most.times)}×`, most.comparison.row), ` ${direction}${part}`];
}

function lambdaText(starts: readonly Placed[], calls: readonly Placed[]): string | undefined {
  const [start, call] = [starts, calls].map(strongestSpan);
  if (start === undefined && call === undefined) return undefined;
  return `${start ?? missing}${call === undefined ? "" : ` (${call})`}`;
}

/** Returns the range that lies furthest from 1. */
function strongestSpan(compared: readonly Placed[]): string | undefined {
  const near = ({ low, high }: NonNullable<Placed["onLambda"]>) => Math.max(low, 1 / high);
  const [strongest] = compared
    .flatMap(({ onLambda }) => onLambda ?? [])
    .toSorted((a, b) => near(b) - near(a));
  return strongest && shortSpan(strongest);
}
