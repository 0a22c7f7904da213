import { expect, it } from "vitest";
import { logDesigns, warmCalls } from "../../bench/interval-study/clustered-logs.ts";
import { populations } from "../../bench/interval-study/populations.ts";
import { collectSamples } from "../../lib/analysis/collect-samples.ts";
import { measureOfSeries } from "../../lib/analysis/series-view.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { importedRun } from "../../lib/import/imported-run.ts";
import { readSource } from "../../lib/import/read-source.ts";
import { formatReport } from "../support/report-line.ts";

/** The mean of calls around 100 ms, from which environments and calls differ by 5%. */
const trueMs = 100 * Math.exp(0.05 ** 2);
const rounds = 300;

/** As `aws logs tail` prints the calls of a log, with its streams or in its short format. */
function logOf(units: ReturnType<typeof warmCalls>["units"], isShort: boolean): string {
  return units
    .flatMap(({ block, values }) => {
      const stream = isShort ? "" : `2026/01/05/[$LATEST]${block.toString(16).padStart(32, "0")} `;
      return values.map((durationMs, call) => {
        const report = formatReport(`${block}-${call}`, {
          ...{ durationMs, memorySizeMb: 128, maxMemoryUsedMb: 38 },
        });
        return `2026-01-05T10:00:00+00:00 ${stream}${report}`;
      });
    })
    .join("\n");
}

/** The warm interval that a report states of a log. */
async function warmInterval(log: string) {
  const stamp = { runId: "r", createdAt: "2026-01-05T10:00:00Z", pricesDate: "", sha256: [] };
  const words = { variant: "f", architecture: "arm64" };
  const { plan, samples } = importedRun([readSource({ name: "log", text: log })], words, stamp);
  const stored = async function* (): AsyncGenerator<Sample> {
    yield* samples;
  };
  const collected = await collectSamples(plan, stored(), { add: () => {} }, () => ({}));
  return measureOfSeries(collected.series("f-arm64-128", "invoke", "warm").series("durationMs"));
}

/** Share of made-up logs of which the interval holds the mean of the calls that all are made by. */
async function coverage(label: string, isShort: boolean): Promise<number> {
  const design = logDesigns.find((each) => each.label === label);
  const [population] = populations;
  if (design === undefined || population === undefined) throw new Error("nothing to simulate");
  const random = new SeededRandom(20_261_122);
  let covered = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { units } = warmCalls(population, design, random);
    const { low = Number.NaN, high = Number.NaN } = await warmInterval(logOf(units, isShort));
    covered += Number(low <= trueMs && trueMs <= high);
  }
  return covered / rounds;
}

/** Two and a half standard errors of a share of 0.95 in so many rounds. */
const doubt = 2.5 * Math.sqrt((0.95 * 0.05) / rounds);

it.each(["8 streams, 10 calls each", "20 streams, one with 500 calls, the others with 1"])(
  "the warm interval of an imported log holds the truth in 95 of 100: %s",
  async (label) => {
    const covered = await coverage(label, false);
    expect(covered).toBeGreaterThanOrEqual(0.95 - doubt);
    expect(covered).toBeLessThanOrEqual(0.95 + doubt);
  },
);

it("that of a log without streams does not, as the report says", async () => {
  expect(await coverage("8 streams, 10 calls each", true)).toBeLessThan(0.8);
});
