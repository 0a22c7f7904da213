import { describe, expect, test } from "vitest";
import type { Summary } from "../../lib/analysis/summary.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import type { FirstScreen } from "../../lib/report/document/document.ts";
import { number } from "../../lib/report/document/format.ts";
import { fixtureInputs } from "./support/fixture.ts";

const sizes = [128, 512, 1769];
const { page, files } = await renderReport(
  fixtureInputs({ target: "local", variants: ["python"], memoryMb: sizes }),
);
const view = JSON.parse(files["summary.json"] as string) as Summary;
const chart = (page.blocks[0] as FirstScreen).chart;

describe("the first chart of a run of one function's sizes", () => {
  test("has two lines, time and cost over memory, with the figures of the view", () => {
    expect(chart?.id).toBe("chart-sizes");
    expect(chart?.legend?.map(({ label }) => label)).toEqual(["time", "cost"]);
    const [said = ""] =
      chart?.panels.map(({ svg }) => /<desc [^>]*>([^<]*)</.exec(svg)?.[1] ?? "") ?? [];
    const choice = view.recommendation?.variants[0];
    expect(choice?.sizes).toHaveLength(sizes.length);
    for (const { cell, usdPerMillion } of choice?.sizes ?? []) {
      const warm = view.series.find(
        (series) =>
          series.phase === "warm" &&
          series.operation === choice?.operation &&
          series.cell.id === cell.id,
      );
      const label = `${cell.memoryMb.toLocaleString("en-US")} MB`;
      expect(said).toContain(`${label}: ${number(warm?.durationMs.mean)} [`);
      expect(said).toContain(`$${number(usdPerMillion, 3)}`);
    }
  });

  test("names the sizes that are decided, and no other", () => {
    const choice = view.recommendation?.variants[0];
    for (const name of ["cheapest", "fastest"] as const) {
      const best = choice?.[name];
      const isNamed = chart?.title.includes(`${name} at`);
      expect(isNamed).toBe(best?.kind === "decided");
      if (best?.kind === "decided") {
        expect(chart?.title).toContain(
          `${name} at ${best.cell.memoryMb.toLocaleString("en-US")} MB`,
        );
      }
    }
  });

  test("is another where variants are compared, and where there is one size", async () => {
    for (const choice of [{}, { variants: ["python"], memoryMb: [512] }]) {
      const other = await renderReport(fixtureInputs({ target: "local", ...choice }));
      expect((other.page.blocks[0] as FirstScreen).chart?.id).toBe("chart-cold");
    }
  });
});
