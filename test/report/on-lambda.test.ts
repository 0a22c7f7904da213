import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lambdaDirection } from "../../lib/analysis/on-lambda.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import predictionStudy from "../../lib/contract/prediction.json" with { type: "json" };
import type { Machine } from "../../lib/contract/types/contract.ts";
import { functionsExperimentId } from "../../lib/plan/functions-subject.ts";
import { shortSpan, spanOfRange } from "../../lib/report/document/format.ts";
import { type FixtureChoice, fixtureInputs } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";

const local = {
  target: "local",
  memoryMb: [128, 1769],
  cold: 8,
  warm: 80,
  operations: ["get"],
  variants: ["rust", "python"],
} as const satisfies FixtureChoice;

const unlimited = {
  machine: {
    ...{ os: "Darwin 25", cpuModel: "A processor", cpus: 8, memoryMb: 16_000 },
    ...{ cpuQuota: "unthrottled", memoryLimit: "unlimited" },
  } satisfies Machine,
};

describe("what Lambda would show of a local run", () => {
  it("is the first sentence, which claims a direction only where the range has one", async () => {
    const { view, screen } = await fixtureReport(local);
    const ratios = view.onLambda?.ratios ?? [];
    expect(ratios.map(({ quantity }) => quantity)).toEqual([
      ...["initAndDurationMs", "initAndDurationMs", "durationMs", "durationMs"],
    ]);
    const [said = ""] = /On Lambda \(90%\) vs\. Rust\. Python: .*?\. /.exec(screen) ?? [];
    const claims = said.matchAll(/(cold|warm) \w+ ([\d.]+–[\d.]+)× (\w+) at ([\d,]+) MB/g);
    const found = [...claims].map(([, phase, span = "", direction, size = ""]) => {
      const ofSize = ratios.find(
        (each) => each.phase === phase && each.cellId.endsWith(`-${size.replace(",", "")}`),
      );
      const { low = 0, high = 0 } = ofSize?.range ?? {};
      const turned = direction === "faster" ? { low: 1 / high, high: 1 / low } : { low, high };
      expect(direction).toBe(lambdaDirection({ low, high }));
      expect(span).toBe(shortSpan(turned));
      return phase;
    });
    expect(found).toEqual(["cold", "warm"]);
  });

  it("is a row of the first screen's table, a range for each size", async () => {
    const { view, screen } = await fixtureReport(local);
    const [cold, , warm] = view.onLambda?.ratios ?? [];
    if (cold === undefined || warm === undefined) throw new Error("no range");
    expect(screen).toContain(
      `vs. Rust on Lambda ${shortSpan(cold.range)} (${shortSpan(warm.range)})`,
    );
  });

  it("is in summary.json of every ratio and every time that was measured", async () => {
    const { view } = await fixtureReport(local);
    const { ratios = [], times = [] } = view.onLambda ?? {};
    expect(ratios).toHaveLength(4);
    expect(times).toHaveLength(view.series.filter(({ phase }) => phase !== "second").length);
    for (const { range } of ratios) {
      expect(range.low).toBeLessThan(range.expected);
      expect(range.high).toBeGreaterThan(range.expected);
    }
  });

  it("is wider where the run itself knows less", async () => {
    const width = async (cold: number) => {
      const { view } = await fixtureReport({ ...local, cold });
      const { low = 0, high = 0 } = view.onLambda?.ratios[0]?.range ?? {};
      return high / low;
    };
    expect(await width(8)).toBeGreaterThan(await width(40));
  });

  it("claims nothing where there is no interval", async () => {
    const { view, screen } = await fixtureReport({ ...local, cold: 4, warm: 40 });
    expect(view.onLambda?.ratios).toEqual([]);
    expect(screen).not.toContain("On Lambda (90%)");
    expect(screen).toContain("too few environments");
  });

  it("stands in tables beside what was measured here", async () => {
    const { markdown, view } = await fixtureReport(local);
    expect(markdown).toMatch(/\| Init ms, measured here +\| Init ms, on Lambda +\|/);
    const init = view.onLambda?.times.find(({ phase }) => phase === "cold")?.initDurationMs;
    if (init === undefined) throw new Error("no range of an Init");
    expect(markdown).toMatch(new RegExp(`\\| +${spanOfRange(init)} \\|`));
  });

  it("is absent of a run on Lambda", async () => {
    const { view, screen, markdown } = await fixtureReport({ ...local, target: "aws" });
    expect(view.onLambda).toBeUndefined();
    expect(`${screen}${markdown}`).not.toMatch(/On Lambda \(90%\)|## On Lambda/);
  });

  it("is of whole CPUs alone where the machine does not limit sizes", async () => {
    const { view, screen, markdown } = await fixtureReport(local, { manifest: unlimited });
    const sizes = new Set(view.onLambda?.ratios.map(({ cellId }) => cellId.split("-").at(-1)));
    expect(sizes).toEqual(new Set(["1769"]));
    expect(markdown).toContain("does not limit sizes below 1,769 MB, so nothing is said of them");
    expect(screen).toMatch(/vs\. Rust on Lambda – \(–\) [\d.]+–/);
  });

  it("claims nothing where the run did not store how fast its machine is", async () => {
    const { machine } = fixtureInputs(local).manifest;
    const elsewhere = { ...machine, cpuModel: "Another processor" } as Machine;
    const { view, screen } = await fixtureReport(local, {
      manifest: { machine: elsewhere, speed: { schemaVersion: 1, handshakeMs: 0.2 } },
    });
    expect(view.onLambda).toMatchObject({ times: [], ratios: [], lacksSpeed: true });
    expect(screen).toContain("this run did not store how fast its machine is");
  });

  it("covers every kind of work of users' own functions, and says so", async () => {
    const own = await fixtureReport(local, { plan: { experiment: functionsExperimentId } });
    const { view } = await fixtureReport(local);
    const warmOf = (of: Summary) => of.onLambda?.ratios.find(({ phase }) => phase === "warm");
    const [wide, narrow] = [warmOf(own.view), warmOf(view)];
    expect(wide?.range.low).toBeLessThanOrEqual(narrow?.range.low ?? 0);
    expect(wide?.range.high).toBeGreaterThan(narrow?.range.high ?? Number.POSITIVE_INFINITY);
    expect(own.markdown).toContain("so their ranges cover every kind");
  });

  it("says of users' own functions whether the kinds include a hundred requests in a call", async () => {
    const [study] = predictionStudy.studies;
    if (study === undefined) throw new Error("no study");
    const reportAt = async (slowness: number) => {
      const { handshakeMs, interpreterMs, allocationMs } = study.speed;
      const speed = {
        ...{ schemaVersion: 2 as const, handshakeMs: handshakeMs * slowness },
        ...{ interpreterMs: interpreterMs * slowness, allocationMs: allocationMs * slowness },
      };
      return await fixtureReport(local, {
        plan: { experiment: functionsExperimentId },
        manifest: { speed },
      });
    };
    const [alike, slower] = [await reportAt(1), await reportAt(20)];
    expect(alike.view.onLambda).not.toHaveProperty("lacksFanOut");
    expect(alike.markdown).toContain("cover every kind that was published.");
    expect(slower.view.onLambda).toHaveProperty("lacksFanOut", true);
    expect(slower.view.onLambda?.ratios).not.toEqual([]);
    expect(slower.markdown).toContain("was published, except calls with about a hundred requests");
  });

  it("says nothing of a runtime of which nothing is published", async () => {
    const { plan } = fixtureInputs(local);
    const cells = plan.cells.map((cell) => ({ ...cell, runtime: "java21" }));
    const { view, screen } = await fixtureReport(local, { plan: { cells } });
    expect(view.onLambda).toMatchObject({ times: [], ratios: [] });
    expect(screen).toContain("No prediction for Lambda: no figures are published");
  });

  it("says which of its causes it is that nothing is said", async () => {
    const small = { ...local, memoryMb: [128] };
    const { screen } = await fixtureReport(small, { manifest: unlimited });
    expect(screen).toContain("this machine does not limit sizes below 1,769 MB.");
    const few = await fixtureReport({ ...local, cold: 4, warm: 40 });
    expect(few.screen).toContain("This run has too few environments to say");
  });

  it("of one function is what its calls take", async () => {
    const { screen } = await fixtureReport({ ...local, variants: ["python"] });
    expect(screen).toMatch(
      /On Lambda \(90%\), Python: a cold start takes [\d.,]+–[\d.,]+ ms at 128 MB, [\d.,]+–[\d.,]+ ms at 1,769 MB; a warm call takes [\d.,]+–[\d.,]+ ms at 128 MB, [\d.,]+–[\d.,]+ ms at 1,769 MB\./,
    );
  });
});

it.each([
  [0.4512, 1.249, "0.45 to 1.3"],
  [94.2, 1801, "94 to 1,900"],
  [2, 10, "2 to 10"],
  [0.0291, 0.158, "0.029 to 0.16"],
  [9.96, 99.1, "9.9 to 100"],
])("a range's text claims no more than it is: %d to %d", (low, high, text) => {
  expect(spanOfRange({ low, high })).toBe(text);
});

describe("the direction of a range", () => {
  it.each([
    [1.2, 3, "slower"],
    [0.2, 0.8, "faster"],
    [0.9, 1.1, "either"],
    [1.04, 3, "slower"],
    [0.3, 0.97, "faster"],
    [0.3, 1, "either"],
    [1, 3, "either"],
  ])("%d to %d is %s", (low, high, direction) => {
    expect(lambdaDirection({ low, high })).toBe(direction);
  });

  it("is the one that its printed ends have, in words and in a table, however close to 1 it begins", () => {
    const offset = fc.oneof(
      fc.double({ min: 1e-9, max: 0.1, noNaN: true }),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
    );
    const end = fc
      .tuple(offset, fc.constantFrom(-1, 0, 1))
      .map(([by, sign]) => Math.exp(sign * by));
    const printed = (text: string) => {
      const [low = 0, high = 0] = text.split(/ to |–/).map((each) => Number(each.replace(",", "")));
      return { low, high };
    };
    fc.assert(
      fc.property(end, end, (one, other) => {
        const range = { low: Math.min(one, other), high: Math.max(one, other) };
        const turned = { low: 1 / range.high, high: 1 / range.low };
        const direction = lambdaDirection(range);
        const against = { slower: "faster", faster: "slower", either: "either" }[direction];
        for (const text of [spanOfRange, shortSpan]) {
          expect(lambdaDirection(printed(text(range))), text(range)).toBe(direction);
          expect(lambdaDirection(printed(text(turned))), text(turned)).toBe(against);
          expect(printed(text(range)).low).toBeLessThanOrEqual(range.low);
          expect(printed(text(range)).high).toBeGreaterThanOrEqual(range.high);
        }
      }),
      { numRuns: 2000, seed: 42 },
    );
  });
});
