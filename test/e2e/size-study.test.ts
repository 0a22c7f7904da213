import { describe, expect, it } from "vitest";
import {
  noises,
  publishedSizes,
  sizesHead,
  sizesText,
  troubles,
  usualNoise,
  workloads,
} from "../../bench/size-study/study.ts";
import { columns, expectToPrint, publishedTable } from "./support/study-table.ts";

const published = publishedTable("coverage.md", "sizes");
const rows = published.slice(sizesHead.length).map((row) => {
  const [, workload = "", noise = "", ...figures] = columns(row);
  const [cheapest = 100, fastest = 100, balanced = 100, open, , , saved = 0] = figures.map(
    Number.parseFloat,
  );
  return { workload, noise, wrong: cheapest + fastest + balanced, open, saved };
});

describe("the study of chosen sizes", () => {
  it("prints the table of the document, of as many runs as were asked for", () => {
    expectToPrint(published, "size-study.ts", "--runs");
  });

  it("gives figures of the document again", () => {
    const hard = workloads.filter(({ id }) => id.startsWith("close-"));
    const again = hard.map((workload) => sizesText(workload, usualNoise, publishedSizes));
    expect(again).toHaveLength(2);
    for (const row of again) expect(published).toContain(row);
  });

  it("has at most 5 of 100 runs choose a size that is further from the best, of any function, noise and trouble", () => {
    expect(publishedSizes.runs).toBe(200);
    expect(rows).toHaveLength(workloads.length * noises.length + troubles.length);
    for (const { wrong } of rows) expect(wrong).toBeLessThanOrEqual(5);
  });

  it("has no more calls than every size to the end, and decides all where environments differ by 5%", () => {
    for (const { saved } of rows) expect(saved).toBeGreaterThanOrEqual(0);
    const clean = rows.slice(0, workloads.length * noises.length);
    const alike = clean.filter(({ noise }) => noise === "log-normal" || noise === "drifting");
    expect(alike).toHaveLength(2 * workloads.length);
    for (const { open } of alike) expect(open).toBe(0);
  });
});
