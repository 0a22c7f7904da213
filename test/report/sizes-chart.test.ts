import { describe, expect, test } from "vitest";
import type { FirstScreen } from "../../lib/report/document/document.ts";
import { number } from "../../lib/report/document/format.ts";
import { sparklines } from "../../lib/report/render/sparklines.ts";
import { fixtureReport } from "./support/fixture-report.ts";

const sizes = [128, 512, 1769];
const choice = { target: "local", variants: ["python"], memoryMb: sizes } as const;
const { page, files, comment, view } = await fixtureReport(choice);
const chart = (page.blocks[0] as FirstScreen).chart;

describe("the first chart of a run of one function's sizes", () => {
  test("has two lines, time and cost over memory, with the figures of the view", () => {
    expect(chart?.id).toBe("chart-sizes");
    expect(chart?.legend?.map(({ label }) => label)).toEqual(["time", "cost"]);
    const [said = ""] = chart?.panels.map(({ svg }) => /<desc>([^<]*)</.exec(svg)?.[1] ?? "") ?? [];
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

  test("stands in characters in report.md and in the comment as well", () => {
    for (const text of [files["report.md"], comment]) {
      expect(text).toMatch(
        /^ {4}time {2}[▁-█]{12} {2}[\d.,]+ ms at 128 MB to [\d.,]+ ms at 1,769 MB$/m,
      );
      expect(text).toMatch(
        /^ {4}cost {2}[▁-█]{12} {2}\$[\d.]+ per million at 128 MB to \$[\d.]+ at 1,769 MB$/m,
      );
    }
  });

  test("is another where variants are compared, and where there is one size", async () => {
    for (const choice of [{}, { variants: ["python"], memoryMb: [512] }]) {
      const other = await fixtureReport({ target: "local", ...choice });
      expect((other.page.blocks[0] as FirstScreen).chart?.id).toBe("chart-cold");
    }
  });
});

describe("a line in characters", () => {
  test("has for each value a block as high as its share of the largest, and never none", () => {
    const curves = [
      { label: "time", values: [80, 41, 1], text: "80 to 1" },
      { label: "cost", values: [3, 4, 4], text: "3 to 4" },
    ];
    expect(sparklines(curves, 80)).toEqual([
      "time  ████▄▄▄▄▁▁▁▁  80 to 1",
      "cost  ▆▆▆▆████████  3 to 4",
    ]);
    expect(sparklines(curves, 18)).toEqual(["time  █▄▁  80 to 1", "cost  ▆██  3 to 4"]);
  });

  test("is absent where there is one value", () => {
    expect(sparklines([{ label: "time", values: [80], text: "80" }], 80)).toEqual([]);
  });
});
