import { expect, it } from "vitest";
import { compareVariants } from "../../lib/analysis/comparisons.ts";
import { type OnLambda, onLambda } from "../../lib/analysis/on-lambda.ts";
import { seriesViews } from "../../lib/analysis/series-view.ts";
import type { FixtureChoice } from "../report/support/fixture.ts";
import { oneRun } from "./support/one-run.ts";

const local = {
  ...{ target: "local", memoryMb: [1769], variants: ["rust", "python"], operations: ["get"] },
  ...{ cold: 8, warm: 40, replica: false },
} as const satisfies FixtureChoice;

/** Returns what is expected of a run of these variants. */
async function expected(variants: readonly string[]): Promise<OnLambda | undefined> {
  const { plan, samples, manifest } = await oneRun({ ...local, variants });
  return onLambda({
    ...{ plan, manifest },
    series: seriesViews(plan, samples, []),
    comparisons: compareVariants(plan, "rust", samples),
    builds: samples.builds.all(),
  });
}

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
