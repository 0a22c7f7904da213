import { describe, expect, test } from "vitest";
import type { FunctionResult } from "../../lib/contract/types/contract.ts";
import { fixturePlan, fixtureSamples } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";
import { rowWith, tableRows } from "./support/markdown-tables.ts";
import {
  average,
  averageBilledMs,
  durationOf,
  environmentAverages,
  environmentMiddles,
  kept,
  middle,
  printed,
  printedMedian,
} from "./support/own-arithmetic.ts";

const choice = { target: "local", memoryMb: [128, 1769] } as const;
const samples = [...fixtureSamples(fixturePlan(choice))];
const report = await fixtureReport(choice, { samples });
const { markdown } = report;
const labels = {
  rust: "Rust (default build)",
  "rust-tuned": "Rust (tuned build)",
  python: "Python (boto3)",
};

describe("the numbers of a report are those of its samples", () => {
  test.each(Object.entries(labels))("cold start of %s: Init, first Duration, bill", (id, label) => {
    const cold = kept(samples, `${id}-arm64-128`, "cold", "get");
    const row = rowWith(tableRows(markdown, "Cold start: mean"), {
      "Memory MB": "128",
      Variant: label,
    });
    const init = cold.map((sample) => sample.telemetry?.initDurationMs as number);
    expect(row.n).toBe("9");
    expect(row["Init ms"]).toBe(printed(init));
    expect(row["First Duration ms"]).toBe(printed(cold.map(durationOf)));
    const sums = cold.map((sample, index) => (init[index] as number) + durationOf(sample));
    expect(row["Init + first ms"]).toBe(printed(sums));
    expect(row["Init + first, median ms"]).toBe(printedMedian(sums));
    expect(row["Billed ms"]).toBe(
      printed(cold.map((sample) => sample.telemetry?.billedDurationMs as number)),
    );
  });

  test.each(["get", "put", "query", "batch_write"])(
    "warm %s: mean over environments' means, and median over their medians",
    (operation) => {
      const of = (id: string) => kept(samples, `${id}-arm64-1769`, "warm", operation);
      const row = rowWith(tableRows(markdown, "Warm Duration: mean ["), {
        Operation: `\`${operation}\``,
        "Memory MB": "1769",
        Variant: labels.python,
      });
      const python = environmentAverages(of("python"), durationOf);
      const rust = environmentAverages(of("rust"), durationOf);
      expect(row["n in environments"]).toBe("63 in 9");
      expect(row["Duration ms"]).toBe(printed(python));
      expect(row["Median ms"]).toBe(printedMedian(environmentMiddles(of("python"), durationOf)));
      expect(row.Ratio?.split(" ")[0]).toBe((average(python) / average(rust)).toFixed(2));
      expect(row.Verdict).toBe("slower");
    },
  );

  test("the SDK call's table holds sdkCallMs of the results", () => {
    const of = kept(samples, "rust-arm64-128", "warm", "put");
    const row = rowWith(tableRows(markdown, "Warm SDK call: mean"), {
      Operation: "`put`",
      "Memory MB": "128",
      Variant: labels.rust,
    });
    const sdk = environmentAverages(
      of,
      (sample) => (sample.result as FunctionResult).sdkCallMs as number,
    );
    expect(row["SDK call ms"]).toBe(printed(sdk));
    expect(row.Ratio).toBe("1 (baseline)");
  });

  test("the second invocation's table holds the second samples", () => {
    const second = kept(samples, "python-arm64-128", "second", "get");
    const row = rowWith(tableRows(markdown, "Second invocation: mean"), {
      "Memory MB": "128",
      Variant: labels.python,
    });
    expect(row["Duration ms"]).toBe(printed(second.map(durationOf)));
  });

  test("every cold run stands in its own row", () => {
    const rows = tableRows(markdown, "Every cold run:");
    const first = kept(samples, "rust-arm64-128", "cold", "get").find(
      (sample) => sample.block === 3,
    );
    const row = rowWith(rows, { "Memory MB": "128", Block: "3" });
    expect(rows).toHaveLength(18);
    expect(row[`${labels.rust} ms`]).toContain(durationOf(first as never).toFixed(0));
  });

  test("cost per million is the mean bill by GB-seconds and the request's fee", () => {
    const billed = (phase: string) =>
      averageBilledMs(kept(samples, "python-arm64-128", phase, "get"));
    const usd = (ms: number) => 1e6 * ((128 / 1024) * (ms / 1000) * 0.0000133334 + 0.0000002);
    const row = rowWith(tableRows(markdown, "Cost per million"), {
      "Memory MB": "128",
      Variant: labels.python,
    });
    const mixed = 0.01 * usd(billed("cold")) + 0.99 * usd(billed("warm"));
    for (const [column, value] of [
      ["Cold `get`", usd(billed("cold"))],
      ["Warm `get`", usd(billed("warm"))],
      ["`get` at 1% cold", mixed],
    ] as const) {
      const [, mean, low, high] =
        /^([\d.]+) \\?\[([\d.]+), ([\d.]+)\\?\]$/.exec(row[column] ?? "") ?? [];
      expect(mean).toBe(value.toFixed(3));
      expect(Number(low)).toBeLessThanOrEqual(value);
      expect(Number(high)).toBeGreaterThanOrEqual(value);
    }
  });

  test("the summary has them unrounded, and series.csv the same", () => {
    const summary = JSON.parse(report.files["summary.json"] as string);
    const series = summary.series.find(
      (candidate: { cell: { id: string }; phase: string; operation: string }) =>
        candidate.cell.id === "rust-arm64-128" &&
        candidate.phase === "warm" &&
        candidate.operation === "query",
    );
    const of = kept(samples, "rust-arm64-128", "warm", "query");
    const own = average(environmentAverages(of, durationOf));
    expect(series.durationMs.mean).toBeCloseTo(own, 9);
    const median = middle(environmentMiddles(of, durationOf));
    expect(series.durationMs.median).toBe(median);
    const [head, ...lines] = (report.files["series.csv"] as string).trimEnd().split("\n");
    const fields = lines
      .map((line) => line.split(","))
      .find((line) => line[0] === "rust-arm64-128" && line[6] === "warm" && line[7] === "query");
    const column = (name: string) => Number(fields?.[head?.split(",").indexOf(name) ?? -1]);
    expect(column("durationMeanMs")).toBeCloseTo(own, 9);
    expect(column("durationMedianMs")).toBe(median);
  });

  test("the terminal's headline has the same figures as the tables", () => {
    const cold = kept(samples, "rust-arm64-128", "cold", "get");
    const sums = cold.map(
      (sample) => (sample.telemetry?.initDurationMs as number) + durationOf(sample),
    );
    expect(report.headline).toContain(` ${average(sums).toFixed(0)} `);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what is looked for.
    expect(report.headline).not.toMatch(/\u001b/);
  });
});

test("a margin is printed as it was chosen, not rounded to whole percents", async () => {
  const plan = { verdicts: { margin: 0.025, errorRate: 0.005 } };
  const own = await fixtureReport(choice, { samples, plan });
  for (const text of [own.markdown, own.files["report.md"], own.comment]) {
    expect(text).toMatch(/\b2\.5%/);
    expect(text).not.toMatch(/(?:within|margin of|beyond|under|above) [23]%/);
  }
  expect(own.markdown).toMatch(/must also pass .* at 0\.5%\./);
});
