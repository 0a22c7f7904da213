import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../report/support/large-run.ts", import.meta.url));

test("100,000 samples become a report in under 10 s of CPU time and under 500 MB", {
  timeout: 180_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script]);
  const { samples, cpuSeconds, maxRssMb } = JSON.parse(stdout);
  expect(samples).toBeGreaterThanOrEqual(100_000);
  expect(cpuSeconds).toBeLessThan(10);
  expect(maxRssMb).toBeLessThan(500);
});
