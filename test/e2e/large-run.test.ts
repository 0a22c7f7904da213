import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { isRelease } from "./support/release.ts";

const script = fileURLToPath(new URL("../report/support/large-run.ts", import.meta.url));
const inS3 = fileURLToPath(new URL("../driver/support/report-in-s3.ts", import.meta.url));

test.each([
  { samples: 100_000, warm: 1320, mostSeconds: 10, mostMb: 500 },
  { samples: 1_000_000, warm: 13_200, mostSeconds: 40, mostMb: 500 },
])(
  "$samples samples become a report in under $mostSeconds s of CPU time and under $mostMb MB",
  { timeout: 600_000 },
  async ({ samples, warm, mostSeconds, mostMb }) => {
    const words = ["--import", "tsx", script, String(warm)];
    const { stdout } = await promisify(execFile)(process.execPath, words);
    const measured = JSON.parse(stdout);
    expect(measured.samples).toBeGreaterThanOrEqual(samples);
    expect(measured.cpuSeconds).toBeLessThan(mostSeconds);
    expect(measured.maxRssMb).toBeLessThan(mostMb);
    // A page shows quantiles, and grows with the series and not with their samples.
    expect(measured.htmlBytes).toBeLessThan(1_000_000);
  },
);

/** Objects, and environments that leave as many. */
const inBucket = isRelease
  ? { objects: 100_000, environments: 690, mostSeconds: 300 }
  : { objects: 10_000, environments: 70, mostSeconds: 150 };

test(`${inBucket.objects} objects in S3, 30 ms each, become a report in under ${inBucket.mostSeconds} s and 1 GB`, {
  timeout: 1_200_000,
}, async () => {
  const words = ["--import", "tsx", inS3, String(inBucket.environments)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const measured = JSON.parse(stdout);
  expect(measured.objects).toBeGreaterThanOrEqual(inBucket.objects);
  expect(measured.samples).toBeGreaterThanOrEqual(measured.objects);
  expect(measured.mostInFlight).toBe(32);
  expect(measured.seconds).toBeLessThan(inBucket.mostSeconds);
  expect(measured.maxRssMb).toBeLessThan(1000);
});
