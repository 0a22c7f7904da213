import { describe, expect, it } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import type { FixtureChoice } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";

const choice = {
  memoryMb: [128],
  cold: 8,
  warm: 80,
  operations: ["get"],
} as const satisfies FixtureChoice;

async function reportOf(target: "local" | "aws") {
  const report = await fixtureReport({ ...choice, target });
  const cold = report.view.comparisons.variants.filter(({ phase }) => phase === "cold");
  const quantities = (isPart: boolean) =>
    new Set(
      cold.flatMap(({ quantity, descriptive = false }) => (descriptive === isPart ? quantity : [])),
    );
  return { ...report, primary: quantities(false), parts: quantities(true) };
}

describe("a cold start", () => {
  it.each(["local", "aws"] as const)("is Init and first Duration together: %s", async (target) => {
    const report = await reportOf(target);
    expect(report.primary).toEqual(new Set(["initAndDurationMs"]));
    expect(report.parts).toEqual(new Set(["initDurationMs", "durationMs", "billedDurationMs"]));
    expect(report.markdown).toMatch(
      /Rust \(tuned build\) is faster than Rust on a cold start: [\d.]+× /,
    );
    expect(report.screen).not.toContain("first request");
    expect(report.markdown).toContain("The verdict is on Init + first;");
  });

  it("of a snapshot is its restore and first Duration, each by its name", async () => {
    const imported = { ...choice, target: "imported", replica: false } as const;
    const each = (sample: Sample) => {
      const { initDurationMs, ...telemetry } = sample.telemetry ?? { durationMs: 0 };
      return initDurationMs === undefined
        ? sample
        : { ...sample, telemetry: { ...telemetry, restoreDurationMs: 10 * initDurationMs } };
    };
    const { files, headline, comment } = await fixtureReport(imported, { each });
    expect(headline).not.toContain("–");
    expect(comment).toMatch(/\| Restore [\d.]+ → [\d.]+, first Duration [\d.]+ → [\d.]+ \|/);
    expect(files["report-full.md"]).toMatch(/ Restore ms +\|/);
    expect(files["report.html"]).toContain("mean Init or Restore (faint)");
  });
});
