import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { buildForLocalRun } from "../../lib/toolchain/build-local.ts";
import { installedValgrind } from "../support/installed-valgrind.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { leftovers, manifestIn, samplesIn, start } from "./support/local-run.ts";

const folder = temporaryFolder();
const counted = join(folder, "counted");

beforeAll(async () => {
  await buildForLocalRun(experimentById("dynamodb").variants, { services: ["dynamodb"] });
});

describe("a local run that counts instructions", () => {
  let instrumented: Sample[];
  let timed: Sample[];

  beforeAll(async () => {
    await installedValgrind();
    const cells = ["--memory", "128", "--variants", "rust-tuned", "--cold", "1", "--warm", "0"];
    const { code, stderr } = await start([...cells, "--instructions", "--out", counted]).ended;
    expect(code, stderr).toBe(0);
    const isInstrumented = (sample: Sample) => sample.instructions !== undefined;
    const samples = await samplesIn(counted);
    instrumented = samples.filter(isInstrumented);
    timed = samples.filter((sample) => !isInstrumented(sample));
  });

  it("counts every call of three environments after what is timed, and takes no time of theirs", () => {
    expect(instrumented).toHaveLength(3 * (2 + 4 * 4));
    for (const sample of instrumented) {
      expect(sample.rejected?.reason).toBe("instrumented");
      expect(sample.instructions?.init === undefined).toBe(sample.phase !== "cold");
      expect(contractProblem("sample", sample)).toBeUndefined();
    }
    expect(timed.map(({ phase, block }) => [phase, block])).toEqual([
      ["cold", 0],
      ["second", 0],
    ]);
  });

  it("counts the same in each environment, within 1%", () => {
    const counts = instrumented.flatMap(({ instructions }) => instructions?.init ?? []);
    expect(counts).toHaveLength(3);
    expect(Math.max(...counts) / Math.min(...counts)).toBeLessThan(1.01);
  });

  it("is complete, and its report has the counts and says by what they were made", () => {
    const manifest = manifestIn(counted);
    expect(manifest.status).toBe("complete");
    expect(manifest.versions.valgrind).toMatch(/^3\.\d+/);
    expect(readFileSync(join(counted, "report-full.md"), "utf8")).toMatch(/^#{3,4} Instructions$/m);
    expect(leftovers()).toEqual([]);
  });
});

/** What is left where a function has neither an SDK nor a runtime of others: code can hardly take more away. */
it("the least start of a function in Rust takes half a million instructions to its first event at most, from a binary under 400 kB", async () => {
  await installedValgrind();
  const out = join(folder, "least");
  const cells = ["--experiment", "compute", "--variants", "rust-floor", "--memory", "128"];
  const sizes = ["--cold", "1", "--warm", "0", "--instructions", "--out", out];
  const { code, stderr } = await start([...cells, ...sizes]).ended;
  expect(code, stderr).toBe(0);
  const samples = await samplesIn(out);
  const counts = samples.flatMap(({ instructions }) => instructions?.init ?? []);
  expect(counts).toHaveLength(3);
  expect(Math.max(...counts)).toBeLessThanOrEqual(500_000);
  const { artefacts } = manifestIn(out);
  expect(artefacts.map(({ variant }) => variant)).toEqual(["rust-floor"]);
  expect(artefacts[0]?.sizeBytes).toBeLessThan(400_000);
});
