import { describe, expect, it } from "vitest";
import { chanceOfAtMost } from "../../bench/prediction/found-afterwards.ts";
import {
  type FoundFigure,
  type FoundSource,
  readFound,
  scoreFound,
} from "../../bench/prediction/found-figures.ts";
import study from "../../lib/contract/prediction.json" with { type: "json" };
import type { SpeedProbe } from "../../lib/contract/types/contract.ts";
import { truth } from "../prediction/support/made-up.ts";

const model = { constants: truth, spread: { of: () => Math.log(2) / 1.645 } };

/** Speed of the study's first machine, whose times the model takes as they are. */
const speed = study.studies[0]?.speed as SpeedProbe;

const source = (figure: Partial<FoundFigure>): FoundSource => ({
  ...{ author: "someone", address: "https://example.com", measured: "once" },
  figures: [
    { function: "Rust", quantity: "init", publishedMs: [20], statistic: "single", ...figure },
  ],
});

const series = (experiment: string, memoryMb: number, times: object, of: object = {}) => ({
  ...{ experiment, variant: "rust", operation: "noop", phase: "cold", memoryMb, artefactMb: 2 },
  means: Object.fromEntries(Object.entries(times).map(([name, mean]) => [name, { mean }])),
  ...of,
});

const empty = {
  ...{ machine: "one", speed },
  series: [
    series("compute", 128, { initDurationMs: 10, durationMs: 6 }),
    series("compute", 1769, { initDurationMs: 10, durationMs: 3 }),
  ],
};

describe("figures found afterwards", () => {
  it("have either a counterpart or a reason for having none", () => {
    expect(readFound().length).toBeGreaterThan(0);
    const faulty: readonly Partial<FoundFigure>[] = [
      {},
      { like: "empty-rust", without: "a reason" },
      { like: "another" as "empty-rust" },
      { like: "empty-rust", publishedMs: [] },
      { like: "empty-rust", publishedMs: [3, 2] },
      { like: "empty-rust", quantity: "warm" },
      { like: "empty-rust", quantity: "cold" as "init" },
    ];
    for (const each of faulty) expect(() => readFound([source(each)])).toThrow(/someone, Rust: /);
    expect(readFound([source({ like: "empty-rust" })])).toHaveLength(1);
  });

  it("have the range of the counterpart's Init, with the published binary's size if there is one", () => {
    const scored = [{}, { binaryMb: 10 }].flatMap((of) =>
      scoreFound([source({ like: "empty-rust", ...of })], [empty], model),
    );
    const start = truth.sandboxMs + 10 * truth.firstCodeFactor;
    const expected = [2, 10].map((mb) => start + mb * truth.readMsPerMb);
    expect(scored.map(({ range }) => range.expected)).toEqual(expected);
    expect(scored[0]?.range.low).toBeCloseTo((expected[0] ?? 0) / 2, 9);
    expect(scored[0]?.range.high).toBeCloseTo((expected[0] ?? 0) * 2, 9);
    expect(scored.map(({ isWithin }) => isWithin)).toEqual([true, false]);
    expect(scored[0]?.ratio).toBeCloseTo(20 / (expected[0] ?? 0), 9);
  });

  it("lie within a range only if the lowest and the highest value do", () => {
    const [scored] = scoreFound(
      [source({ like: "empty-rust", publishedMs: [20, 80] })],
      [empty],
      model,
    );
    expect(scored?.isWithin).toBe(false);
    expect(scored?.ratio).toBeCloseTo(40 / 35, 9);
  });

  it("take the nearest size for a call that returns at once, and the same size for a request", () => {
    const first = { like: "empty-rust", quantity: "first" } as const;
    const at = (memoryMb: number) =>
      scoreFound([source({ ...first, memoryMb })], [empty], model)[0]?.range.expected;
    expect([128, 256, 1024].map(at)).toEqual([6, 6, 3].map((ms) => ms * truth.computeFactor));
    const get = series("dynamodb", 128, { durationMs: 5 }, { phase: "warm", operation: "get" });
    const warm = (memoryMb: number) =>
      scoreFound(
        [source({ like: "get-rust", quantity: "warm", memoryMb })],
        [{ ...empty, series: [get] }],
        model,
      );
    expect(warm(128)[0]?.range.expected).toBe(5 * (truth.warmFactor["service/native"] ?? 0));
    expect(() => warm(256)).toThrow("the study has no get-rust");
  });

  it("are compared with the last machine that measured the counterpart", () => {
    const studies = [
      empty,
      { ...empty, machine: "two", series: [series("compute", 128, { initDurationMs: 20 })] },
      { ...empty, machine: "three", series: [] },
    ];
    const [scored] = scoreFound([source({ like: "empty-rust" })], studies, model);
    expect(scored?.here).toEqual({ what: "compute `noop`, rust", machine: "two" });
  });

  it("have the binomial chance of so few within their ranges", () => {
    expect(chanceOfAtMost(0, 1, 0.9)).toBeCloseTo(0.1, 12);
    expect(chanceOfAtMost(1, 2, 0.9)).toBeCloseTo(0.19, 12);
    expect(chanceOfAtMost(50, 50, 0.9)).toBeCloseTo(1, 12);
    // P(X <= 7) of binomial(10, 0.9): 1 less the chances of 8, 9 and 10.
    const more = 45 * 0.9 ** 8 * 0.01 + 10 * 0.9 ** 9 * 0.1 + 0.9 ** 10;
    expect(chanceOfAtMost(7, 10, 0.9)).toBeCloseTo(1 - more, 12);
  });
});
