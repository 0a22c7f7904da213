import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("./support/large-run.ts", import.meta.url));

test("100,000 samples become a report in under 10 s and under 500 MB", {
  timeout: 60_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script]);
  const { samples, seconds, maxRssMb } = JSON.parse(stdout);
  expect(samples).toBeGreaterThanOrEqual(100_000);
  expect(seconds).toBeLessThan(10);
  expect(maxRssMb).toBeLessThan(500);
});
