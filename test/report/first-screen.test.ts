import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cheapestChoice, type Judged } from "../../lib/analysis/findings.ts";
import type { SizeCost, VariantChoice } from "../../lib/analysis/recommendation.ts";
import { plain } from "../../lib/report/document/document.ts";
import { publishedTexts } from "../../lib/report/first-screen/published-beside.ts";
import { topicSentences } from "../../lib/report/first-screen/sentences.ts";
import { callWords, type Placed, type Topic } from "../../lib/report/first-screen/topic.ts";
import type { FewCalls } from "../../lib/statistics/few-calls.ts";
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
      const topic = (call: Topic["call"], of: readonly string[]): Topic => ({
        ...{ subject, against: "Rust", call },
        compared: of.flatMap((operation) =>
          run.map((size): Placed => {
            const row = `${subject}/${call.on}/${operation}/${size}`;
            return { ...next(), row, size, operation };
          }),
        ),
      });
      return [topic(callWords.cold, ["get"]), topic(callWords.warm, operations)];
    });
  });

const form =
  /^(.+) is (slower|faster) than Rust on a (cold start|warm call): ([\d.]+)× \[([\d.]+), ([\d.]+)\](?: for (\w+))? at ([\d,]+ MB) \((slower|faster) (?:at|in) (?:all (\d+)|both|(\d+) of (\d+)) (?:sizes|comparisons)\)\.$/;
const formOfOne =
  /^(.+) is (slower|faster) than Rust on a (cold start|warm call): ([\d.]+)× \[([\d.]+), ([\d.]+)\](?: for (\w+))? at ([\d,]+ MB)\.$/;

describe("every sentence of a first screen", () => {
  test("says of 1,000 made-up results what one of its comparisons shows, and of how many", () => {
    fc.assert(
      fc.property(result, (topics) => {
        const { sentences, rest } = topicSentences(topics, 0.05);
        const said = new Set<string>();
        for (const sentence of sentences) {
          const text = plain(sentence);
          const found = form.exec(text) ?? formOfOne.exec(text);
          expect(found, text).not.toBeNull();
          const [, subject, direction, call, ...numbers] = found ?? [];
          const topic = topics.find(
            (each) => each.subject === subject && each.call.on === `on a ${call}`,
          ) as Topic;
          const link = sentence.find((span) => typeof span !== "string" && span.mark === "link");
          const of = topic.compared.find(
            ({ row }) => row === (link as { to: string }).to,
          ) as Placed;
          const { ratio = 0, low = 0, high = 0 } = of;
          const ends = direction === "slower" ? [ratio, low, high] : [1 / ratio, 1 / high, 1 / low];
          expect(of.verdict).toBe(direction);
          for (const [index, end] of ends.entries()) {
            expect(Math.abs(Number(numbers[index]) / end - 1)).toBeLessThan(0.006);
          }
          const alike = topic.compared.filter(({ verdict }) => verdict === direction);
          expect(alike.every((each) => strengthOf(each) <= strengthOf(of) + 1e-9)).toBe(true);
          if (numbers[5] !== undefined) {
            expect(Number(numbers[6] ?? numbers[7] ?? 2)).toBe(alike.length);
            expect(Number(numbers[6] ?? numbers[8] ?? 2)).toBe(topic.compared.length);
          }
          said.add(`${subject} ${call} ${direction}`);
        }
        const decided = topics.flatMap(({ subject, call, compared }) =>
          compared
            .filter(({ verdict }) => verdict === "slower" || verdict === "faster")
            .map(({ verdict }) => `${subject} ${call.on.replace("on a ", "")} ${verdict}`),
        );
        expect(said).toEqual(new Set(decided));
        const open = topics.filter(({ compared }) =>
          compared.some(({ verdict }) => verdict === "undecided"),
        );
        expect(rest.filter((each) => plain(each).startsWith("Cannot tell "))).toHaveLength(
          open.length,
        );
      }),
      { numRuns: 1000, seed: 20 },
    );
  });

  test("stands in the order of what is certain at the least", () => {
    fc.assert(
      fc.property(result, (topics) => {
        const bounds = topicSentences(topics, 0.05).sentences.map((sentence) =>
          Number(/\[([\d.]+),/.exec(plain(sentence))?.[1]),
        );
        for (const [index, bound] of bounds.slice(1).entries()) {
          expect(bound).toBeLessThanOrEqual((bounds[index] ?? 0) * 1.006);
        }
      }),
      { numRuns: 300, seed: 21 },
    );
  });
});

/** How far from 1 a ratio lies. */
function strengthOf({ ratio = 1 }: Placed): number {
  return Math.abs(Math.log(ratio));
}

test("ratios beside published ones have two decimals below 1, and 1 is 1.0", () => {
  const beside = (ratio: number): Placed => ({
    ...{ verdict: "undecided", ratio, low: ratio, high: ratio, row: "row", published: 0.628 },
  });
  const topic = {
    ...{ subject: "Python", against: "Rust", call: callWords.warm },
    compared: [beside(0.998), beside(1.004)],
  };
  expect(publishedTexts([topic], "AWS Lambda")).toEqual([
    "Published (AWS Lambda): Python takes 0.63 times as long as Rust on a warm call (here 1.0).",
  ]);
});

describe("what is undecided", () => {
  const open: Judged = { verdict: "undecided", ratio: 1.1, low: 0.9, high: 1.3 };
  const slower: Judged = { verdict: "slower", ratio: 3, low: 2.8, high: 3.1 };
  const topic = (call: Topic["call"], compared: readonly Judged[]): Topic => ({
    ...{ subject: "Python", against: "Rust", call },
    compared: compared.map((each, index) => ({
      ...{ ...each, row: `row-${index}`, size: `${128 * (index + 1)} MB` },
    })),
  });
  const restOf = (...topics: readonly Topic[]) => topicSentences(topics, 0.05).rest.map(plain);
  const { cold, warm } = callWords;

  test("is said with the interval that reaches furthest, and of how many sizes", () => {
    const wide: Judged = { ...open, high: 2.63 };
    expect(restOf(topic(cold, [open, wide, slower]))).toEqual([
      "Cannot tell Python from Rust on a cold start: 1.10× [0.90, 2.63] at 256 MB (undecided at 2 of 3 sizes).",
    ]);
    expect(restOf(topic(cold, [open]))).toEqual([
      "Cannot tell Python from Rust on a cold start: 1.10× [0.90, 1.30] at 128 MB.",
    ]);
  });

  test("names the calls that make a difference, and what it would be without them", () => {
    const fewCalls: FewCalls = {
      ...{ calls: 1, allCalls: 63, longest: 10_012, ratioWithout: 1.02 },
      side: "above",
    };
    const few: Judged = { ...open, ratio: 9, high: 40, undecidedReason: "few-calls", fewCalls };
    expect(restOf(topic(warm, [few]))).toEqual([
      "Cannot tell Python from Rust on a warm call: 9.00× [0.90, 40.00] at 128 MB; it depends on a few calls.",
      "1 of 63 warm calls of Python at 128 MB took 10,012 ms: without that one, 1.02×.",
    ]);
    const other = { calls: 2, allCalls: 200, longest: 8000 };
    expect(restOf(topic(warm, [{ ...few, fewCalls: { ...fewCalls, other } }]))[1]).toBe(
      "1 of 63 warm calls of Python at 128 MB, and 2 of 200 of Rust took up to 10,012 ms: without those, 1.02×.",
    );
  });

  test("is not said of what is equal", () => {
    const equal: Judged = { verdict: "equivalent", ratio: 1.01, low: 0.99, high: 1.03 };
    expect(restOf(topic(warm, [equal, equal]))).toEqual([
      "Python is the same as Rust on a warm call: within 5% (the same at both sizes).",
    ]);
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
