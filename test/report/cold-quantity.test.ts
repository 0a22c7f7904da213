import { describe, expect, it } from "vitest";
import type { Summary } from "../../lib/analysis/summary.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import {
  type FixtureChoice,
  fixtureInputs,
  fixturePlan,
  fixtureSamples,
} from "./support/fixture.ts";

const choice = {
  memoryMb: [128],
  cold: 8,
  warm: 80,
  operations: ["get"],
} as const satisfies FixtureChoice;

async function reportOf(target: "local" | "aws") {
  const { files, headline } = await renderReport(fixtureInputs({ ...choice, target }));
  const summary = JSON.parse(files["summary.json"] as string) as Summary;
  const cold = summary.comparisons.variants.filter(({ phase }) => phase === "cold");
  return {
    headline: headline.replaceAll(/\s+/g, " "),
    markdown: files["report-full.md"] as string,
    primary: new Set(
      cold.flatMap(({ quantity, descriptive }) => (descriptive === undefined ? quantity : [])),
    ),
    parts: new Set(
      cold.flatMap(({ quantity, descriptive }) => (descriptive === undefined ? [] : quantity)),
    ),
  };
}

describe("a cold start", () => {
  it.each(["local", "aws"] as const)("is Init and first Duration together: %s", async (target) => {
    const report = await reportOf(target);
    expect(report.primary).toEqual(new Set(["initAndDurationMs"]));
    expect(report.parts).toEqual(new Set(["initDurationMs", "durationMs", "billedDurationMs"]));
    expect(report.markdown).toMatch(/starts [\d.]+ times faster/);
    expect(report.headline).not.toContain("first request");
    expect(report.markdown).toContain("The verdict is on Init + first;");
  });

  it("of a snapshot is its restore and first Duration, each by its name", async () => {
    const imported = { ...choice, target: "imported", replica: false } as const;
    const samples = [...fixtureSamples(fixturePlan(imported))].map((sample) => {
      const { initDurationMs, ...telemetry } = sample.telemetry ?? { durationMs: 0 };
      return initDurationMs === undefined
        ? sample
        : { ...sample, telemetry: { ...telemetry, restoreDurationMs: 10 * initDurationMs } };
    });
    const { files, headline, comment } = await renderReport(fixtureInputs(imported, { samples }));
    expect(headline).not.toContain("–");
    expect(comment).toMatch(/\| Restore [\d.]+ → [\d.]+, first Duration [\d.]+ → [\d.]+ \|/);
    expect(files["report-full.md"]).toMatch(/ Restore ms +\|/);
    expect(files["report.html"]).toContain("mean Init or Restore (faint)");
  });
});
