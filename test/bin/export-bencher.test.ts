import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { beforeAll, expect, it } from "vitest";
import { exportRun } from "../../bin/commands/export.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { BencherMetrics } from "../../lib/report/render/bencher.ts";
import { captureOutput } from "../support/captured-output.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const planned = smallPlan({ cold: 10, warm: 60, operations: ["get", "query"] });
beforeAll(async () => void (await finishedRun(folder, planned)));

/** As the format's reference has it, and no field besides. */
const metric = {
  type: "object",
  required: ["value"],
  additionalProperties: false,
  properties: {
    value: { type: "number" },
    lower_value: { type: "number" },
    upper_value: { type: "number" },
  },
};
const isBencher = new Ajv().compile({
  type: "object",
  minProperties: 1,
  additionalProperties: { type: "object", minProperties: 1, additionalProperties: metric },
});

async function exported(): Promise<BencherMetrics> {
  const output = captureOutput();
  expect(await exportRun(folder, { format: "bencher" })).toBe(0);
  return JSON.parse(output.stdout) as BencherMetrics;
}

it("a run's metrics for Bencher keep its format, and its limits on names", async () => {
  const metrics = await exported();
  expect(isBencher(metrics), JSON.stringify(isBencher.errors)).toBe(true);
  for (const [benchmark, measures] of Object.entries(metrics)) {
    expect(benchmark.length).toBeLessThanOrEqual(1024);
    for (const slug of Object.keys(measures)) expect(slug).toMatch(/^[a-z0-9-]{1,64}$/);
  }
});

it("are the means and intervals of the report, and nothing where nothing was measured", async () => {
  const metrics = await exported();
  const summary = readFileSync(join(folder, "summary.json"), "utf8");
  const { series, plan } = JSON.parse(summary) as Summary;
  const own = series.filter(({ cell, n }) => cell.replicaOf === undefined && n > 0);
  expect(Object.keys(metrics)).toEqual(
    own.map(({ cell, phase, operation }) => `${plan.experiment}/${cell.id}/${phase}/${operation}`),
  );
  for (const { cell, phase, operation, durationMs, initDurationMs } of own) {
    const found = metrics[`${plan.experiment}/${cell.id}/${phase}/${operation}`];
    const { mean: value, low, high } = durationMs;
    expect(found?.["duration-ms"]).toEqual({
      value,
      ...(low !== undefined && { lower_value: low, upper_value: high }),
    });
    expect(found?.["init-duration-ms"]?.value).toBe(initDurationMs?.mean);
  }
  const cold = own.filter(({ phase }) => phase === "cold");
  expect(cold.length).toBeGreaterThan(0);
  expect(own.some(({ durationMs }) => durationMs.low !== undefined)).toBe(true);
});
