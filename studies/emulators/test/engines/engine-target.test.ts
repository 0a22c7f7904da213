import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Cell, CellFailure, Sample } from "../../../../lib/contract/types/contract.ts";
import { contractProblem } from "../../../../lib/contract/validate.ts";
import { runPlan } from "../../../../lib/sampler/run-plan.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { engineResultContract } from "../../contract.ts";
import { emulators, studyPlan } from "../../definition.ts";
import { type DriverCommand, EngineFailed } from "../../engines/engine-driver.ts";
import { EngineTarget } from "../../engines/engine-target.ts";
import type { EngineResult } from "../../types/contract.ts";

const script = join(import.meta.dirname, "scripted-driver.mjs");
const engine = { id: "scripted", label: "Scripted", onceOperations: [] };
let target: EngineTarget | undefined;

function targetWith(
  fault = "none",
  timeoutSeconds = 5,
  more: Partial<DriverCommand> = {},
): EngineTarget {
  const args = [script, fault];
  const environment = { PATH: process.env.PATH ?? "" };
  const workingDirectory = tmpdir();
  const command = { command: process.execPath, args, workingDirectory, environment, ...more };
  target = new EngineTarget({ timeoutSeconds, command: async () => command });
  return target;
}

afterEach(async () => await target?.close());

function planOf(operations: readonly string[], rounds = 1) {
  return studyPlan(emulators, {
    runId: "20260102T0304Z-a1b2c3",
    createdAt: "2026-01-02T03:04:05.000Z",
    seed: 1,
    preset: "quick",
    rounds,
    engines: [{ ...engine, operations }],
    architecture: "x86_64",
    memoryMb: 4096,
    leftOut: [],
  });
}

async function measured(on: EngineTarget, operations: readonly string[], rounds = 1) {
  const samples: Sample[] = [];
  const failures: CellFailure[] = [];
  const recorder = {
    sample: async (sample: Sample) => void samples.push(sample),
    failure: async (failure: CellFailure) => void failures.push(failure),
  };
  await runPlan(planOf(operations, rounds), on, recorder);
  return { samples, failures };
}

const resultOf = ({ result }: Sample) => result as EngineResult;
/** A process that has ended and was not yet waited for runs no more. */
function runs(pid: number | undefined): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, "utf8"));
}

describe("a target over engines", () => {
  it("gives samples of the common contract, each with its requests' times", async () => {
    const { samples, failures } = await measured(targetWith(), ["get", "put"], 2);
    expect(failures).toEqual([]);
    expect(samples.map(({ phase, operation }) => `${phase} ${operation}`)).toEqual([
      ...["cold list_tables", "second list_tables", "warm get", "warm put"],
      ...["cold list_tables", "second list_tables", "warm get", "warm put"],
    ]);
    for (const sample of samples) {
      expect(contractProblem("sample", sample)).toBeUndefined();
      expect(engineResultContract.problemOf(sample.result)).toBeUndefined();
      expect(sample.rejected).toBeUndefined();
      expect(resultOf(sample).latenciesMs).toEqual([3, 4]);
    }
  });

  it("starts a new process for every round, and tells its start-up with the cold sample alone", async () => {
    const { samples } = await measured(targetWith(), ["get"], 2);
    expect(new Set(samples.map((sample) => resultOf(sample).bootId)).size).toBe(2);
    const startups = samples.map(({ telemetry }) => telemetry?.initDurationMs);
    expect(startups).toEqual([12.5, undefined, undefined, 12.5, undefined, undefined]);
  });

  it("rejects what an engine answered wrongly, and keeps what it answered", async () => {
    const { samples } = await measured(targetWith(), ["lies", "get"]);
    const [, , wrong, right] = samples;
    expect(wrong?.rejected).toEqual({
      reason: "result-wrong",
      detail: "wrongAnswers: found 1; expected 0",
    });
    expect(resultOf(wrong as Sample).wrongAnswer).toBe("found 1; expected 2");
    expect(right?.rejected).toBeUndefined();
  });

  it("records an engine that dies in mid-run as failed, with what it printed, and goes on", async () => {
    const operations = ["get", "dies", "put", "scan", "delete"];
    const { samples, failures } = await measured(targetWith("out of memory"), operations, 2);
    const error = samples.find(({ operation }) => operation === "dies")?.error;
    expect(error?.type).toBe("EngineEnded");
    expect(error?.message).toContain("out of memory");
    expect(failures.map(({ block }) => block)).toEqual([0, 1]);
    expect(failures[0]?.message).toContain("3 errors in a row");
  });

  it("gives up an operation that hangs when its time is up", async () => {
    const on = targetWith("none", 1);
    const cell = planOf([]).cells[0] as Cell;
    await on.forceCold(cell);
    const { error } = await on.invoke(cell, { operation: "hangs" });
    expect(error).toEqual({ type: "EngineSilent", message: "no answer within 1 s" });
  });

  it.each([
    ["refuses", "EngineNotStarted", "it ended with exit status: 1"],
    ["silent", "EngineSilent", "no answer within 1 s"],
  ])("records an engine that %s with its reason, and no sample of it", async (fault, type, why) => {
    const { samples, failures } = await measured(targetWith(fault, 1), ["get"]);
    expect(samples).toEqual([]);
    expect(failures).toEqual([{ cellId: "scripted", block: 0, type, message: why }]);
  });

  it("records an engine that could not be installed with its reason", async () => {
    target = new EngineTarget({
      timeoutSeconds: 1,
      command: async () => {
        throw new EngineFailed("EngineNotInstalled", "no registry could be reached");
      },
    });
    const { failures } = await measured(target, ["get"]);
    expect(failures[0]).toMatchObject({ message: "no registry could be reached" });
  });

  it("leaves no process behind, an operation under way or not", async () => {
    const on = targetWith();
    const cell = planOf([]).cells[0] as Cell;
    await on.forceCold(cell);
    const { payload } = await on.invoke(cell, { operation: "get" });
    const engineProcess = (payload as EngineResult).memoryUsedKb;
    expect(runs(engineProcess)).toBe(true);
    const underWay = on.invoke(cell, { operation: "hangs" });
    await on.close();
    expect((await underWay).error?.type).toBe("EngineEnded");
    for (let wait = 0; runs(engineProcess) && wait < 100; wait += 1) await delay(20);
    expect(runs(engineProcess)).toBe(false);
  });

  it("tells what the files of an engine's tables take, and nothing of one that has none", async () => {
    const tablesFolder = temporaryFolder();
    writeFileSync(join(tablesFolder, "one"), "x".repeat(700));
    mkdirSync(join(tablesFolder, "below"));
    writeFileSync(join(tablesFolder, "below", "two"), "x".repeat(77));
    const { samples } = await measured(targetWith("none", 5, { tablesFolder }), ["get"]);
    expect(samples.map((sample) => resultOf(sample).diskBytes)).toEqual([777, 777, 777]);
    await target?.close();
    expect(existsSync(tablesFolder)).toBe(false);
    const { samples: inMemory } = await measured(targetWith(), ["get"]);
    expect(inMemory.some((sample) => "diskBytes" in resultOf(sample))).toBe(false);
  });

  it("stops a container by its own command, and tells no memory that is not the engine's", async () => {
    const folder = temporaryFolder();
    const stop = ["touch", join(folder, "stopped")];
    const { samples } = await measured(targetWith("none", 5, { stop }), ["get"], 2);
    expect(samples.some((sample) => "memoryUsedKb" in resultOf(sample))).toBe(false);
    rmSync(join(folder, "stopped"));
    await target?.close();
    expect(existsSync(join(folder, "stopped"))).toBe(true);
  });

  it("tells a secret in no message, wherever the engine printed it", async () => {
    const secret = "token-4711";
    const fault = `licence ${secret} refused`;
    const { samples } = await measured(targetWith(fault, 5, { secret }), ["dies"]);
    const error = samples.find(({ operation }) => operation === "dies")?.error;
    expect(error?.message).toContain("licence (hidden) refused");
    expect(JSON.stringify(samples)).not.toContain(secret);
  });

  it("starts no engine once it is closed", async () => {
    const on = targetWith();
    await on.close();
    const { samples, failures } = await measured(on, ["get"]);
    expect(samples).toEqual([]);
    expect(failures[0]?.type).toBe("Stopped");
  });
});
