import { type Effect, findEffects, strength } from "../../analysis/findings.ts";
import {
  decidedPhrase,
  fewCallsPhrase,
  type Phrase,
  samePhrase,
  undecidedPhrase,
} from "../phrases.ts";
import type { Topic } from "./topic.ts";

interface TopicSentences {
  /** One sentence for each effect, the strongest first. */
  readonly sentences: readonly Phrase[];
  /** What is undecided, what a few calls decide, and what is the same. */
  readonly rest: readonly Phrase[];
}

/** Returns what the comparisons of all topics amount to, a sentence of one form each. */
export function topicSentences(topics: readonly Topic[], margin: number): TopicSentences {
  const answered = topics.filter(({ compared }) => compared.length > 0);
  const found = answered.map((topic) => ({ topic, ...findEffects(topic.compared) }));
  return {
    sentences: strongestFirst(answered).map(({ topic, effect }) => decidedPhrase(topic, effect)),
    rest: [
      ...found.flatMap(({ topic, undecided }): readonly Phrase[] =>
        undecided.length === 0 ? [] : [undecidedPhrase(topic, undecided)],
      ),
      ...found.flatMap(({ topic, undecided }) =>
        undecided.map((each) => fewCallsPhrase(topic, each)).filter((each) => each !== undefined),
      ),
      ...found.flatMap(({ topic, equivalent }): readonly Phrase[] =>
        equivalent.length === 0 ? [] : [samePhrase(topic, equivalent, margin)],
      ),
    ],
  };
}

/** The effects of all topics, the strongest first. */
function strongestFirst(topics: readonly Topic[]) {
  return topics
    .flatMap((topic) => findEffects(topic.compared).effects.map((effect) => ({ topic, effect })))
    .toSorted((a, b) => strength(b.effect as Effect) - strength(a.effect as Effect));
}

/** Returns the strongest effect, or else what leaves the topics open; undefined if nothing was compared. */
export function strongestText(topics: readonly Topic[], margin: number): Phrase | undefined {
  const { sentences, rest } = topicSentences(topics, margin);
  return sentences[0] ?? rest[0];
}
