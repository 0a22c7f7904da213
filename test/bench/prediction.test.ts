import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deriveSpeed } from "../../bench/prediction/derived-speed.ts";
import { listPublishedFigures } from "../../bench/prediction/figures.ts";
import { firstRequestParts, listFirstRequests } from "../../bench/prediction/first-requests.ts";
import { type LocalSeries, meanOfRuns, readLocalRun } from "../../bench/prediction/local-runs.ts";
import { studyPage } from "../../bench/prediction/page.ts";
import { figuresCsv, predictionTables } from "../../bench/prediction/table.ts";
import type { Prediction, PredictionStudies } from "../../lib/analysis/prediction.ts";
import type { Telemetry } from "../../lib/contract/types/contract.ts";
import { errorFactor } from "../../lib/prediction/held-out.ts";
import type { StudySeries } from "../../lib/prediction/study-calls.ts";
import { storedSamples } from "../../lib/sampler/result-store.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const kept = JSON.parse(
  readFileSync(join(root, "lib/contract/prediction.json"), "utf8"),
) as PredictionStudies;
const page = readFileSync(join(root, "docs/prediction.md"), "utf8");

const prediction = (observed: number, predicted: number): Prediction => ({
  kind: "variants",
  what: `${observed} as ${predicted}`,
  observed,
  predicted,
});

/** A study without a figure. */
const unnamed = {
  ...{ machine: "", versions: "", network: "", environments: "", seeds: "", calibrationMs: 1 },
  speed: { schemaVersion: 2 as const, handshakeMs: 1 },
};

/** A warm series of which the Duration alone is known. */
function duration(
  variant: string,
  memoryMb: number,
  operation: string,
  mean: number,
  interval = {},
): LocalSeries {
  return {
    variant,
    memoryMb,
    operation,
    phase: "warm",
    means: { durationMs: { mean, ...interval } },
  };
}

describe("the speed of a machine that stored none", () => {
  const call = (variant: string, operation: string, mean: number, phase = "warm") =>
    ({
      ...duration(variant, 128, operation, mean),
      ...{ experiment: "dynamodb", phase },
    }) as StudySeries;
  const times = { handshakeMs: 0.4, hashMs: 9, interpreterMs: 8, allocationMs: 16 };
  const probed = {
    speed: { schemaVersion: 2, ...times } as const,
    series: [
      ...[call("rust", "get", 7.5), call("rust", "put", 9.5), call("rust", "query", 100)],
      ...[call("python", "get", 41.5), call("rust", "get", 900, "cold")],
    ],
  };

  it("is the median over the warm calls of both, without the network's 1.5 ms", () => {
    const own = [
      ...[call("rust", "get", 4.5), call("rust", "put", 5.5), call("rust", "query", 5)],
      ...[call("python", "get", 11.5), call("rust", "get", 100, "cold")],
    ];
    expect(deriveSpeed(own, probed)).toEqual({
      ...{ schemaVersion: 2, handshakeMs: 0.2, interpreterMs: 2, allocationMs: 4 },
    });
  });

  it("is what the stored study has", () => {
    const [first, second] = kept.studies;
    expect(first?.isSpeedDerived).toBe(true);
    expect(second?.isSpeedDerived).toBeUndefined();
    const seriesOf = (study = first) => study?.series as readonly StudySeries[];
    const reference = { speed: second?.speed ?? probed.speed, series: seriesOf(second) };
    expect(deriveSpeed(seriesOf(), reference)).toEqual(first?.speed);
  });
});

describe("the study of prediction", () => {
  it("calls a prediction off by the larger over the smaller", () => {
    expect(errorFactor(prediction(2, 3))).toBe(1.5);
    expect(errorFactor(prediction(3, 2))).toBe(1.5);
    expect(errorFactor(prediction(2, 2))).toBe(1);
  });

  it("reads a published figure and its prediction from the series of its place", () => {
    const figures = listPublishedFigures();
    const find = (what: string) => figures.find((figure) => figure.what === what);
    const warmGet = find("dynamodb, warm `get`, python over rust, 128 MB, Duration");
    expect(warmGet?.observed).toBeCloseTo(34.5 / 6.7, 12);
    const runs = new Map([
      ["dynamodb", [duration("rust", 128, "get", 5), duration("python", 128, "get", 40)]],
    ]);
    expect(warmGet?.predict(runs)).toBe(8);
    const fanout = find("s3-fanout, 100 calls, python-serial, 128 MB over 3008 MB");
    expect(fanout?.observed).toBeCloseTo(4771.45 / 1799.03, 12);
    expect(fanout?.predict(runs)).toBeUndefined();
  });

  it("takes of a run's folder the means of its kept samples, which what is published are", async () => {
    const folder = temporaryFolder();
    const plan = smallPlan({ cold: 6, warm: 60, variants: ["rust"] });
    // A few calls take ten times as long: a median would not see them.
    const store = await finishedRun(folder, plan, ({ invocation }, answer) => {
      const durationMs = invocation % 5 === 4 ? 40 + invocation : 4;
      return { ...answer, telemetry: { ...answer.telemetry, durationMs } as Telemetry };
    });
    const kept = new Map<string, number[]>();
    for await (const { rejected, cell, phase, operation, telemetry, result } of storedSamples(
      store,
    )) {
      if (rejected !== undefined || cell.replicaOf !== undefined) continue;
      if (phase !== "warm" || operation !== "get") continue;
      const { bootId = "" } = (result ?? {}) as { readonly bootId?: string };
      kept.set(bootId, [...(kept.get(bootId) ?? []), telemetry?.durationMs as number]);
    }
    const mean = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    const expected = mean([...kept.values()].map(mean));
    expect(expected).toBeGreaterThan(5);
    const series = await readLocalRun(folder);
    const get = series.find(({ phase, operation }) => phase === "warm" && operation === "get");
    expect(get?.means.durationMs?.mean).toBeCloseTo(expected, 12);
    expect(get?.means.durationMs?.low).toBeLessThanOrEqual(expected);
    expect(get?.means.initDurationMs).toBeUndefined();
    const published = listPublishedFigures().find(
      ({ what }) => what === "dynamodb, warm `get`, rust, 128 MB, Duration, ms",
    );
    const runs = new Map([["dynamodb", series]]);
    expect(published?.predict(runs)).toBeCloseTo(expected, 12);
    expect(published?.interval?.(runs)).toEqual({
      low: get?.means.durationMs?.low,
      high: get?.means.durationMs?.high,
    });
  });

  it("takes of runs with different seeds the mean of their means, and an interval of all", () => {
    const bounds = (mean: number) => ({ low: mean - 3, high: mean + 4 });
    const runs = [10, 14].map((mean) => [duration("rust", 128, "get", mean, bounds(mean))]);
    const [pooled] = meanOfRuns(runs);
    expect(pooled?.means.durationMs?.mean).toBe(12);
    expect(pooled?.means.durationMs?.low).toBeCloseTo(12 - Math.hypot(3, 3) / 2, 12);
    expect(pooled?.means.durationMs?.high).toBeCloseTo(12 + Math.hypot(4, 4) / 2, 12);
    expect(pooled?.means.durationMs?.ofRuns).toEqual([10, 14]);
    expect(meanOfRuns([[duration("rust", 128, "get", 10)], []])[0]?.means).toEqual({});
  });

  it("holds both architectures of the second source against the same run, and its sizes against the largest", () => {
    const runs = new Map([
      [
        "sha256",
        [64, 8].map((mean, index) => ({
          ...duration("rust", index === 0 ? 256 : 2048, "sha256_chain", mean),
        })),
      ],
    ]);
    const predicted = (architecture: string) =>
      listPublishedFigures()
        .find(
          ({ what }) =>
            what === `sha256, warm \`sha256_chain\`, rust, 256 MB over 2048 MB, ${architecture}`,
        )
        ?.predict(runs);
    expect([predicted("arm64"), predicted("x86_64")]).toEqual([8, 8]);
  });

  it("scores machines each for itself and together, and a figure by all that have it", () => {
    const study = (machine: string, predictions: readonly Prediction[]) => ({
      ...{ ...unnamed, machine },
      predictions,
    });
    const first = "first `get`, python over rust, both";
    const warm = "warm `get`, python over rust, one alone";
    const both = { ...prediction(2, 4), what: first };
    const studies = [
      study("one", [both, { ...prediction(2, 16), what: warm }]),
      study("other", [{ ...both, predicted: 1 }]),
    ];
    const { scores } = predictionTables({ studies });
    expect(scores[0]).toContain("geometric mean: one | error factor, geometric mean: other");
    expect(scores[2]).toBe(`| ratios between variants | 2 | 4 | 2 | 3.17 | 8 (${warm}) | 2 of 3 |`);
    expect(scores[4]).toBe(
      `| of these, warm calls, Python over Rust | 1 | 8 | – | 8 | 8 (${warm}) | 1 of 1 |`,
    );
    const [, ...figures] = figuresCsv({ studies }).trim().split("\n");
    expect(figures).toEqual([`"${first}",2,4,,,1,,,2`, `"${warm}",2,16,,,,,,8`]);
  });

  it("counts each ratio between variants in one of their parts", () => {
    const ratios = listPublishedFigures().flatMap(({ kind, what }) =>
      kind === "variants" ? [{ ...prediction(2, 2), what }] : [],
    );
    const { scores } = predictionTables({ studies: [{ ...unnamed, predictions: ratios }] });
    const counts = scores.slice(2).map((row) => Number(row.split("|")[2]));
    const [whole, ...parts] = counts;
    expect(whole).toBe(ratios.length);
    expect(parts).toHaveLength(4);
    expect(parts.reduce((sum, count) => sum + count, 0)).toBe(whole);
  });

  it("tells a first request's CPU time from its wait by two sizes", () => {
    const { cpuMs, waitMs } = firstRequestParts(5 + (10 * 1769) / 128, 15);
    expect(cpuMs).toBeCloseTo(10, 9);
    expect(waitMs).toBeCloseTo(5, 9);
    const places = listFirstRequests(kept.studies).map(
      ([language, place]) => `${language} ${place}`,
    );
    expect(new Set(places).size).toBe(2 * (2 + kept.studies.length));
  });

  it("has a name of its own for every figure", () => {
    const names = listPublishedFigures().map(({ what }) => what);
    expect(new Set(names).size).toBe(names.length);
  });

  it("is what the page shows, of figures as they are published today", () => {
    const published = new Map(listPublishedFigures().map(({ what, observed }) => [what, observed]));
    for (const { what, observed } of kept.studies.flatMap(({ predictions }) => predictions)) {
      expect(published.get(what)).toBe(observed);
    }
    const { tables, files } = studyPage(kept);
    for (const [name, lines] of Object.entries(tables)) {
      expect(page).toContain(`<!-- ${name} -->\n${lines.join("\n")}\n<!-- /${name} -->`);
    }
    for (const [name, content] of Object.entries(files)) {
      expect(readFileSync(join(root, "docs", name), "utf8")).toBe(content);
    }
  });
});
