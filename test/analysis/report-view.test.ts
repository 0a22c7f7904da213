import { describe, expect, it } from "vitest";
import type { Comparison } from "../../lib/analysis/comparisons.ts";
import { reportView } from "../../lib/analysis/report-view.ts";
import { publishedTime } from "../../lib/analysis/rows.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { fixtureInputs } from "../report/support/fixture.ts";

const choice = {
  target: "aws",
  memoryMb: [128, 512],
  operations: ["get"],
  cold: 6,
  warm: 60,
} as const;
const { files } = await renderReport(fixtureInputs(choice));
const summary = JSON.parse(files["summary.json"] as string) as Summary;
const figures = { initDurationMs: 3, durationMs: 5, billedDurationMs: 9 };

describe("the rows of a report", () => {
  const warm = { phase: "warm", operation: "get" } as const;
  const published = ["python-arm64-128", "rust-arm64-128"].map((cellId, index) => ({
    ...{ cellId, ...warm, figures: { durationMs: 40 - 30 * index } },
  }));
  const view = reportView({ ...summary, published: { series: published } as never });

  it("are of each cell that is no replica, by phase, and so are its cells and sizes", () => {
    const ids = [128, 512].map((size) =>
      ["rust", "rust-tuned", "python"].map((variant) => `${variant}-arm64-${size}`),
    );
    expect(view.sizes.map((size) => size.map(({ id }) => id))).toEqual(ids);
    expect(view.cells.map(({ id }) => id)).toEqual(ids.flat());
    for (const rows of Object.values(view.rows)) {
      expect(rows.map(({ cell }) => cell.id)).toEqual(ids.flat());
    }
    expect(view.variants).toEqual(["rust", "rust-tuned", "python"]);
    expect(view.varies).toEqual({ architecture: false, workers: false });
  });

  it("have their own comparisons and published figures, with the noise floor of their size alone", () => {
    const [small, large] = [128, 512].map((memoryMb) =>
      view.rowOf({ id: `python-arm64-${memoryMb}` }, "warm", "get"),
    );
    const isWarm = ({ phase, quantity }: Comparison) =>
      `${phase} ${quantity}` === "warm durationMs";
    const { noiseFloor } = summary.comparisons.replicas.find(isWarm) ?? {};
    expect(small).toMatchObject({ published: { durationMs: 40 }, ...warm });
    expect(small?.compared.durationMs).toMatchObject({ published: 4, noiseFloor, ...warm });
    const unpublished = view.rowOf({ id: "rust-tuned-arm64-128" }, "warm", "get");
    expect(unpublished?.compared.durationMs).not.toHaveProperty("published");
    const absent = ["published", "noiseFloor", "onLambda"];
    const fields = Object.keys(large?.compared.durationMs ?? {});
    expect(fields.filter((field) => absent.includes(field))).toEqual([]);
    expect(fields).toContain("ratio");
  });
});

it.each([
  ["initDurationMs", 3],
  ["durationMs", 5],
  ["billedDurationMs", 9],
  ["initAndDurationMs", 8],
  ["sdkCallMs", undefined],
] as const)("the published time beside %s is %s", (quantity, ms) => {
  expect(publishedTime(figures, quantity)).toBe(ms);
  expect(publishedTime({}, quantity)).toBeUndefined();
});
