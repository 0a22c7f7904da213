import { describe, expect, test } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { withInstrumentedPart } from "../../lib/plan/expand.ts";
import {
  firstRequestChoice,
  firstRequestPlan,
  firstRequestSamples,
  instrumentedSamples,
} from "./support/first-request-fixture.ts";
import { type FixtureChoice, fixturePlan, fixtureSamples } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";
import { rowWith, tableRows } from "./support/markdown-tables.ts";
import { kept, middle, printed } from "./support/own-arithmetic.ts";

const choice: FixtureChoice = { ...firstRequestChoice, memoryMb: [128] };
const plan = withInstrumentedPart(firstRequestPlan(choice));
const timed = firstRequestSamples(plan);
const millionsOf = (variant: string, phase: Sample["phase"]) =>
  phase !== "cold" ? 3 : variant === "ring" ? 4 : 420;
const instrumented = instrumentedSamples(plan, millionsOf);

const reportOf = (samples: readonly Sample[], of: FixtureChoice = choice, planned = plan) =>
  fixtureReport(of, { samples, plan: planned });

const report = await reportOf([...timed, ...instrumented]);
const without = await reportOf(timed);

/** Everything of a report but what is to tell of the instrumented samples. */
function summaryWithoutCounts(text: string | undefined) {
  const { manifest, quality, series, ...rest } = JSON.parse(text as string);
  for (const one of series) delete one.instructions;
  return { ...rest, series };
}

describe("CPU time", () => {
  const rows = tableRows(report.markdown, "CPU time: mean");
  const cpuOf = (cellId: string, phase: string, of: (cpu: NonNullable<Sample["cpu"]>) => unknown) =>
    kept(timed, cellId, phase, "get").map(
      ({ cpu }) => of(cpu as NonNullable<Sample["cpu"]>) as number,
    );

  test("of Init and first request: medians, ratio and verdict by variant", () => {
    const unwarmed = cpuOf("unwarmed-arm64-128", "cold", (cpu) => cpu.invocationCpuMs);
    const ring = cpuOf("ring-arm64-128", "cold", (cpu) => cpu.invocationCpuMs);
    const row = rowWith(rows, { Variant: "ring instead of aws-lc" });
    expect(row).toMatchObject({
      n: "10",
      "Init CPU ms": printed(cpuOf("ring-arm64-128", "cold", (cpu) => cpu.initCpuMs)),
      "First request CPU ms": printed(ring),
      "Second CPU ms": printed(cpuOf("ring-arm64-128", "second", (cpu) => cpu.invocationCpuMs)),
      Verdict: "faster",
    });
    expect(row["First ratio"]?.split(" ")[0]).toBe((middle(ring) / middle(unwarmed)).toFixed(2));
    expect(rowWith(rows, { Variant: "Unwarmed (SDK defaults)" }).Verdict).toBe("baseline");
  });

  test("is absent where nothing accounts for it", async () => {
    const blind = timed.map(({ cpu: _, ...sample }) => sample);
    const { markdown } = await reportOf(blind);
    expect(markdown).not.toContain("CPU time: mean");
    expect(markdown).not.toContain("CPU time and instructions");
    expect(tableRows(markdown, "A/A pair").map((row) => row.Metric)).not.toContain(
      "CPU time of Init",
    );
  });

  test("stands in series.csv", () => {
    const [head = "", ...lines] = (report.files["series.csv"] as string).split("\n");
    const line = lines.find((text) => text.startsWith("ring-arm64-128,"))?.split(",");
    const ring = cpuOf("ring-arm64-128", "cold", (cpu) => cpu.initCpuMs);
    expect(Number(line?.[head.split(",").indexOf("initCpuMedianMs")])).toBe(middle(ring));
  });
});

describe("instructions", () => {
  const rows = tableRows(report.markdown, "Instructions in user space");

  test("are medians of the instrumented samples, in millions, with their number and ratio", () => {
    expect(rowWith(rows, { Variant: "ring instead of aws-lc" })).toMatchObject({
      n: "3, 3, 12",
      "Init M": "0.400",
      "Init ratio": "0.010",
      "First M": "5.00",
      "First ratio": "0.012",
      "Second M": "4.00",
      "Warm `get` M": "4.00",
      "Warm `get` ratio": "1.00",
    });
    expect(rowWith(rows, { Variant: "Unwarmed (SDK defaults)" })["First M"]).toBe("421");
  });

  test("their samples count in no statistic of time", () => {
    expect(summaryWithoutCounts(report.files["summary.json"])).toEqual(
      summaryWithoutCounts(without.files["summary.json"]),
    );
    const [statistics] = report.markdown.split("\n### Data quality");
    expect(statistics).not.toContain("9999999");
    expect(report.manifest.counts.rejected.instrumented).toBe(instrumented.length);
  });

  test("a count without its label is kept out of the times, too", async () => {
    const unlabelled = instrumented.map(({ rejected: _, ...sample }) => sample);
    const { files } = await reportOf([...timed, ...unlabelled]);
    expect(files["summary.json"]).toBe(report.files["summary.json"]);
  });

  test("so is a sample of their blocks that has neither label nor count", async () => {
    const bare = instrumented.map(({ rejected: _, instructions: __, ...sample }) => sample);
    const { files, manifest } = await reportOf([...timed, ...bare]);
    expect(manifest.counts.rejected.instrumented).toBe(instrumented.length);
    expect(summaryWithoutCounts(files["summary.json"])).toEqual(
      summaryWithoutCounts(without.files["summary.json"]),
    );
  });

  test("trials under callgrind are planned ones: without them the run is incomplete", () => {
    const { planned, recorded } = report.manifest.counts;
    expect(planned).toBe(recorded);
    expect(report.markdown).not.toContain("INCOMPLETE");
    expect(without.markdown).toContain("This run is INCOMPLETE");
  });

  test("failed ones count nothing", async () => {
    const failed = instrumented.map((sample) => ({
      ...sample,
      error: { type: "Boom", message: "under valgrind" },
    }));
    const { markdown } = await reportOf([...timed, ...failed]);
    expect(markdown).not.toContain("Instructions in user space");
  });

  test("without the baseline's count there is no ratio, and no 0", async () => {
    const others = instrumented.filter(({ cell }) => cell.variant !== "unwarmed");
    const { markdown } = await reportOf([...timed, ...others]);
    const alone = tableRows(markdown, "Instructions in user space");
    expect(alone).toHaveLength(5);
    expect(rowWith(alone, { Variant: "ring instead of aws-lc" })["First ratio"]).toBe("–");
  });

  test("any experiment has the table: dynamodb with all of its operations", async () => {
    const of: FixtureChoice = { target: "local", memoryMb: [128] };
    const dynamodb = withInstrumentedPart(fixturePlan(of));
    const counted = instrumentedSamples(dynamodb, (variant) => (variant === "python" ? 900 : 12));
    const { markdown } = await reportOf([...fixtureSamples(dynamodb), ...counted], of, dynamodb);
    const row = rowWith(tableRows(markdown, "Instructions in user space"), {
      Variant: "Python (boto3)",
    });
    expect(row["First M"]).toBe("901");
    expect(row["Warm `batch_write` M"]).toBe("901");
    expect(row["First ratio"]).toBe((901 / 13).toFixed(1));
  });
});
