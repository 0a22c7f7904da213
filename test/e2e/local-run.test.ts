import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { FunctionResult, Manifest, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem, validated } from "../../lib/contract/validate.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { findCgroupRoot } from "../../lib/local/cgroup.ts";
import { readCpu } from "../../lib/local/machine-noise.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { idleSpreadMs } from "../../lib/plan/trial-calls.ts";
import { buildForLocalRun } from "../../lib/toolchain/build-local.ts";
import { isSlowOpenssl } from "../../lib/toolchain/openssl.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { Ended } from "./support/kelvin-process.ts";
import { json, leftovers, manifestIn, samplesIn, start } from "./support/local-run.ts";

const folder = temporaryFolder();
const whole = join(folder, "whole");
const traffic = ["--cold-share", "5%", "--invocations", "30000000"];

beforeAll(async () => {
  await buildForLocalRun(experimentById("dynamodb").variants, { services: ["dynamodb"] });
});

describe("a local run on the real functions", () => {
  let ended: Ended;
  let plan: Plan;
  let manifest: Manifest;
  let samples: Sample[];

  beforeAll(async () => {
    ended = await start(["--memory", "512", "--seed", "7", ...traffic, "--out", whole]).ended;
    plan = validated("plan", json(whole, "plan.json"));
    manifest = manifestIn(whole);
    samples = await samplesIn(whole);
  });

  it("ends well and prints the headline and where the report is", () => {
    expect(ended.stderr).toMatch(/^kelvin local: dynamodb, quick\b/);
    expect(ended.stderr).toMatch(/[\d,]+ of [\d,]+ samples, about .* left/);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain("How sure: n = 63 warm calls in 9 environments each, simulated");
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

  it("records what other work the machine had meanwhile, where the machine says it", () => {
    if (readCpu() === undefined) return;
    const { intervals = [] } = manifest.noise ?? {};
    expect(intervals.length).toBeGreaterThan(0);
    for (const { block } of intervals) expect(block).toBeLessThan(plan.blocks.length);
  });

  it("calls environments as far apart as on AWS, and Python finds an OpenSSL as quick as Lambda's", () => {
    expect(plan.idleMs).toBe(80);
    const { openssl = "none" } = manifest.versions;
    expect(isSlowOpenssl(openssl), openssl).toBe(false);
    expect(manifest.warnings.join()).not.toContain("OpenSSL");
    for (const { id } of plan.cells) {
      const calls = samples.filter(({ cell }) => cell.id === id);
      const idleTimes = calls.flatMap(({ sequence, startedAt, block }) => {
        const before = calls.find((call) => call.block === block && call.sequence === sequence - 1);
        if (startedAt === undefined || before?.startedAt === undefined) return [];
        const { clientLatencyMs = Number.NaN } = before;
        return [Date.parse(startedAt) - Date.parse(before.startedAt) - clientLatencyMs];
      });
      expect(idleTimes.length).toBeGreaterThan(300);
      // Each end is told to a millisecond.
      expect(Math.min(...idleTimes)).toBeGreaterThan(78);
    }
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

  it("states in the report the mean cold starts that the samples give, Init included", () => {
    const report = readFileSync(join(whole, "report-full.md"), "utf8");
    const { series } = json(whole, "summary.json") as Pick<Summary, "series">;
    for (const variant of ["rust", "rust-tuned", "python"]) {
      const id = `${variant}-x86-64-512`;
      const starts = samples
        .filter(({ phase, cell }) => phase === "cold" && cell.id === id)
        .map(
          ({ telemetry = {} }) => Number(telemetry.initDurationMs) + Number(telemetry.durationMs),
        );
      expect(starts).toHaveLength(plan.sizes.environments);
      const mean = starts.reduce((sum, ms) => sum + ms, 0) / starts.length;
      const own = series.find(({ phase, cell }) => phase === "cold" && cell.id === id);
      expect(own?.initAndDurationMs?.mean).toBeCloseTo(mean, 9);
      expect(report).toContain(mean < 99.95 ? mean.toPrecision(3) : mean.toFixed(0));
    }
  });

  it("states costs for the traffic that the command says", () => {
    const report = readFileSync(join(whole, "report-full.md"), "utf8");
    expect(report).toContain("\\$ per month, 30,000,000 calls");
    expect(report).toContain("at 5% cold");
  });

  it("says that it is a simulation, on what, and what the instrument itself costs", () => {
    const report = readFileSync(join(whole, "report-full.md"), "utf8");
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

  it("spends under 5 ms a sample outside the measured window and the idle time", () => {
    const gaps = samples.flatMap((sample, index) => {
      const next = samples[index + 1];
      if (next?.cell.id !== sample.cell.id || next.block !== sample.block) return [];
      const endMs = Date.parse(sample.startedAt ?? "") + (sample.clientLatencyMs ?? Number.NaN);
      return [Date.parse(next.startedAt ?? "") - endMs];
    });
    // Longer ones have waited for the turns of others, too.
    const short = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 10)];
    const shortIdleMs = (plan.idleMs ?? Number.NaN) + idleSpreadMs / 10;
    expect(short).toBeLessThan(shortIdleMs + 5);
  });

  it("writes a page that holds everything it shows", () => {
    const html = readFileSync(join(whole, "report.html"), "utf8");
    expect(html).toContain("<svg");
    expect(html).not.toMatch(/<script [^>]|(src|href)="https?:/);
  });

  it("leaves no process behind", () => {
    expect(leftovers()).toEqual([]);
  });
});
