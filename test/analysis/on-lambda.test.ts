import { describe, expect, it } from "vitest";
import { makeCalibration, shareCalls } from "../../lib/analysis/calibration.ts";
import { compareVariants } from "../../lib/analysis/comparisons.ts";
import { type OnLambda, onLambda } from "../../lib/analysis/on-lambda.ts";
import { seriesViews } from "../../lib/analysis/series-view.ts";
import type { CalibratedCall, SpeedProbe } from "../../lib/contract/types/contract.ts";
import type { FixtureChoice } from "../report/support/fixture.ts";
import { oneRun } from "./support/one-run.ts";

const local = {
  ...{ target: "local", memoryMb: [1769], variants: ["rust", "python"], operations: ["get"] },
  ...{ cold: 8, warm: 40, replica: false },
} as const satisfies FixtureChoice;
const here = await oneRun(local);
const lambda = await oneRun({ ...local, target: "aws" }, { factorOf: () => 3 });
const { calls } = shareCalls(here, lambda);

/** Returns what is expected of a run of these variants, with a calibration by these calls. */
async function expected(
  variants: readonly string[],
  learned?: readonly CalibratedCall[],
): Promise<OnLambda | undefined> {
  const { plan, samples, manifest } = await oneRun({ ...local, variants });
  const stamp = { createdAt: "", cpuModel: "", speed: here.manifest.speed as SpeedProbe };
  const calibration = learned && makeCalibration(learned, here, lambda, stamp);
  return onLambda({
    ...{ plan, manifest: { ...manifest, ...(calibration && { calibration }) } },
    series: seriesViews(plan, samples, []),
    comparisons: compareVariants(plan, "rust", samples),
    builds: samples.builds.all(),
  });
}

const ofPython = calls.filter(({ function: name }) => name.endsWith("python"));
const withoutInit = calls.map(
  ({ local: { initMs: _, ...own }, lambda: { initMs: __, ...there }, ...call }) =>
    ({ ...call, local: own, lambda: there }) as CalibratedCall,
);

it("a ratio's range is around the ratio of the two functions' times, with Init if they are cold", async () => {
  const { times = [], ratios = [] } = (await expected(["rust", "python"])) ?? {};
  expect(ratios.map(({ phase }) => phase)).toEqual(["cold", "warm"]);
  for (const { phase, range, ...ids } of ratios) {
    const [own = 0, baseline = 0] = [ids.cellId, ids.baselineCellId].map((id) => {
      const found = times.find((each) => each.cellId === id && each.phase === phase);
      return (found?.initAndDurationMs ?? found?.durationMs)?.expected;
    });
    expect(range.expected).toBeCloseTo(own / baseline, 6);
  }
});

describe("a calibration", () => {
  it.each([
    ["one function's times, by calls of its own", ["python"], ofPython, false],
    ["both functions' times and their ratios", ["rust", "python"], calls, false],
    ["all times but Init, which it lacks", ["rust"], withoutInit, true],
    ["the function alone of whose runtime it has calls", ["rust", "python"], ofPython, true],
  ] as const)("is used for %s: partly if any range does without", async (...row) => {
    const [, variants, learned, isPartial] = row;
    expect((await expected(variants, learned))?.calibration).toMatchObject({
      ...{ awsRunId: lambda.plan.runId, awsRunAt: lambda.manifest.startedAt, isPartial },
      ...{ localRunId: here.plan.runId, architectures: ["arm64"], factors: expect.anything() },
    });
  });

  it("is not named where there is none, or no call of the run's runtimes", async () => {
    expect(await expected(["rust"])).not.toHaveProperty("calibration");
    expect(await expected(["rust"], ofPython)).not.toHaveProperty("calibration");
  });
});
