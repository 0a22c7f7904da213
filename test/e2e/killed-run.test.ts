import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { findCgroupRoot, sweepLeftoverGroups } from "../../lib/local/cgroup.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { storedSamples } from "../../lib/sampler/result-store.ts";
import { buildForLocalRun } from "../../lib/toolchain/build-local.ts";
import { markedBy, measuredProcesses } from "../support/marked-processes.ts";
import { startKelvin } from "./support/kelvin-process.ts";

const folder = mkdtempSync(join(tmpdir(), "kelvin-e2e-"));
const run = join(folder, "killed");
const words = ["--memory", "512", "--variants", "rust,python", "--cold", "2", "--warm", "16"];

beforeAll(async () => {
  await buildForLocalRun(experimentById("dynamodb").variants, { services: ["dynamodb"] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (path: string) => readFileSync(join(run, path), "utf8");

/** The samples files that are there, and not empty. */
function samplesFiles(): readonly string[] {
  const samples = join(run, "samples");
  if (!existsSync(samples)) return [];
  return readdirSync(samples, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".jsonl"))
    .map((path) => join("samples", path))
    .filter((path) => text(path) !== "");
}

describe("a local run that is killed in the middle of a write", () => {
  let cut: string;

  beforeAll(async () => {
    const { child, ended } = startKelvin(["local", ...words, "--out", run]);
    while (samplesFiles().length < 2) {
      await delay(20);
      if (child.exitCode !== null) throw new Error((await ended).stderr);
    }
    process.kill(-(child.pid as number), "SIGKILL");
    await ended;
    [cut = ""] = samplesFiles();
    truncateSync(join(run, cut), Buffer.byteLength(text(cut)) - 30);
  });

  it("has left neither checksums nor a report", () => {
    expect(existsSync(join(run, "plan.json"))).toBe(true);
    expect(existsSync(join(run, "SHA256SUMS"))).toBe(false);
    expect(existsSync(join(run, "report.md"))).toBe(false);
  });

  it("is rendered from what is there, as partial, and the line that was cut is named", async () => {
    const { code, stdout, stderr } = await startKelvin(["report", run]).ended;
    expect(code, stderr).toBe(3);
    expect(stderr).toContain("unfinished: the run has not ended, or was stopped before its end");
    expect(stderr).toMatch(new RegExp(`${cut} line \\d+: cut off in the middle of a write`));
    expect(stdout).toContain("This run is PARTIAL");
  });

  it("is gone on with: nothing that was written is lost, and the end leaves checksums", async () => {
    const before = text(cut);
    const resumed = await startKelvin(["local", "--resume", run]).ended;
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(text(cut)).toBe(before);
    expect(text("report-full.md")).toContain("cut off in the middle of a write");
    const report = text("report-full.md");
    const { code, stderr } = await startKelvin(["report", run]).ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^\d+ files verified against SHA256SUMS\n$/);
    expect(text("report-full.md")).toBe(report);
  });
});

describe("a local run of about 30 s that is killed at 20 random moments", () => {
  const often = join(folder, "often");
  const mark = 20_161_600;
  const cells = ["--memory", "512", "--variants", "rust,python", "--cold", "12", "--warm", "240"];
  // Called back to back: more is written by the moment of a kill.
  const sizes = [...cells, "--idle", "0"];

  it("has every sample once at its end, and leaves no lock, group or process", async () => {
    for (let kill = 0; kill < 20; kill += 1) {
      const isBegun = existsSync(join(often, "plan.json"));
      const how = isBegun ? ["--resume", often] : [...sizes, "--out", often];
      const { child, ended } = startKelvin(["local", ...how], {}, markedBy(mark));
      // Not before there is a run to go on with, however long this machine takes to begin one.
      while (!existsSync(join(often, "plan.json")) && child.exitCode === null) await delay(50);
      await Promise.race([delay(500 + Math.random() * 3000), ended]);
      if (child.exitCode === null) process.kill(-(child.pid as number), "SIGKILL");
      await ended;
    }
    const last = await startKelvin(["local", "--resume", often], {}, markedBy(mark)).ended;
    expect(last.code, last.stderr).toBe(0);
    const { counts } = JSON.parse(readFileSync(join(often, "manifest.json"), "utf8"));
    expect(counts.recorded).toBeGreaterThanOrEqual(counts.planned);
    for (const reason of ["recorded-twice", "two-boot-ids", "not-in-plan"]) {
      expect(counts.rejected[reason]).toBeUndefined();
    }
    const keys: string[] = [];
    for await (const sample of storedSamples(new DiskResultStore(often))) {
      keys.push(JSON.stringify([sample.cell.id, sample.block, sample.attempt, sample.sequence]));
    }
    expect(new Set(keys).size).toBe(keys.length);
    expect(readdirSync(often).filter((name) => name.startsWith("run.lock"))).toEqual([]);
    expect(measuredProcesses(mark)).toEqual([]);
    const root = findCgroupRoot();
    if (root !== undefined) expect(await sweepLeftoverGroups(root)).toEqual([]);
  });
});
