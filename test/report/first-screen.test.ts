import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cheapestChoice, type Judged } from "../../lib/analysis/findings.ts";
import type { SizeCost, VariantChoice } from "../../lib/analysis/recommendation.ts";
import { plain } from "../../lib/report/document/document.ts";
import { amountsText, roundedTimes } from "../../lib/report/first-screen/number-phrases.ts";
import { publishedTexts } from "../../lib/report/first-screen/published-beside.ts";
import { type TopicSentences, topicSentences } from "../../lib/report/first-screen/sentences.ts";
import {
  type Placed,
  startPhrases,
  type Topic,
  warmPhrases,
} from "../../lib/report/first-screen/topic.ts";
import { fixtureReport } from "./support/fixture-report.ts";

/** A comparison as a run could have it: its verdict follows from its interval, or is left open. */
const judged: fc.Arbitrary<Judged> = fc
  .tuple(
    fc.double({ min: -7, max: 7, noNaN: true }),
    fc.double({ min: 0.0001, max: 0.5, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: 0, max: 9 }),
  )
  .map(([middle, width, share, chance]): Judged => {
    const [low, high] = [Math.exp(middle - width * share), Math.exp(middle + width * (1 - share))];
    const ratio = Math.exp(middle);
    if (chance === 0) return { verdict: "undecided" };
    const verdict =
      chance === 1
        ? "undecided"
        : low > 1.05
          ? "slower"
          : high < 1 / 1.05
            ? "faster"
            : low > 1 / 1.05 && high < 1.05
              ? "equivalent"
              : "undecided";
    return { ratio, low, high, verdict };
  });

const operations = ["get", "put"];
const sizes = ["128 MB", "512 MB", "1,769 MB"];
const names = ["Python", "Rust (tuned build)"];

/** Topics of two variants, to start and warm; one of a single operation has a comparison a size. */
const result: fc.Arbitrary<readonly Topic[]> = fc
  .tuple(fc.array(judged, { minLength: 18, maxLength: 18 }), fc.subarray(sizes, { minLength: 1 }))
  .map(([all, run]) => {
    const left = [...all];
    const next = (): Judged => left.pop() as Judged;
    return names.flatMap((subject) => {
      const topic = (phrases: Topic["phrases"], of: readonly string[]): Topic => ({
        ...{ subject, against: "Rust", phrases },
        compared: of.flatMap((operation) =>
          run.map((size): Placed => {
            const row = `${subject}/${phrases.faster}/${operation}/${size}`;
            return { ...next(), row, size, operation };
          }),
        ),
      });
      return [topic(startPhrases, ["get"]), topic(warmPhrases, operations)];
    });
  });

/** What a sentence says, read back word by word. */
interface Claim {
  readonly subject: string;
  readonly direction: "faster" | "slower";
  readonly row: string;
  readonly times: number;
}

/** Reads the numbers by their links, and the direction by the words around each clause. */
function claimsOf({ sentences }: TopicSentences): readonly Claim[] {
  return sentences.flatMap((sentence) => {
    const text = plain(sentence);
    const subject = names.find((name) => text.startsWith(name)) as string;
    const clauses = text
      .slice(0, -1)
      .split(
        /, and (?=answers|starts|takes|\d)|, (?=answers|starts|takes|\d[\d.,]*(?: to [\d.,]+)?(?: times|%) (?:as|longer))| and (?=answers|starts|takes|\d)/,
      );
    const spans = (typeof sentence === "string" ? [] : sentence).flatMap((span) =>
      typeof span !== "string" && span.mark === "link" ? [span] : [],
    );
    let at = 0;
    return clauses.flatMap((clause): readonly Claim[] => {
      const direction = / faster/.test(clause) ? "faster" : "slower";
      expect(/ (?:faster|as long|longer)/.test(clause), clause).toBe(true);
      const isPercent = /\d% (?:faster|longer)/.test(clause);
      const numbers = clause.match(/\d[\d.,]*(?= to \d| times|%)/g) ?? [];
      expect(numbers.length, text).toBeGreaterThan(0);
      return numbers.map((number) => {
        const span = spans[at] as { readonly text: string; readonly to: string };
        at += 1;
        expect(span.text).toBe(number);
        const value = Number(number.replaceAll(",", ""));
        return { subject, direction, row: span.to, times: isPercent ? 1 + value / 100 : value };
      });
    });
  });
}

describe("every sentence of a first screen", () => {
  test("says of 1,000 made-up results no wrong direction, no more than the interval, nothing undecided", () => {
    fc.assert(
      fc.property(result, (topics) => {
        const all = topics.flatMap(({ compared }) => compared);
        const said = topicSentences(topics, "5%");
        const claims = claimsOf(said);
        for (const { direction, row, times, subject } of claims) {
          const of = all.find((each) => each.row === row) as Placed;
          expect(row.startsWith(subject)).toBe(true);
          expect(of.verdict).toBe(direction);
          const { low = 0, high = 0 } = of;
          const [least, most] = direction === "slower" ? [low, high] : [1 / high, 1 / low];
          expect(times).toBeLessThanOrEqual(most * (1 + 1e-9));
          expect(times).toBeGreaterThanOrEqual(least * 0.95 - 1e-9);
          expect(times).toBeGreaterThan(1);
        }
        const decided = all.filter(({ verdict }) => verdict === "faster" || verdict === "slower");
        expect(claims.length > 0).toBe(decided.length > 0);
        const open = all.filter(({ verdict }) => verdict === "undecided").length;
        const text = said.rest ?? "";
        expect(text.match(/Inconclusive: /g)?.length ?? 0).toBe(open > 0 ? 1 : 0);
        expect(text).not.toMatch(/no difference/i);
      }),
      { numRuns: 1000, seed: 20 },
    );
  });

  test("stands in the order of what is certain at the least", () => {
    fc.assert(
      fc.property(result, (topics) => {
        const { sentences } = topicSentences(topics, "5%");
        const strengths = sentences.map((sentence) => {
          const name = names.find((each) => plain(sentence).startsWith(each));
          const own = topics.filter(({ subject }) => subject === name);
          return Math.max(...own.flatMap(({ compared }) => nearBounds(compared)));
        });
        expect(strengths).toEqual(strengths.toSorted((a, b) => b - a));
      }),
      { numRuns: 300, seed: 21 },
    );
  });
});

/** In either direction the near bound of the largest multiple of one topic. */
function nearBounds(compared: readonly Placed[]): readonly number[] {
  return (["slower", "faster"] as const).flatMap((direction) => {
    const [largest] = compared
      .filter(({ verdict }) => verdict === direction)
      .map(({ ratio = 1, low = 1, high = 1 }) =>
        direction === "slower" ? [ratio, low] : [1 / ratio, 1 / high],
      )
      .toSorted(([a = 0], [b = 0]) => b - a);
    return largest?.[1] ?? [];
  });
}

test.each([
  [2.2, 2.01, 2.94, 2],
  [5.23, 4.79, 5.38, 5],
  [75.3, 70, 80, 75],
  [17.2, 16.5, 17.9, 17],
  [403, 191, 461, 400],
  [1.07, 1.06, 1.08, 1.07],
  [1.73, 1.704, 1.8, 1.7],
  [2.96, 2.95, 2.97, 2.9],
])("a multiple as it is spoken %f [%f, %f] is %f", (times, low, high, spoken) => {
  expect(roundedTimes({ times, low, high })).toBe(spoken);
});

test.each([
  [[0.6, 0.4], "1.7 to 2.5 times faster"],
  [[2.1, 3], "2.1 to 3 times as long"],
  [[1.07, 1.11], "7 to 11% longer"],
  [[1.02, 1.4], "from as long to 1.4 times as long"],
  [[0.5, 1.1], "from 2 times faster to 10% longer"],
  [[2], "2 times as long"],
])("several ratios in words %j are %s", (ratios, text) => {
  expect(amountsText(ratios)).toBe(text);
});

test("ratios beside published ones have two decimals below 1, and 1 is 1.0", () => {
  const beside = (ratio: number): Placed => ({
    ...{ verdict: "undecided", ratio, low: ratio, high: ratio, row: "row", published: 0.628 },
  });
  const topic = {
    ...{ subject: "Python", against: "Rust", phrases: warmPhrases },
    compared: [beside(0.998), beside(1.004)],
  };
  expect(publishedTexts([topic], "AWS Lambda")).toEqual([
    "Published (AWS Lambda): Python takes 0.63 times as long as Rust on a warm call (here 1.0).",
  ]);
});

describe("what is undecided", () => {
  const open: Judged = { verdict: "undecided", ratio: 1.1, low: 0.9, high: 1.3 };
  const slower: Judged = { verdict: "slower", ratio: 3, low: 2.8, high: 3.1 };
  const topic = (phrases: Topic["phrases"], compared: readonly Judged[]): Topic => ({
    subject: "Python",
    against: "Rust",
    phrases,
    compared: compared.map((each, index) => ({ ...each, row: `row-${index}`, size: "128 MB" })),
  });
  const restOf = (...topics: readonly Topic[]) => topicSentences(topics, "5%").rest;
  const fewCalls = {
    side: "above",
    calls: 1,
    allCalls: 63,
    longest: 10_012,
    ratioWithout: 1.02,
  } as const;

  test("is said once, by name where a whole question is open", () => {
    const said = topicSentences(
      [topic(startPhrases, [open]), topic(warmPhrases, [slower, open])],
      "5%",
    );
    expect(said.sentences.map(plain)).toEqual([
      "Python takes 3 times as long as Rust on a warm call in 1 of 2 comparisons.",
    ]);
    expect(said.rest).toBe(
      "Inconclusive: Python vs. Rust for a cold start (95% CI 0.9 to 1.3 times as long); 1 of 2 other comparisons (95% CI 0.9 to 1.3 times as long).",
    );
  });

  test("is the answer itself where nothing was decided, with how far it may reach", () => {
    const wide: Judged = { ...open, high: 2.63 };
    expect(topicSentences([topic(startPhrases, [wide])], "5%")).toEqual({
      sentences: [],
      rest: "Inconclusive: Python vs. Rust for a cold start (95% CI 0.9 to 2.6 times as long).",
    });
  });

  test("has its cause beside it where the interval does not show it", () => {
    const none: Judged = { verdict: "undecided", undecidedReason: "too-few" };
    expect(restOf(topic(startPhrases, [none]), topic(warmPhrases, [none]))).toBe(
      "Inconclusive: Python vs. Rust for a cold start and on a warm call (too little was measured).",
    );
    const apart: Judged = { ...open, undecidedReason: "one-of-many", low: 1.7, high: 2.8 };
    expect(restOf(topic(startPhrases, [none]), topic(warmPhrases, [apart]))).toBe(
      "Inconclusive: Python vs. Rust for a cold start (too little was measured) and on a warm call (95% CI 1.7 to 2.8 times as long; not significant after correction).",
    );
    const crosses: Judged = { ...open, undecidedReason: "interval-crosses-margin" };
    expect(restOf(topic(warmPhrases, [apart, crosses]))).toBe(
      "Inconclusive: Python vs. Rust on a warm call (95% CI 0.9 to 2.8 times as long; 1 of them not significant after correction).",
    );
  });

  test("names the calls that make a difference, and what it would be without them", () => {
    expect(restOf(topic(warmPhrases, [{ ...open, ratio: 9, high: 40, fewCalls }]))).toBe(
      "Inconclusive: Python vs. Rust on a warm call (95% CI 0.9 to 40 times as long). 1 of 63 warm calls of Python at 128 MB took 10,012 ms; without that one it would take as long as Rust.",
    );
    const ofCold = { ...open, fewCalls: { ...fewCalls, allCalls: 9 } };
    expect(restOf(topic(startPhrases, [ofCold]))).toContain(
      "1 of 9 cold starts of Python at 128 MB took 10,012 ms;",
    );
    const other = { calls: 2, allCalls: 200, longest: 8000 };
    expect(restOf(topic(warmPhrases, [{ ...open, fewCalls: { ...fewCalls, other } }]))).toContain(
      "1 of 63 warm calls of Python at 128 MB took 10,012 ms, and 2 of 200 of Rust up to 8,000 ms; without those Python would take as long as Rust.",
    );
  });

  test("names the operation of those calls where there are several, and no sentence's start in one", () => {
    const later: Topic = {
      ...topic(warmPhrases, []),
      ...{ subject: "the later run", against: "the earlier one" },
      compared: [
        { ...open, fewCalls, row: "row-0", size: "128 MB", operation: "query" },
        { ...slower, row: "row-1", size: "128 MB", operation: "get" },
      ],
    };
    const said = topicSentences([later], "5%");
    expect(said.rest).toContain(
      "1 of 63 warm calls of the later run for query at 128 MB took 10,012 ms;",
    );
    expect(said.sentences.map(plain)).toEqual([
      "The later run takes 3 times as long as the earlier one on a warm call in 1 of 2 comparisons.",
    ]);
  });

  test("is not said of what is equal", () => {
    const equal: Judged = { verdict: "equivalent", ratio: 1.01, low: 0.99, high: 1.03 };
    expect(topicSentences([topic(warmPhrases, [equal, equal])], "5%")).toEqual({
      sentences: [],
      rest: "The same within 5% in all 2 comparisons.",
    });
  });
});

describe("what to take", () => {
  const cell = { id: "a", memoryMb: 128 } as SizeCost["cell"];
  const variant = (
    id: string,
    usdPerMillion: number,
    low: number,
    high: number,
  ): VariantChoice => ({
    ...{ variant: id, operation: "get" },
    fastest: { kind: "no-choice" },
    cheapest: { kind: "no-choice" },
    balanced: { kind: "no-choice" },
    sizes: [{ cell, usdPerMillion, usdInterval: { low, high } }],
  });
  const choiceOf = (...variants: VariantChoice[]) =>
    cheapestChoice({ coldShare: 0.01, invocationsPerMonth: 1e6, variants, breakEvens: [] }, 0.05);

  test("calls a variant dearer only where its interval lies beyond the cheapest one's by the margin", () => {
    const choice = choiceOf(
      variant("python", 2.4, 2.2, 2.6),
      variant("rust", 1, 0.98, 1.02),
      variant("near", 1.02, 1.01, 1.025),
      variant("wide", 1.3, 0.9, 2.1),
      { ...variant("few", 1.5, 0, 0), sizes: [{ cell, usdPerMillion: 1.5 }] },
    );
    expect(choice?.cheapest.variant).toBe("rust");
    expect(choice?.alike.map((each) => each.variant)).toEqual(["near"]);
    expect(choice?.undecided.map((each) => [each.variant, each.reason])).toEqual([
      ["wide", "interval-crosses-margin"],
      ["few", "too-few"],
    ]);
    expect(choice?.dearer.map((each) => each.variant)).toEqual(["python"]);
    const { low, high, times } = choice?.dearer[0]?.multiple ?? { low: 0, high: 0, times: 0 };
    expect([low, times, high]).toEqual([2.2 / 1.02, 2.4, 2.6 / 0.98]);
  });

  test("is nothing where nothing has a price", () => {
    const unpriced = { ...variant("rust", 1, 1, 1), sizes: [{ cell }] };
    expect(choiceOf(unpriced)).toBeUndefined();
  });
});

describe("a report of the default matrix", () => {
  const memoryMb = [128, 256, 512, 1024, 1769, 3008];

  test("has a first screen of 18 lines and 80 columns on the terminal, its table among them", async () => {
    const sizes = [{ memoryMb }, { memoryMb: [128, 512, 1769] }, { memoryMb: [512] }];
    for (const target of ["local", "aws"] as const) {
      for (const choice of sizes) {
        const { headline } = await fixtureReport({ target, ...choice });
        const lines = headline.trimEnd().split("\n");
        expect(lines.length, headline).toBeLessThanOrEqual(18);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
        expect(headline).toMatch(/^Rust +[\d.,]+ \([\d.,]+\)/m);
      }
    }
  });
});
