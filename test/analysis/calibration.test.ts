import { describe, expect, it } from "vitest";
import { makeCalibration, shareCalls, sharesFunctions } from "../../lib/analysis/calibration.ts";
import type { Cell, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { type FixtureChoice, fixturePlan } from "../report/support/fixture.ts";
import { oneRun } from "./support/one-run.ts";

const choice = {
  ...{ target: "local", memoryMb: [128, 1769], variants: ["rust", "python"], operations: ["get"] },
  ...{ cold: 8, warm: 40 },
} as const satisfies FixtureChoice;
const onAws = { ...choice, target: "aws" } as const;

describe("two runs that share functions", () => {
  const plan = fixturePlan(choice);
  const withCells = (change: (cell: Cell) => Cell) => ({ ...plan, cells: plan.cells.map(change) });

  it.each([
    ["the same functions", fixturePlan(onAws), true],
    [
      "one of them, at one size",
      fixturePlan({ ...onAws, variants: ["python"], memoryMb: [128] }),
      true,
    ],
    ["none at its size", fixturePlan({ ...onAws, memoryMb: [512] }), false],
    ["functions of other names", withCells((cell) => ({ ...cell, variant: "go" })), false],
    ["functions with other workers", withCells((cell) => ({ ...cell, workers: 2 })), false],
    ["another experiment's", { ...plan, experiment: "compute" }, false],
    ["an import of them", { ...plan, experiment: "of-a-log", target: "imported" as const }, true],
    ["other operations", { ...plan, coldOperation: "put", warmOperations: ["put"] }, false],
    ["the same warm operation alone", { ...plan, coldOperation: "put" }, true],
  ])("are those of one experiment with a function and an operation in both: %s", (_, other, is) => {
    expect(sharesFunctions(plan, other)).toBe(is);
  });
});

describe("the calls that a calibration rests on", () => {
  it("are the cold and warm ones of each function of both runs, with both means and spreads", async () => {
    const [local, lambda] = [await oneRun(choice), await oneRun(onAws, { factorOf: () => 3 })];
    const { calls, series } = shareCalls(local, lambda);
    expect(series).toBe(8);
    const named = calls.map(
      (call) => `${call.function} ${call.call} ${call.operation} at ${call.memoryMb}`,
    );
    const { coldOperation } = local.plan;
    expect(named.toSorted()).toEqual(
      [128, 1769]
        .flatMap((size) =>
          ["rust", "python"].flatMap((each) => [
            `dynamodb/${each} first ${coldOperation} at ${size}`,
            `dynamodb/${each} warm get at ${size}`,
          ]),
        )
        .toSorted(),
    );
    for (const { local: here, lambda: there, call } of calls) {
      expect(there.durationMs / here.durationMs).toBeCloseTo(3, 9);
      expect(there.durationSpread).toBeCloseTo(here.durationSpread, 9);
      expect(here.durationSpread).toBeGreaterThan(0);
      expect((there.initMs ?? 0) / (here.initMs ?? 1)).toBeCloseTo(call === "first" ? 3 : 0, 9);
      expect(here.initSpread !== undefined).toBe(call === "first");
    }
  });

  it("have an interval on both sides, which too few environments have not", async () => {
    const [local, few] = [await oneRun(choice), await oneRun({ ...onAws, cold: 5, warm: 25 })];
    expect(shareCalls(local, few)).toEqual({ calls: [], series: 8 });
    const isCold = ({ phase }: Sample) => phase === "cold";
    expect(shareCalls(local, await oneRun(onAws, { isKept: isCold })).series).toBe(4);
    const { plan, manifest, samples } = await oneRun(onAws);
    const withoutWarm = { plan: { ...plan, warmOperations: ["put"] }, manifest, samples };
    expect(shareCalls(local, withoutWarm).calls.map(({ call }) => call)).toEqual(
      new Array(4).fill("first"),
    );
  });

  it("are of no runtime without published figures", async () => {
    const cells = fixturePlan(choice).cells.map((cell) => ({ ...cell, runtime: "java21" }));
    const java = await oneRun(choice, { plan: { cells: cells as Plan["cells"] } });
    expect(shareCalls(java, await oneRun(onAws))).toEqual({ calls: [], series: 8 });
  });

  it("leave out sizes below a CPU on a machine that limits none", async () => {
    const { plan, manifest, samples } = await oneRun(choice);
    const machine = manifest.machine && { ...manifest.machine, cpuQuota: "unthrottled" as const };
    const local = { plan, samples, manifest: { ...manifest, ...(machine && { machine }) } };
    const { calls } = shareCalls(local, await oneRun(onAws));
    expect(new Set(calls.map(({ memoryMb }) => memoryMb))).toEqual(new Set([1769]));
  });

  it("are stored with both runs, the architectures of the calls and the machine", async () => {
    const [local, lambda] = [await oneRun(choice), await oneRun(onAws)];
    const { calls } = shareCalls(local, lambda);
    const { machine, speed } = local.manifest;
    if (machine === undefined || speed === undefined) throw new Error("a local run has both");
    const stamp = { createdAt: "2026-01-02T00:00:00.000Z", cpuModel: machine.cpuModel, speed };
    const stored = makeCalibration(calls, local, lambda, stamp);
    expect(stored).toMatchObject({
      ...stamp,
      ...{ awsRunId: lambda.plan.runId, awsRunAt: lambda.manifest.startedAt },
      ...{ localRunId: local.plan.runId, region: lambda.manifest.region, architectures: ["arm64"] },
    });
    expect(contractProblem("calibration", JSON.parse(JSON.stringify(stored)))).toBeUndefined();
    const turned = calls.map((call, index) => ({
      ...call,
      architecture: index === 0 ? ("x86_64" as const) : call.architecture,
    }));
    expect(makeCalibration(turned, local, lambda, stamp).architectures).toEqual([
      ...["arm64", "x86_64"],
    ]);
  });
});
