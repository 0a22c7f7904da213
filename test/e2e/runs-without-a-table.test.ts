import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FunctionResult, Manifest, Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem, validated } from "../../lib/contract/validate.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { storedSamples } from "../../lib/sampler/result-store.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();

interface Ran {
  readonly manifest: Manifest;
  readonly samples: readonly Sample[];
  readonly stderr: string;
}

const runs = new Map<string, Ran>();

async function runOf(experiment: string, choice: readonly string[]): Promise<Ran> {
  const out = join(folder, experiment);
  const args = ["local", "--experiment", experiment, ...choice, "--out", out];
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "bin/kelvin.ts", ...args],
    { cwd: projectPaths.root, encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  const manifest = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"));
  const samples: Sample[] = [];
  for await (const sample of storedSamples(new DiskResultStore(out))) samples.push(sample);
  return { manifest: validated("manifest", manifest), samples, stderr };
}

beforeAll(async () => {
  runs.set("compute", await runOf("compute", ["--memory", "1769", "--cold", "2", "--warm", "4"]));
  runs.set("multicore", await runOf("multicore", ["--cold", "2", "--warm", "4"]));
});

const ran = (experiment: string) => runs.get(experiment) as Ran;
const hashesOf = (variant: string) =>
  ran("multicore").samples.filter(
    ({ cell, operation }) => cell.variant === variant && operation === "hash",
  );

describe.each(["compute", "multicore"])("%s on this machine", (experiment) => {
  it("is measured without a failure and with no wrong result, and calls no service", () => {
    const { manifest, samples, stderr } = ran(experiment);
    expect(manifest).toMatchObject({ status: "complete", cellFailures: [] });
    const { "warm-up": _, ...rejected } = manifest.counts.rejected;
    expect(rejected).toEqual({});
    expect(stderr).toContain("no service");
    for (const sample of samples) expect(contractProblem("sample", sample)).toBeUndefined();
  });
});

it("compute on this machine takes Python many times as long as Rust", () => {
  const fastest = (variant: string) => {
    const of = ran("compute").samples.filter(
      ({ cell, operation }) => cell.variant === variant && operation === "fibonacci",
    );
    return Math.min(...of.map(({ telemetry }) => telemetry?.durationMs ?? Number.NaN));
  };
  expect(fastest("python")).toBeGreaterThan(10 * fastest("rust"));
});

describe("multicore on this machine", () => {
  it("uses every thread of a cell's pool", () => {
    for (const { cell, result } of hashesOf("rust")) {
      expect((result as FunctionResult).threadsUsed).toBe(cell.workers);
    }
  });

  it("gives with interleaved hashes half again the hashes of a CPU second, where that is counted", () => {
    const perCpu = (variant: string) =>
      Math.max(...hashesOf(variant).map(({ cpu }) => 1 / (cpu?.invocationCpuMs ?? Number.NaN)));
    if (hashesOf("rust").some(({ cpu }) => cpu === undefined)) return;
    expect(perCpu("rust-interleaved") / perCpu("rust")).toBeGreaterThan(1.5);
  });
});
