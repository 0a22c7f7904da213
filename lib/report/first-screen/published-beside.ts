import { number } from "../document/format.ts";
import { joined } from "./number-phrases.ts";
import { type Placed, pairName, type Topic } from "./topic.ts";

/** A published ratio closer to 1 than this has no direction that this run could contradict. */
const nearOne = 1.05;

/**
 * Compares published ratios of the same functions with this run's, and says if their direction is the opposite. Empty
 * if no topic has a published ratio.
 *
 * @param place where the published ratios were measured, and under which conditions.
 */
export function publishedTexts(topics: readonly Topic[], place: string): readonly string[] {
  const beside = topics.flatMap((topic) => {
    const found = besideOf(topic.compared);
    return found.length === 0 ? [] : [{ topic, found }];
  });
  const names = [...new Set(beside.map(({ topic }) => pairName(topic)))];
  return names.map((name) => {
    const ofPair = beside.filter(({ topic }) => pairName(topic) === name);
    const [{ topic }] = ofPair as [Beside];
    const parts = ofPair.map(({ topic: { call }, found }, index) =>
      [
        spanText(found.map((each) => each.published)),
        timesPhrase(topic, index),
        call.on,
        hereText(found),
      ].join(" "),
    );
    return `Published (${place}): ${topic.subject} takes ${joined(parts)}.`;
  });
}

interface Beside {
  readonly topic: Topic;
  readonly found: readonly Pair[];
}

function timesPhrase({ against }: Topic, index: number): string {
  return index === 0 ? `times as long as ${against}` : "times as long";
}

interface Pair extends Pick<Placed, "verdict"> {
  readonly ratio: number;
  readonly published: number;
}

function besideOf(compared: readonly Placed[]): readonly Pair[] {
  return compared.flatMap(({ ratio, published, verdict }) =>
    ratio === undefined || published === undefined ? [] : [{ ratio, published, verdict }],
  );
}

/** Returns `(here 1.2: the other way round)`. */
function hereText(found: readonly Pair[]): string {
  const turned = found.filter(
    ({ verdict, published }) =>
      (verdict === "slower" && published < 1 / nearOne) ||
      (verdict === "faster" && published > nearOne),
  );
  const all = turned.length === found.length ? "" : ` in ${turned.length} of ${found.length}`;
  const otherWay = turned.length === 0 ? "" : `: the other way round${all}`;
  return `(here ${spanText(found.map(({ ratio }) => ratio))}${otherWay})`;
}

/** A ratio from this value up rounds to 1.00, which is printed as 1.0. */
const roundedToOne = 0.995;

function spanText(ratios: readonly number[]): string {
  const ends = [Math.min(...ratios), Math.max(...ratios)].map((ratio) =>
    number(ratio, ratio < roundedToOne ? 2 : 1),
  );
  return [...new Set(ends)].join(" to ");
}
