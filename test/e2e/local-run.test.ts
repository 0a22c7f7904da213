import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FunctionResult, Manifest, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem, validated } from "../../lib/contract/validate.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";
import { findCgroupRoot } from "../../lib/local/cgroup.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { storedSamples } from "../../lib/protocol/result-store.ts";
import { buildForLocalRun } from "../../lib/toolchain/build-local.ts";
import { installedValgrind } from "../support/installed-valgrind.ts";
import { markedBy, measuredProcesses } from "../support/marked-processes.ts";
import { type Ended, startKelvin } from "./support/kelvin-process.ts";

const folder = mkdtempSync(join(tmpdir(), "kelvin-e2e-"));
const whole = join(folder, "whole");
const stopped = join(folder, "stopped");
const traffic = ["--cold-share", "5%", "--invocations", "30000000"];

const mark = process.pid;
const leftovers = () => measuredProcesses(mark);

function start(args: readonly string[], subcommand = "local") {
  return startKelvin([subcommand, ...args], {}, markedBy(mark));
}

async function samplesIn(directory: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for await (const sample of storedSamples(new DiskResultStore(directory))) samples.push(sample);
  return samples;
}

const json = (directory: string, name: string) =>
  JSON.parse(readFileSync(join(directory, name), "utf8"));

beforeAll(async () => {
  await buildForLocalRun(experimentById("dynamodb").variants);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a local run on the real functions", () => {
  let ended: Ended;
  let plan: Plan;
  let manifest: Manifest;
  let samples: Sample[];

  beforeAll(async () => {
    ended = await start(["--memory", "128", "--seed", "7", ...traffic, "--out", whole]).ended;
    plan = validated("plan", json(whole, "plan.json"));
    manifest = validated("manifest", json(whole, "manifest.json"));
    samples = await samplesIn(whole);
  });

  it("ends well and prints the headline and where the report is", () => {
    expect(ended.stderr).toMatch(/^kelvin local: dynamodb, quick; cpu: /);
    expect(ended.stderr).toMatch(/\d+ of \d+ samples, about .* left/);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain("Cold start");
    expect(ended.stdout).toContain("report.html");
    expect(ended.stdout).toContain("report.md");
    expect(ended.stdout).not.toContain("\u001b[");
  });

  it("records every sample that the plan promised, each by its contract", () => {
    expect(samples).toHaveLength(plannedSamples(plan));
    for (const sample of samples) expect(contractProblem("sample", sample)).toBeUndefined();
    expect(manifest).toMatchObject({ status: "complete", cellFailures: [] });
    expect(manifest.counts).toMatchObject({ planned: samples.length, recorded: samples.length });
  });

  it("rejects nothing but the warm-up calls", () => {
    const rejected = samples.filter((sample) => sample.rejected !== undefined);
    expect(new Set(rejected.map((sample) => sample.rejected?.reason))).toEqual(
      new Set(["warm-up"]),
    );
    const discarded = plan.sizes.discardedCalls * plan.sizes.warmEnvironments * 4;
    expect(rejected).toHaveLength(discarded * plan.cells.length);
  });

  it("gets from every function a result that keeps the shared contract", () => {
    for (const sample of samples) {
      const result = validated("result", sample.result) satisfies FunctionResult;
      expect(result.operation).toBe(sample.operation);
      expect(result.variant).toBe(sample.cell.variant);
      const items = { get: 1, put: 1, query: 25, batch_write: 25 }[sample.operation];
      expect(result.itemsCount).toBe(items);
    }
  });

  it("gives every environment a boot id of its own", () => {
    const cold = samples.filter((sample) => sample.phase === "cold");
    const bootIds = new Set(cold.map((sample) => (sample.result as FunctionResult).bootId));
    expect(bootIds.size).toBe(plan.cells.length * plan.sizes.environments);
  });

  it("states in the report the medians that the samples give", () => {
    const report = readFileSync(join(whole, "report.md"), "utf8");
    const summary = JSON.stringify(json(whole, "summary.json"));
    for (const variant of ["rust", "rust-tuned", "python"]) {
      const inits = samples
        .filter(({ phase, cell }) => phase === "cold" && cell.id === `${variant}-x86-64-128`)
        .map((sample) => sample.telemetry?.initDurationMs ?? Number.NaN)
        .sort((a, b) => a - b);
      expect(inits).toHaveLength(plan.sizes.environments);
      // Of an even number: the mean of the two in the middle.
      const [lower = Number.NaN, upper = Number.NaN] = inits.slice(inits.length / 2 - 1);
      const median = (lower + upper) / 2;
      expect(summary).toContain(`"median":${median}`);
      expect(report).toContain(median < 1000 ? median.toPrecision(3) : median.toFixed(0));
    }
  });

  it("states costs for the traffic that the command says", () => {
    const report = readFileSync(join(whole, "report.md"), "utf8");
    expect(report).toContain("USD, 30,000,000 a month");
    expect(report).toContain("at 5 % cold");
  });

  it("says that it is a simulation, on what, and what the instrument itself costs", () => {
    const report = readFileSync(join(whole, "report.md"), "utf8");
    expect(report).toContain("Simulated");
    expect(report).toContain("TLS 1.3 on loopback");
    expect(manifest.floor?.n).toBeGreaterThan(100);
    expect(manifest.floor?.durationMs).toBeGreaterThan(0);
    expect(manifest.floor?.durationMs).toBeLessThan(5);
    expect(report).toContain("floor");
  });

  it.runIf(findCgroupRoot()?.accounting !== undefined)(
    "tells the CPU time of every invocation, and of Init where it was cold",
    () => {
      for (const { cpu, phase } of samples) {
        expect(cpu?.invocationCpuMs).toBeGreaterThan(0);
        expect(cpu?.initCpuMs === undefined).toBe(phase !== "cold");
      }
    },
  );

  it("spends under 5 ms a sample outside the measured window", () => {
    const gaps = samples.flatMap((sample, index) => {
      const next = samples[index + 1];
      if (next?.cell.id !== sample.cell.id || next.block !== sample.block) return [];
      const endMs = Date.parse(sample.startedAt ?? "") + (sample.clientLatencyMs ?? Number.NaN);
      return [Date.parse(next.startedAt ?? "") - endMs];
    });
    const middle = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
    expect(middle).toBeLessThan(5);
  });

  it("writes a page that holds everything it shows", () => {
    const html = readFileSync(join(whole, "report.html"), "utf8");
    expect(html).toContain("<svg");
    expect(html).not.toMatch(/<script|(src|href)="https?:/);
  });

  it("is rendered again, to the same bytes, from its samples alone", async () => {
    const before = readFileSync(join(whole, "report.md"), "utf8");
    rmSync(join(whole, "report.md"));
    const { code, stdout } = await start([whole, ...traffic], "report").ended;
    expect(code).toBe(0);
    expect(stdout).toContain("Warm Duration");
    expect(readFileSync(join(whole, "report.md"), "utf8")).toBe(before);
  });

  it("leaves no process behind", () => {
    expect(leftovers()).toEqual([]);
  });
});

describe("a local run that counts instructions", () => {
  const counted = join(folder, "counted");
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

  it("counts the same in each environment, within 1 %", () => {
    const counts = instrumented.flatMap(({ instructions }) => instructions?.init ?? []);
    expect(counts).toHaveLength(3);
    expect(Math.max(...counts) / Math.min(...counts)).toBeLessThan(1.01);
  });

  it("is complete, and its report has the counts and says by what they were made", () => {
    const manifest = validated("manifest", json(counted, "manifest.json"));
    expect(manifest.status).toBe("complete");
    expect(manifest.versions.valgrind).toMatch(/^3\.\d+/);
    expect(readFileSync(join(counted, "report.md"), "utf8")).toMatch(/^### Instructions$/m);
    expect(leftovers()).toEqual([]);
  });
});

describe("a local run that is stopped", () => {
  it("keeps what was measured, ends its children, and says that it is partial", async () => {
    const args = ["--memory", "128", "--variants", "rust,python", "--seed", "7", "--out", stopped];
    const { child, ended } = start(args);
    const samplesFolder = join(stopped, "samples");
    while (!existsSync(samplesFolder) || readdirSync(samplesFolder).length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (child.exitCode !== null) throw new Error((await ended).stderr);
    }
    process.kill(-(child.pid as number), "SIGINT");
    const { code, stderr } = await ended;
    expect(code, stderr).toBe(130);
    expect(stderr).toContain("--resume");
    const manifest = validated("manifest", json(stopped, "manifest.json"));
    expect(manifest.status).toBe("partial");
    expect(manifest.counts.recorded).toBeGreaterThan(0);
    expect(manifest.counts.recorded).toBeLessThan(manifest.counts.planned);
    expect(readFileSync(join(stopped, "report.md"), "utf8")).toMatch(/partial/i);
    expect(leftovers()).toEqual([]);
  });

  it("goes on where it was", async () => {
    const before = await samplesIn(stopped);
    const { code, stderr } = await start(["--resume", stopped]).ended;
    expect(code, stderr).toBe(0);
    const after = new Set((await samplesIn(stopped)).map((sample) => JSON.stringify(sample)));
    expect(before.every((sample) => after.has(JSON.stringify(sample)))).toBe(true);
    expect(validated("manifest", json(stopped, "manifest.json")).status).toBe("complete");
  });
});

describe("bad words on the command line", () => {
  it.each([
    [["--memory", "64"], "memoryMb: found 64; allowed: different whole numbers from 128 to 10240"],
    [["--memory", "many"], 'memory: found "many"; allowed: whole numbers'],
    [["--variants", "java"], 'variants: found "java"; allowed: rust, rust-tuned, python'],
    [["--cold", "0"], "cold: found 0; allowed: a whole number from 1 to 1000"],
    [["--experiment", "nothing"], 'experiment: found "nothing"; allowed: dynamodb'],
    [["--preset", "slow"], 'preset: found "slow"; allowed: quick, standard'],
    [["--resume", "/nowhere"], 'resume: found "/nowhere"; allowed: the folder of an earlier run'],
  ])("end with exit code 2 and a clear error, and nothing is run: %j", async (args, message) => {
    const { code, stderr } = await start(args).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });
});
