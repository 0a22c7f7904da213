import { expect, it } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import type { FixtureChoice } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";

const choice = {
  ...{ target: "local", memoryMb: [512], operations: ["get"], variants: ["python"] },
  ...{ cold: 8, warm: 80 },
} as const satisfies FixtureChoice;

/** The report of warm calls that take 10 ms, and of first ones, set aside, that take longer by a factor. */
function reportOf(factor: number) {
  const each = (sample: Sample): Sample => {
    if (sample.phase !== "warm" || sample.telemetry === undefined) return sample;
    const durationMs = sample.rejected?.reason === "warm-up" ? 10 * factor : 10;
    return { ...sample, telemetry: { ...sample.telemetry, durationMs } };
  };
  return fixtureReport(choice, { each });
}

it("calls set aside that take twice as long and 10 ms more are on the first screen", async () => {
  const { screen, view } = await reportOf(5);
  const [warm] = view.series.filter(({ phase }) => phase === "warm");
  expect(warm?.setAsideMs?.mean).toBeCloseTo(50, 9);
  expect(warm?.durationMs.mean).toBeCloseTo(10, 9);
  expect(screen).toContain(
    "Set aside: the first warm calls of an environment took 50.0 ms, the measured ones 10.0 (Python at 512 MB, get).",
  );
});

it("others are in the table of warm calls alone", async () => {
  const { screen, markdown } = await reportOf(1.9);
  expect(screen).not.toContain("Set aside");
  expect(markdown).toMatch(/\| Set aside ms +\|/);
});
