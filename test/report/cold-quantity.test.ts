import { describe, expect, it } from "vitest";
import type { ReportView } from "../../lib/analysis/report-view.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { type FixtureChoice, fixtureInputs } from "./support/fixture.ts";

const choice = {
  memoryMb: [128],
  cold: 8,
  warm: 80,
  operations: ["get"],
} as const satisfies FixtureChoice;

async function reportOf(target: "local" | "aws") {
  const { files, headline } = await renderReport(fixtureInputs({ ...choice, target }));
  const summary = JSON.parse(files["summary.json"] as string) as ReportView;
  const cold = summary.comparisons.variants.filter(({ phase }) => phase === "cold");
  return {
    headline: headline.replaceAll(/\s+/g, " "),
    markdown: files["report-full.md"] as string,
    files,
    quantities: new Set(cold.map(({ quantity }) => quantity)),
    series: summary.series.find(({ phase, cell }) => phase === "cold" && cell.variant === "rust"),
    distribution: summary.distributions.find(({ phase }) => phase === "cold"),
  };
}

describe("a cold start", () => {
  it("of one machine is compared by the first Duration, with Init beside it and in no sum", async () => {
    const local = await reportOf("local");
    expect(local.quantities).not.toContain("initAndDurationMs");
    expect(local.quantities).toContain("initDurationMs");
    expect(local.headline).toMatch(/answers the first request [\d.]+ times faster/);
    expect(local.headline).not.toMatch(/\bstarts [\d.]+/);
    expect(local.markdown).toContain("Init is the start of a process on this machine.");
    expect(local.markdown).toContain("The verdict is on First Duration.");
    for (const text of [local.markdown, local.files["report.html"]]) {
      expect(text).not.toMatch(/Init \+ first|Init and first Duration/);
    }
    const { low, high } = local.series?.durationMs ?? {};
    const middle = local.distribution?.quantilesMs.at(4) ?? 0;
    expect(middle).toBeGreaterThanOrEqual(low ?? Number.NaN);
    expect(middle).toBeLessThanOrEqual(high ?? Number.NaN);
  });

  it("of Lambda is compared by Init and the first Duration together", async () => {
    const aws = await reportOf("aws");
    expect(aws.quantities).toContain("initAndDurationMs");
    expect(aws.headline).toMatch(/starts [\d.]+ times faster/);
    expect(aws.markdown).not.toContain("the start of a process");
    expect(aws.markdown).toContain("The verdict is on Init + first.");
  });
});
