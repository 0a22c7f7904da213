import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { compare } from "../../bin/commands/compare.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { FakeS3 } from "../support/fake-aws/fake-s3.ts";
import { type S3Server, serveS3 } from "../support/fake-aws/s3-server.ts";
import { finishedRun, putRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const inBucket = "20260102T0000Z-bbbbbb";
const changed = "20260101T0000Z-cccccc";
const address = `s3://results/runs/${inBucket}`;
const sample = "samples/rust-arm64-128/0000.jsonl";
const words = { margin: 0.05 };

const root = temporaryFolder();
const onDisk = join(root, "on-disk");
const runs = join(root, "runs");
const s3 = new FakeS3();
let server: S3Server;

beforeAll(async () => {
  const planOf = (runId: string) => smallPlan({ runId, cold: 10, warm: 60, operations: ["get"] });
  await finishedRun(onDisk, planOf("20260103T0000Z-aaaaaa"));
  await putRun(s3, join(root, inBucket), planOf(inBucket));
  await putRun(s3, join(root, changed), smallPlan({ runId: changed, operations: ["get"] }));
  s3.objects.set(`runs/${changed}/${sample}`, "{}\n");
  server = await serveS3(s3, { bucket: "results" });
});
afterAll(async () => {
  await server.close();
});

const output = capturedOutput();
beforeEach(() => {
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
  vi.spyOn(projectPaths, "runs", "get").mockReturnValue(runs);
});
afterEach(() => {
  rmSync(runs, { recursive: true, force: true });
});

describe("kelvin compare of a run in S3", () => {
  it("brings it to its own folder, and holds it against one on disk, either way round", async () => {
    expect(await compare(address, onDisk, words)).toBe(0);
    expect(output.stdout).toMatch(/^\d+ the same of \d+ series in both runs\./m);
    expect(output.stdout).toContain(address);
    expect(output.stdout).toContain(onDisk);
    expect(readFileSync(join(runs, inBucket, sample), "utf8")).toContain(inBucket);
    expect(await compare(onDisk, address, words)).toBe(0);
  });

  it("brings nothing again that is here", async () => {
    await compare(address, onDisk, words);
    const { length } = server.got;
    expect(length).toBeGreaterThan(0);
    await compare(onDisk, address, words);
    expect(server.got).toHaveLength(length);
  });

  it("takes the bucket's latest run where the address names none", async () => {
    expect(await compare(onDisk, "s3://results", words)).toBe(0);
    expect(existsSync(join(runs, inBucket))).toBe(true);
    expect(existsSync(join(runs, changed))).toBe(false);
  });

  it("ends with 5 where S3 denies access, since the address may be right", async () => {
    expect(await compare(onDisk, "s3://denied/runs/x", words)).toBe(5);
    expect(output.stderr).toContain("S3 denied access to denied");
    expect(output.stdout).toBe("");
  });

  it.each([
    ["s3://nowhere", 'bucket: found "nowhere"; allowed: an existing bucket'],
    ["s3://results/runs/none", `run: found "none"; allowed: ${inBucket}, ${changed}`],
    ["s3://", "an address is s3://BUCKET/runs/<runId>, or s3://BUCKET for the latest run"],
    [`s3://results/runs/${changed}`, "differ from what the run wrote"],
  ])("ends with 2 on %s, and says why in the words of kelvin fetch", async (after, message) => {
    expect(await compare(onDisk, after, words)).toBe(2);
    expect(output.stderr).toContain(message);
    expect(output.stdout).toBe("");
  });
});
