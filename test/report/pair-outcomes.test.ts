import { expect, test } from "vitest";
import type { Judged } from "../../lib/analysis/findings.ts";
import { plain } from "../../lib/report/document/document.ts";
import { outcomeText, pairOutcomes } from "../../lib/report/first-screen/pair-outcomes.ts";
import { callWords, type Placed, type Topic } from "../../lib/report/first-screen/topic.ts";

const slower = (ratio: number): Judged => ({
  ...{ verdict: "slower", ratio, low: ratio * 0.98, high: ratio * 1.02 },
});
const faster = (ratio: number): Judged => ({
  ...{ verdict: "faster", ratio, low: ratio * 0.98, high: ratio * 1.02 },
});
const same: Judged = { verdict: "equivalent", ratio: 1, low: 0.99, high: 1.01 };
const open: Judged = { verdict: "undecided", ratio: 1.1, low: 0.9, high: 1.3 };
const placed = (compared: readonly Judged[]): readonly Placed[] =>
  compared.map((each, index) => ({ ...each, row: `row-${index}` }));

test.each<[string, readonly Judged[], string]>([
  ["is missing where nothing was compared", [], "–"],
  [
    "is the strongest, and how many share its direction",
    [slower(1.4), slower(7)],
    "7.00× slower 2/2",
  ],
  ["turns the ratios of what is faster", [faster(0.25), faster(0.5)], "4.00× faster 2/2"],
  ["counts those that have the effect", [slower(3), open, same, same], "3.00× slower 1/4"],
  ["is of the stronger of two directions", [slower(9), faster(0.5)], "9.00× slower 1/2"],
  ["is the same where all are", [same, same], "the same"],
  ["is undecided where one is open and none decided", [same, open], "undecided"],
])("the outcome of several comparisons %s", (_, compared, text) => {
  expect(plain(outcomeText(placed(compared)))).toBe(text);
});

test("pairs have starts apart from calls, what Lambda would show of both, and the strongest first", () => {
  const topic = (subject: string, call: Topic["call"], compared: readonly Placed[]): Topic => ({
    ...{ subject, against: "Rust", call, compared },
  });
  const ranged = (each: Judged, low: number, high: number): Placed => ({
    ...{ ...each, row: "row", onLambda: { low, high } },
  });
  const found = pairOutcomes([
    topic("Java", callWords.warm, placed([slower(2)])),
    topic("Python", callWords.cold, [ranged(slower(1.5), 0.44, 1.1), ranged(slower(7), 1.5, 3.9)]),
    topic("Python", callWords.warm, [ranged(slower(8), 4.4, 14)]),
    topic("Go", callWords.warm, []),
  ]);
  expect(
    found.map(({ start, call, ...pair }) => ({ ...pair, start: plain(start), call: plain(call) })),
  ).toEqual([
    {
      ...{ subject: "Python", against: "Rust", onLambda: "1.5–3.9 (4.4–14)" },
      ...{ start: "7.00× slower 2/2", call: "8.00× slower" },
    },
    { subject: "Java", against: "Rust", start: "–", call: "2.00× slower" },
  ]);
});
