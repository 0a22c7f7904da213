import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listPublishedFigures } from "../../bench/prediction/figures.ts";
import { predictionTables } from "../../bench/prediction/table.ts";
import {
  errorFactor,
  type Prediction,
  type PredictionStudy,
  score,
} from "../../lib/analysis/prediction.ts";
import type { SeriesView } from "../../lib/analysis/series-view.ts";

const root = join(import.meta.dirname, "../..");
const study = JSON.parse(
  readFileSync(join(root, "lib/contract/prediction.json"), "utf8"),
) as PredictionStudy;
const page = readFileSync(join(root, "docs/prediction.md"), "utf8");

const prediction = (observed: number, predicted: number): Prediction => ({
  kind: "variants",
  what: `${observed} as ${predicted}`,
  observed,
  predicted,
});

/** A series of which the Duration alone is known. */
function duration(
  variant: string,
  memoryMb: number,
  operation: string,
  median: number,
): SeriesView {
  const cell = { variant, memoryMb };
  return {
    cell,
    operation,
    phase: "warm",
    durationMs: { n: 1, environments: 1, median },
  } as SeriesView;
}

describe("the study of prediction", () => {
  it("calls a prediction off by the larger over the smaller", () => {
    expect(errorFactor(prediction(2, 3))).toBe(1.5);
    expect(errorFactor(prediction(3, 2))).toBe(1.5);
    expect(errorFactor(prediction(2, 2))).toBe(1);
  });

  it("scores by the geometric mean, the largest factor and the side of 1", () => {
    const scored = score([prediction(2, 4), prediction(2, 16), prediction(2, 0.5)]);
    expect(scored.meanFactor).toBeCloseTo((2 * 8 * 4) ** (1 / 3), 12);
    expect(scored).toMatchObject({ n: 3, rightSide: 2, worst: { predicted: 16 } });
    expect(() => score([])).toThrow(RangeError);
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

  it("has a name of its own for every figure", () => {
    const names = listPublishedFigures().map(({ what }) => what);
    expect(new Set(names).size).toBe(names.length);
  });

  it("is what the page shows, of figures as they are published today", () => {
    const published = new Map(listPublishedFigures().map(({ what, observed }) => [what, observed]));
    for (const { what, observed } of study.predictions) expect(published.get(what)).toBe(observed);
    for (const [name, lines] of Object.entries(predictionTables(study))) {
      expect(page).toContain(`<!-- ${name} -->\n${lines.join("\n")}\n<!-- /${name} -->`);
    }
  });
});
