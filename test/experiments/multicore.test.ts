import { describe, expect, it } from "vitest";
import type { Plan, Sample } from "../../lib/contract/types/contract.ts";
import type { FixtureChoice } from "../report/support/fixture.ts";
import { fixtureReport } from "../report/support/fixture-report.ts";
import { checkedHtml } from "../report/support/html-check.ts";
import { htmlWithoutPictures } from "../report/support/html-without-pictures.ts";
import { rowWith, tableRows } from "../report/support/markdown-tables.ts";
import {
  type MadeUp,
  multicoreChoice,
  multicorePlan,
  multicoreSamples,
} from "../report/support/multicore-fixture.ts";
import {
  average,
  averageBilledMs,
  durationOf,
  environmentAverages,
  kept,
  printed,
  printedMedian,
} from "../report/support/own-arithmetic.ts";

async function reportOf(
  choice: FixtureChoice = {},
  madeUp: MadeUp = {},
  plan: Partial<Plan> = {},
): Promise<string> {
  const report = await reportIn(choice, madeUp, plan);
  checkedHtml(htmlWithoutPictures(report));
  return report.markdown;
}

async function reportIn(choice: FixtureChoice, madeUp: MadeUp = {}, plan: Partial<Plan> = {}) {
  const samples = multicoreSamples(multicorePlan(choice), madeUp);
  return await fixtureReport({ ...multicoreChoice, ...choice }, { samples, plan });
}

const samples = multicoreSamples(multicorePlan());
const report = await reportIn({});
const { markdown } = report;
const hashes = (cellId: string): readonly Sample[] => kept(samples, cellId, "warm", "hash");
const crate = "Rust (rayon, bcrypt crate)";
const lanes = "Rust, interleaved hashes (a study, no library)";
const at = (memoryMb: string, variant = crate) => ({ "Memory MB": memoryMb, Variant: variant });

describe("durations", () => {
  const rows = tableRows(markdown, "Warm Duration of 20 hashes");

  it("are told by mean, median and the threads that made them, the source's beside", () => {
    const means = environmentAverages(hashes("rust-x86-64-2048"), durationOf);
    expect(rowWith(rows, at("2048"))).toMatchObject({
      "n in environments": "9",
      "Mean ms": printed(means),
      "Median ms": printedMedian(means),
      "Threads used": "2 [2, 2]",
      "Published mean ms": "1253",
    });
  });

  it("have percentiles only with as many calls as they need", async () => {
    expect(rowWith(rows, at("1536"))["P95 ms"]).toBe("insufficient (9 of 60)");
    const more = tableRows(await reportOf({ warm: 64 }), "Warm Duration of 20 hashes");
    expect(rowWith(more, at("1536"))["P95 ms"]).toMatch(/^\d+ \\\[\d+, (?:\d+|–)\\\]$/);
    expect(rowWith(more, at("1536"))["P99 ms"]).toBe("insufficient (72 of 300)");
  });

  it("of the study have nothing published beside them", () => {
    expect(rowWith(rows, at("2048", lanes))["Published mean ms"]).toBe("–");
  });
});

describe("the speed-up", () => {
  const rows = tableRows(markdown, "Speed-up over the smallest size");

  it("is over the smallest size, and the efficiency over the growth of the CPU credit", () => {
    const means = ["rust-x86-64-1536", "rust-x86-64-4096"].map((cellId) =>
      average(environmentAverages(hashes(cellId), durationOf)),
    );
    const speedUp = (means[0] as number) / (means[1] as number);
    const row = rowWith(rows, at("4096"));
    expect(row.Workers).toBe("3");
    expect(row["CPU credit, vCPUs"]).toBe((4096 / 1769).toFixed(2));
    expect(row["Speed-up"]?.split(" ")[0]).toBe(speedUp.toFixed(2));
    expect(row.Efficiency?.split(" ")[0]).toBe("1.00");
    expect(rowWith(rows, at("1536"))["Speed-up"]).toBe("1 (smallest)");
  });

  it("of a pool that uses one vCPU is 1, and its efficiency falls with the memory, not the workers", async () => {
    const used = ({ memoryMb }: { readonly memoryMb: number }) => Math.min(1, memoryMb / 1769);
    const idle = tableRows(await reportOf({}, { used }), "Speed-up over the smallest size");
    const row = rowWith(idle, at("4096"));
    expect(Number(row["Speed-up"]?.split(" ")[0])).toBeCloseTo(1769 / 1536, 1);
    expect(Number(row.Efficiency?.split(" ")[0])).toBeCloseTo(1769 / 4096, 1);
  });

  it("has the source's own beside, and its efficiency by the same arithmetic", () => {
    expect(rowWith(rows, at("4096"))).toMatchObject({
      "Published speed-up": "1.87",
      "Published efficiency": ((1.87 * 1536) / 4096).toFixed(2),
    });
  });
});

it("the cost is printed by both arithmetics beside the source's", () => {
  const row = rowWith(tableRows(markdown, "Cost per million warm invocations"), at("2048"));
  const aws = (averageBilledMs(hashes("rust-x86-64-2048")) / 1000) * (2048 / 1024) * 16.6667 + 0.2;
  expect(Number(row["By AWS's arithmetic"]?.split(" ")[0])).toBeCloseTo(aws, 1);
  const means = environmentAverages(hashes("rust-x86-64-2048"), durationOf);
  const study = (average(means) / 1000) * 2.048 * 16.6667;
  expect(Number(row["By the source's"])).toBeCloseTo(study, 1);
  expect(row["Published, by the source's"]).toBe("42.8");
});

describe("which size to take", () => {
  const choices = (markdown: string) => tableRows(markdown, "Which size to take");

  it("names the fastest alone where every other one is decided to be slower", () => {
    expect(rowWith(choices(markdown), { Variant: crate })).toMatchObject({
      Fastest: "4,096 MB, 3 workers",
      Balanced: "4,096 MB, 3 workers",
    });
  });

  it("names all sizes where they cost the same within the margin", () => {
    expect(rowWith(choices(markdown), { Variant: crate }).Cheapest).toMatch(
      /^the same within 5%: .*1,536 MB, 1 worker.*4,096 MB, 3 workers/,
    );
  });

  it("is the smallest where more memory brings nothing", async () => {
    const row = rowWith(choices(await reportOf({}, { used: () => 0.8 })), { Variant: crate });
    expect(row.Cheapest).toBe("1,536 MB, 1 worker");
    expect(row.Fastest).toMatch(/^the same within 5%: /);
  });

  it("is no question where one size was measured", async () => {
    const { files, markdown: ofOneSize } = await reportIn({ memoryMb: [2048] });
    checkedHtml(files["report.html"] as string);
    const row = rowWith(choices(ofOneSize), { Variant: crate });
    expect(row).toMatchObject({ Fastest: "–", Cheapest: "–", Balanced: "–" });
  });
});

describe("what one core does", () => {
  it("is told by CPU time, against a plain loop over the crate", () => {
    const rows = tableRows(markdown, "Hashes per second of CPU time");
    expect(rowWith(rows, at("1536")).Ratio).toBe("1 (plain loop)");
    expect(rowWith(rows, at("2048"))).toMatchObject({ Verdict: "the same" });
    const study = rowWith(rows, at("2048", lanes));
    expect(study.Ratio?.split(" ")[0]).toBe("3.00");
    expect(study.Verdict).toBe("more");
    expect(markdown).toContain("is a study, not a library");
  });

  it("is not told where no CPU time is accounted for", async () => {
    const report = await reportOf({}, { cpuTime: false });
    expect(report).not.toContain("Hashes per second of CPU time");
  });
});

describe("the rest of the report", () => {
  it("has Init by architecture, all sizes together", () => {
    const rows = tableRows(markdown, "Init by architecture");
    const row = rowWith(rows, { Architecture: "x86_64", Variant: crate });
    expect(row).toMatchObject({ n: "27", "Published ms": "26 to 29" });
  });

  it("has charts", () => {
    const { elements } = checkedHtml(report.files["report.html"] as string);
    expect(elements.some(({ name }) => name === "svg")).toBe(true);
  });

  it("says before any number what was left out, and why", async () => {
    const leftOut = ["10240 MB with 6 workers: 5.79 vCPUs, and this machine has 2"];
    const report = await reportOf({}, {}, { leftOut });
    expect(report.indexOf("**Not measured:** 10240 MB with 6 workers")).toBeGreaterThan(0);
    const [before = "", ...after] = report.split(/\d× \[/);
    expect(before).toContain("Not measured:");
    expect(after.length).toBeGreaterThan(0);
  });
});
