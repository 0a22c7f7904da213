import { existsSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { findCgroupRoot, sweepLeftoverGroups } from "../../lib/local/cgroup.ts";
import { buildForLocalRun } from "../../lib/toolchain/build-local.ts";
import { markedBy, measuredProcesses } from "../support/marked-processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startKelvin } from "./support/kelvin-process.ts";
import { json, samplesIn } from "./support/local-run.ts";
import { isRelease } from "./support/release.ts";

const folder = temporaryFolder();
const run = join(folder, "killed");
/** Called back to back: more is written by the moment of a kill. */
const cells = ["--memory", "512", "--variants", "rust,python", "--idle", "0"];

beforeAll(async () => {
  await buildForLocalRun(experimentById("dynamodb").variants, { services: ["dynamodb"] });
});

const text = (path: string) => readFileSync(join(run, path), "utf8");

/** The samples files that a run has, those that are empty left out. */
function samplesFiles(directory: string): readonly string[] {
  const samples = join(directory, "samples");
  if (!existsSync(samples)) return [];
  return readdirSync(samples, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".jsonl"))
    .map((path) => join("samples", path))
    .filter((path) => statSync(join(directory, path)).size > 0);
}

describe("a local run that is killed in the middle of a write", () => {
  const few = ["--cold", "2", "--warm", "16"];
  let cut: string;

  beforeAll(async () => {
    const { child, ended } = startKelvin(["local", ...cells, ...few, "--out", run]);
    while (samplesFiles(run).length < 2) {
      await delay(20);
      if (child.exitCode !== null) throw new Error((await ended).stderr);
    }
    process.kill(-(child.pid as number), "SIGKILL");
    await ended;
    [cut = ""] = samplesFiles(run);
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

/** More of each in `npm run test:release`; a run that is not at its end before the last kill. */
const often = isRelease
  ? { kills: 20, sizes: ["--cold", "12", "--warm", "240"] }
  : { kills: 6, sizes: ["--cold", "6", "--warm", "120"] };

describe(`a local run that is killed at ${often.kills} random moments`, () => {
  const out = join(folder, "often");
  const mark = 20_161_600;
  const writtenBytes = () =>
    samplesFiles(out).reduce((sum, path) => sum + statSync(join(out, path)).size, 0);

  it("has every sample once at its end, and leaves no lock, group or process", async () => {
    for (let kill = 0; kill < often.kills; kill += 1) {
      const isBegun = existsSync(join(out, "plan.json"));
      const how = isBegun ? ["--resume", out] : [...cells, ...often.sizes, "--out", out];
      const before = writtenBytes();
      // Every other one is killed as it starts, and the others while they write.
      const isReached =
        kill % 2 === 0 ? () => existsSync(join(out, "plan.json")) : () => writtenBytes() > before;
      const { child, ended } = startKelvin(["local", ...how], {}, markedBy(mark));
      while (!isReached() && child.exitCode === null) await delay(50);
      await Promise.race([delay(500 + Math.random() * 2500), ended]);
      if (child.exitCode === null) process.kill(-(child.pid as number), "SIGKILL");
      await ended;
    }
    const last = await startKelvin(["local", "--resume", out], {}, markedBy(mark)).ended;
    expect(last.code, last.stderr).toBe(0);
    const { counts } = json(out, "manifest.json");
    expect(counts.recorded).toBeGreaterThanOrEqual(counts.planned);
    for (const reason of ["recorded-twice", "two-boot-ids", "not-in-plan"]) {
      expect(counts.rejected[reason]).toBeUndefined();
    }
    const keys = (await samplesIn(out)).map(({ cell, block, attempt, sequence }) =>
      JSON.stringify([cell.id, block, attempt, sequence]),
    );
    expect(new Set(keys).size).toBe(keys.length);
    expect(readdirSync(out).filter((name) => name.startsWith("run.lock"))).toEqual([]);
    expect(measuredProcesses(mark)).toEqual([]);
    const root = findCgroupRoot();
    if (root !== undefined) expect(await sweepLeftoverGroups(root)).toEqual([]);
  });
});
