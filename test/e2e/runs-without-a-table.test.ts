import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FunctionResult } from "../../lib/contract/types/contract.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { expectSound, type FinishedRun, runExperiment } from "./support/local-run.ts";

const folder = temporaryFolder();
const runs = new Map<string, FinishedRun>();

beforeAll(async () => {
  const few = ["--cold", "2", "--warm", "4"];
  for (const [experiment, choice] of [
    ["compute", ["--memory", "1769", ...few]],
    ["multicore", few],
  ] as const) {
    runs.set(experiment, await runExperiment(experiment, choice, join(folder, experiment)));
  }
});

const ran = (experiment: string) => runs.get(experiment) as FinishedRun;
const hashesOf = (variant: string) =>
  ran("multicore").samples.filter(
    ({ cell, operation }) => cell.variant === variant && operation === "hash",
  );

describe.each(["compute", "multicore"])("%s on this machine", (experiment) => {
  it("is measured without a failure and with no wrong result, and calls no service", () => {
    expectSound(ran(experiment));
    expect(ran(experiment).stderr).toContain("no service");
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
