import { describe, expect, it } from "vitest";
import type { CellFailure, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { findTrial, type RunPlanOptions, runPlan } from "../../lib/sampler/run-plan.ts";
import type { Invocation } from "../../lib/sampler/target.ts";
import { readBootId } from "../../lib/sampler/trial-sample.ts";
import { FakeTarget, type Script } from "../support/fake-target.ts";
import { smallPlan } from "../support/small-plan.ts";

async function run(plan: Plan, script?: Script, options?: RunPlanOptions) {
  return await runOn(new FakeTarget(script), plan, options);
}

async function runOn(target: FakeTarget, plan: Plan, options?: RunPlanOptions) {
  const samples: Sample[] = [];
  const failures: CellFailure[] = [];
  const recorder = {
    sample: async (sample: Sample) => void samples.push(sample),
    failure: async (failure: CellFailure) => void failures.push(failure),
  };
  const end = await runPlan(plan, target, recorder, options);
  return { end, samples, failures, target };
}

function withPayload(answer: Invocation, change: object): Invocation {
  return { ...answer, payload: { ...(answer.payload as object), ...change } };
}

function withoutInit(answer: Invocation): Invocation {
  const { initDurationMs: _, ...telemetry } = answer.telemetry ?? { durationMs: 1 };
  return { ...answer, telemetry };
}

const oneTrial = smallPlan({ variants: ["python"], cold: 1, warm: 5 });
const reasons = (samples: readonly Sample[]) => samples.map((sample) => sample.rejected?.reason);

describe("the sampler", () => {
  it("makes every sample that the plan promises, each of which keeps the contract and counts after warm-up", async () => {
    const plan = smallPlan();
    const { samples, end } = await run(plan);
    expect(end).toBe("complete");
    expect(new Set(samples.map(({ cell }) => cell.runtime)).size).toBe(2);
    expect(new Set(reasons(samples))).toEqual(new Set([undefined, "warm-up"]));
    expect(samples).toHaveLength(plannedSamples(plan));
    for (const sample of samples) {
      expect(contractProblem("sample", JSON.parse(JSON.stringify(sample)))).toBeUndefined();
    }
  });

  it("forces cold, then takes cold, second and warm, in this order", async () => {
    const { samples, target } = await run(oneTrial);
    expect(target.calls[0]).toBe("forceCold python-arm64-128");
    expect(samples.slice(0, 3).map((sample) => sample.phase)).toEqual(["cold", "second", "warm"]);
    expect(samples.map((sample) => sample.sequence)).toEqual(samples.map((_, index) => index));
  });

  it("keeps CPU times and instruction counts, and takes no time of a call that was instrumented", async () => {
    const { samples } = await run(oneTrial, ({ invocation }, answer) => ({
      ...answer,
      cpu: { invocationCpuMs: 1.5 },
      ...(invocation === 0 && { instructions: { init: 12_000_000, invocation: 400_000_000 } }),
    }));
    expect(samples[0]).toMatchObject({
      instructions: { init: 12_000_000, invocation: 400_000_000 },
      rejected: { reason: "instrumented" },
    });
    expect(samples[1]).toMatchObject({ cpu: { invocationCpuMs: 1.5 } });
    expect(samples[1]).not.toHaveProperty("rejected");
  });

  it("asks for the CPU after the last measured call, and keeps it with that call's sample", async () => {
    const asked: string[] = [];
    const told = (target: FakeTarget) =>
      Object.assign(target, {
        cpuModel: async (_: unknown, bootId: string) => {
          asked.push(`${bootId} after ${target.calls.length - 1} calls`);
          return "AMD EPYC";
        },
      });
    const { samples } = await runOn(told(new FakeTarget()), oneTrial);
    expect(asked).toEqual([`python-arm64-128-boot-number-1 after ${samples.length} calls`]);
    expect(samples.map(({ cpuModel }) => cpuModel).slice(-2)).toEqual([undefined, "AMD EPYC"]);
    expect(contractProblem("sample", samples.at(-1))).toBeUndefined();
    // Three errors in a row end a trial: its environment is not asked for anything then.
    const failing: Script = ({ invocation }, answer) =>
      invocation === 0
        ? answer
        : { startedAt: answer.startedAt, error: { type: "E", message: "" } };
    await runOn(told(new FakeTarget(failing)), oneTrial);
    expect(asked).toHaveLength(1);
  });

  it("takes no answer of another variant or in another language than the cell's", async () => {
    const forged = [{ variant: "rust" }, { runtime: "rust" }];
    const { samples } = await run(oneTrial, ({ invocation }, answer) =>
      withPayload(answer, forged[invocation - 1] ?? {}),
    );
    expect(samples.slice(0, 4).map(({ rejected }) => rejected)).toEqual([
      undefined,
      { reason: "result-wrong", detail: 'variant: found "rust"; expected "python"' },
      { reason: "result-wrong", detail: 'runtime: found "rust"; expected "python"' },
      { reason: "warm-up" },
    ]);
  });

  it("says of an instrumented call that failed that it failed", async () => {
    const error = { type: "ItemNotFound", message: "" };
    const { samples } = await run(oneTrial, ({ invocation }, answer) =>
      invocation === 1 ? { ...answer, error, instructions: { invocation: 1 } } : answer,
    );
    expect(samples[1]?.rejected).toEqual({ reason: "error", detail: "ItemNotFound" });
  });

  it("calls an operation with the parameters of the plan", async () => {
    const requests = { get: { parameters: { n: 30 } } };
    const { target } = await run({ ...oneTrial, requests });
    const sent = target.events.filter(({ operation }) => operation === "get");
    expect(new Set(sent.map((event) => JSON.stringify(event)))).toEqual(
      new Set(['{"operation":"get","n":30}']),
    );
    expect(target.events.some(({ operation, n }) => operation !== "get" && n !== undefined)).toBe(
      false,
    );
  });

  it("rejects in every phase a result that is not the one expected, and names both", async () => {
    const requests = { get: { expected: { itemsCount: 1, value: 55 } } };
    const plan = { ...oneTrial, requests };
    const { samples: right } = await run(plan, (_, answer) => withPayload(answer, { value: 55 }));
    expect(reasons(right)).not.toContain("result-wrong");
    const { samples: wrong } = await run(plan, (_, answer) => withPayload(answer, { value: 54 }));
    const got = wrong.filter(({ operation }) => operation === "get");
    expect(new Set(got.map(({ phase }) => phase))).toEqual(new Set(["cold", "second", "warm"]));
    for (const sample of got) {
      const detail = "value: found 54; expected 55";
      expect(sample.rejected).toEqual({ reason: "result-wrong", detail });
      expect(sample.telemetry).toBeDefined();
    }
    const { samples: absent } = await run(plan);
    expect(absent[0]?.rejected?.detail).toBe("value: found nothing; expected 55");
  });

  it("rejects work that was throttled on the way, in warm-up too: its time is that of a pause", async () => {
    const { samples } = await run(oneTrial, ({ operation }, answer) =>
      operation === "batch_write" ? withPayload(answer, { retriedItems: 7 }) : answer,
    );
    for (const { operation, rejected } of samples) {
      if (operation !== "batch_write") expect(rejected?.reason).not.toBe("throttled");
      else expect(rejected).toEqual({ reason: "throttled", detail: "7 items were sent again" });
    }
    const unretried = await run(oneTrial, (_, answer) => withPayload(answer, { retriedItems: 0 }));
    expect(reasons(unretried.samples)).not.toContain("throttled");
  });

  it("rejects the answer of a pool that is not the cell's", async () => {
    const cells = oneTrial.cells.map((cell) => ({ ...cell, workers: 2 }));
    const answering = async (workers: number) =>
      (await run({ ...oneTrial, cells }, (_, answer) => withPayload(answer, { workers }))).samples;
    expect(reasons(await answering(2))).not.toContain("result-wrong");
    for (const { rejected } of await answering(1)) {
      expect(rejected?.detail).toBe("workers: found 1; expected 2");
    }
  });

  it("flags a function that sees fewer CPUs than its memory pays for", async () => {
    const cells = oneTrial.cells.map((cell) => ({ ...cell, memoryMb: 4096 }));
    const seeing = async (detectedCpus: number) =>
      (await run({ ...oneTrial, cells }, (_, answer) => withPayload(answer, { detectedCpus })))
        .samples[0]?.flags;
    expect(await seeing(2)).toEqual(["visible-cpus-below-quota"]);
    expect(await seeing(3)).toBeUndefined();
  });

  it("records the first warm calls of each operation and labels them", async () => {
    const { samples } = await run(oneTrial);
    for (const operation of oneTrial.warmOperations) {
      const warm = samples.filter(
        (sample) => sample.phase === "warm" && sample.operation === operation,
      );
      expect(reasons(warm)).toEqual(["warm-up", "warm-up", "warm-up", undefined, undefined]);
    }
  });

  it("rejects a cold sample without Init", async () => {
    const { samples } = await run(oneTrial, ({ invocation }, answer) =>
      invocation === 0 ? withoutInit(answer) : answer,
    );
    expect(reasons(samples)[0]).toBe("init-missing");
  });

  it("forces cold once more where a process that had been invoked before answers, and keeps its answer", async () => {
    const { samples, target, failures } = await run(oneTrial, ({ boot, invocation }, answer) =>
      boot === 1 && invocation === 0
        ? withPayload(answer, { invocation: 4, coldStart: false })
        : answer,
    );
    expect(target.calls.slice(0, 4)).toEqual([
      ...["forceCold python-arm64-128", "get python-arm64-128"],
      ...["forceCold python-arm64-128", "get python-arm64-128"],
    ]);
    expect(samples).toHaveLength(1 + plannedSamples(oneTrial));
    expect(
      samples.slice(0, 3).map(({ attempt, sequence, phase, rejected }) => {
        return [attempt, sequence, phase, rejected?.reason];
      }),
    ).toEqual([
      [undefined, 0, "cold", "boot-id-reused"],
      [1, 0, "cold", undefined],
      [1, 1, "second", undefined],
    ]);
    expect(failures).toEqual([]);
  });

  it("gives a cold sample up where a used process answers the second time too, and goes on", async () => {
    const { samples, target } = await run(oneTrial, ({ invocation }, answer) =>
      invocation === 0 ? withPayload(answer, { invocation: 4, coldStart: false }) : answer,
    );
    expect(target.calls.filter((call) => call.startsWith("forceCold"))).toHaveLength(2);
    expect(reasons(samples).slice(0, 3)).toEqual(["boot-id-reused", "boot-id-reused", undefined]);
    expect(samples).toHaveLength(1 + plannedSamples(oneTrial));
  });

  it("flags no call but the cold one for its caller's wait", async () => {
    const target = new FakeTarget(
      ({ invocation }, answer) =>
        invocation === 1
          ? { ...answer, clientLatencyMs: 1, telemetry: { durationMs: 5, initDurationMs: 100 } }
          : answer,
      "aws",
    );
    const { samples } = await runOn(target, oneTrial);
    expect(samples[1]?.rejected?.reason).toBe("init-unexpected");
    expect(samples[1]).not.toHaveProperty("flags");
  });

  it("flags no cold call on AWS whose Init, or whose caller's wait, is not known", async () => {
    const short = { clientLatencyMs: 1 };
    const whole = { telemetry: { durationMs: 5, initDurationMs: 100 } };
    const flagsOf = async (change: (answer: Invocation) => Invocation) => {
      const target = new FakeTarget((_, answer) => change(answer), "aws");
      return (await runOn(target, oneTrial)).samples[0]?.flags;
    };
    expect(await flagsOf((answer) => ({ ...answer, ...short, ...whole }))).toEqual([
      "initialised-early",
    ]);
    expect(await flagsOf((answer) => withoutInit({ ...answer, ...short }))).toBeUndefined();
    expect(
      await flagsOf(({ clientLatencyMs: _, ...answer }) => ({ ...answer, ...whole })),
    ).toBeUndefined();
    expect(
      await flagsOf(({ telemetry: _, ...answer }) => ({ ...answer, ...short })),
    ).toBeUndefined();
  });

  it("flags a cold call on AWS whose caller waited for less than Init and Duration", async () => {
    const answered = async (kind: "aws" | "fake", clientLatencyMs: number) => {
      const target = new FakeTarget((_, answer) => ({ ...answer, clientLatencyMs }));
      const samples: Sample[] = [];
      const onAws = Object.assign(target, { kind });
      const sample = async (each: Sample) => void samples.push(each);
      await runPlan(oneTrial, onAws as FakeTarget, { sample, failure: async () => {} });
      return samples;
    };
    // Init is 100 ms, and the first Duration 5.1 ms.
    const [cold, second] = await answered("aws", 104);
    expect(cold).toMatchObject({ phase: "cold", flags: ["initialised-early"] });
    expect(second).not.toHaveProperty("flags");
    expect((await answered("aws", 106))[0]).not.toHaveProperty("flags");
    expect((await answered("fake", 104))[0]).not.toHaveProperty("flags");
  });

  it("flags an environment that was initialised more than 1 s before its first event", async () => {
    const waiting = async (initToFirstEventMs: number) =>
      (await run(oneTrial, (_, answer) => withPayload(answer, { initToFirstEventMs }))).samples[0];
    expect(await waiting(1001)).toMatchObject({ flags: ["initialised-early"] });
    expect(await waiting(1001)).not.toHaveProperty("rejected");
    expect(await waiting(1000)).not.toHaveProperty("flags");
  });

  it("rejects a cold sample whose boot id was seen in an earlier environment", async () => {
    const plan = smallPlan({ variants: ["python"], cold: 2, warm: 0 });
    const { samples } = await run(plan, (_, answer) =>
      withPayload(answer, { bootId: "the-same-boot-id-again" }),
    );
    expect(reasons(samples)).toEqual([
      ...[undefined, undefined],
      ...["boot-id-reused", "boot-id-reused", undefined],
    ]);
  });

  it("rejects a warm sample with Init, and one of another process, and goes on where the first answers again", async () => {
    const { samples, failures } = await run(oneTrial, ({ invocation }, answer) => {
      if (invocation === 1) {
        return { ...answer, telemetry: { durationMs: 1, initDurationMs: 9 } };
      }
      return invocation === 5 ? withPayload(answer, { bootId: "another-boot-id-0" }) : answer;
    });
    expect(samples).toHaveLength(plannedSamples(oneTrial));
    expect(reasons(samples).slice(0, 7)).toEqual([
      ...[undefined, "init-unexpected", "warm-up", "warm-up", "warm-up"],
      ...["boot-id-changed", undefined],
    ]);
    expect(failures).toEqual([]);
  });

  it("ends a trial whose environment another one has taken the place of: three answers in a row say so", async () => {
    const { samples, failures } = await run(oneTrial, ({ invocation }, answer) => {
      if (invocation < 2) return answer;
      const { payload: _, ...rest } = withPayload(answer, { bootId: "another-boot-id-0" });
      const error = { type: "TooManyRequestsException", message: "Rate exceeded" };
      return invocation === 3 ? { ...rest, error } : { ...rest, payload: _ };
    });
    expect(reasons(samples)).toEqual([
      ...[undefined, undefined, "boot-id-changed", "error", "boot-id-changed", "boot-id-changed"],
    ]);
    expect(failures).toMatchObject([
      {
        ...{ type: "boot-id-changed", block: 0 },
        message: "another environment answered 3 times in a row: another-boot-id-0",
      },
    ]);
  });

  it("puts on the cold sample what forcing cold took, where the target counts it", async () => {
    const { samples: uncounted } = await run(oneTrial);
    expect(uncounted[0]).not.toHaveProperty("forcedCold");
    const forcedCold = { throttledCalls: 2, waitedMs: 750.5 };
    const target = new FakeTarget();
    target.forceCold = async () => forcedCold;
    const { samples } = await runOn(target, oneTrial);
    expect(samples[0]).toMatchObject({ phase: "cold", forcedCold });
    expect(contractProblem("sample", samples[0])).toBeUndefined();
    expect(samples.slice(1).some((sample) => "forcedCold" in sample)).toBe(false);
  });

  it("rejects a sample without telemetry and keeps the rest of it", async () => {
    const { samples } = await run(oneTrial, ({ invocation }, answer) => {
      const { telemetry: _, ...rest } = answer;
      return invocation === 1 ? { ...rest, logTruncated: true } : answer;
    });
    expect(samples[1]).toMatchObject({
      rejected: { reason: "telemetry-missing" },
      flags: ["log-truncated"],
      result: { invocation: 1 },
    });
    expect(samples[1]).not.toHaveProperty("telemetry");
  });

  it.each([
    ["text", "garbage"],
    ["an object of another shape", { ok: true }],
    ["a result with zero items", { itemsCount: 0 }],
  ])("rejects a result that is %s and keeps what was returned", async (_, payload) => {
    const { samples } = await run(oneTrial, ({ invocation }, answer) => {
      if (invocation !== 1) return answer;
      return "itemsCount" in Object(payload)
        ? withPayload(answer, payload as object)
        : { ...answer, payload };
    });
    expect(samples[1]?.rejected?.reason).toBe("result-invalid");
    expect(samples[1]?.result).toBeDefined();
    expect(samples).toHaveLength(plannedSamples(oneTrial));
  });

  it("records a failed call once, goes on, and never calls it again", async () => {
    const { samples, target, failures } = await run(oneTrial, ({ invocation }, answer) => {
      const { payload: _, ...rest } = answer;
      const error = { type: "TooManyRequestsException", message: "Rate exceeded" };
      return invocation === 3 ? { ...rest, error } : answer;
    });
    expect(samples[3]).toMatchObject({
      error: { type: "TooManyRequestsException" },
      rejected: { reason: "error" },
    });
    expect(failures).toEqual([]);
    expect(target.calls).toHaveLength(1 + plannedSamples(oneTrial));
  });

  it("ends a trial whose cold invocation failed, and goes on with the other cells", async () => {
    const plan = smallPlan({ cold: 1 });
    const { samples, failures } = await run(plan, ({ cell }, answer) => {
      const { payload: _, ...rest } = answer;
      const error = { type: "Runtime.ExitError", message: "exit status 1" };
      return cell.variant === "python" ? { ...rest, error } : answer;
    });
    expect(failures).toMatchObject([
      { cellId: "python-arm64-128", block: 0, type: "Runtime.ExitError" },
    ]);
    expect(samples.filter((sample) => sample.cell.variant === "python")).toHaveLength(1);
    expect(samples.filter((sample) => sample.cell.variant === "rust")).toHaveLength(2 * 42);
  });

  it("ends a trial whose cold invocation tells no environment, with what was wrong with its answer", async () => {
    const { failures } = await run(oneTrial, (_, answer) => ({ ...answer, payload: "no" }));
    const message = expect.stringMatching(/^the cold invocation gave no boot id: .*"no"/);
    expect(failures).toEqual([expect.objectContaining({ type: "result-invalid", message })]);
  });

  it("has no trial of a cell or a block that the plan has not", () => {
    const missing = (cellId: string, block: number) => () => findTrial(oneTrial, cellId, block);
    expect(missing("python-arm64-128", 1)).toThrow("has no trial of python-arm64-128 in block 1");
    expect(missing("rust-arm64-512", 0)).toThrow("has no trial of rust-arm64-512 in block 0");
  });

  it("ends a trial after three errors in a row", async () => {
    const { samples, failures } = await run(oneTrial, ({ invocation }, answer) => {
      const { payload: _, ...rest } = answer;
      return invocation > 4
        ? { ...rest, error: { type: "Throttled", message: "slow down" } }
        : answer;
    });
    expect(samples).toHaveLength(8);
    expect(failures).toMatchObject([{ message: "3 errors in a row: slow down" }]);
  });

  it("records a cell that cannot be made cold as failed", async () => {
    const target = new FakeTarget();
    const failures: CellFailure[] = [];
    target.forceCold = async () => {
      throw new Error("LastUpdateStatus: Failed");
    };
    const recorder = {
      sample: async () => {},
      failure: async (failure: CellFailure) => void failures.push(failure),
    };
    await runPlan(smallPlan({ cold: 1 }), target, recorder);
    expect(failures).toHaveLength(3);
    expect(failures[0]).toMatchObject({ message: "LastUpdateStatus: Failed" });
  });

  it("keeps what it has when it is interrupted and does not yield the call under way", async () => {
    const controller = new AbortController();
    const { samples, end, failures } = await run(
      smallPlan(),
      (_, answer) => {
        if (answer.requestId === "request-5") controller.abort();
        return answer;
      },
      { signal: controller.signal },
    );
    expect(end).toBe("interrupted");
    expect(samples).toHaveLength(4);
    expect(failures).toEqual([]);
  });

  it("takes what fails because it is interrupted for no failure of the cell", async () => {
    const controller = new AbortController();
    const target = new FakeTarget();
    target.forceCold = async () => {
      controller.abort();
      throw new Error("the service is gone");
    };
    const { end, failures } = await runOn(target, oneTrial, { signal: controller.signal });
    expect([end, failures]).toEqual(["interrupted", []]);
  });

  it("is interrupted, and not complete, if it is stopped during the look at its last block", async () => {
    const controller = new AbortController();
    const afterBlock = async (blocks: number) => {
      if (blocks === 2) controller.abort();
      return "go-on" as const;
    };
    const { signal } = controller;
    const { samples, end } = await run(smallPlan(), undefined, { signal, afterBlock });
    expect(samples).toHaveLength(plannedSamples(smallPlan()));
    expect(end).toBe("interrupted");
  });

  it("makes no further block where the look after one says that it is enough, and is complete", async () => {
    const plan = smallPlan({ cold: 4 });
    const looks: number[] = [];
    const { end, samples } = await run(plan, undefined, {
      afterBlock: async (blocks) => (looks.push(blocks) === 2 ? "end" : "go-on"),
    });
    expect(end).toBe("complete");
    expect(looks).toEqual([1, 2]);
    expect(new Set(samples.map(({ block }) => block))).toEqual(new Set([0, 1]));
  });

  it("knows the environment of an answer that failed, or that breaks the contract, from neither", async () => {
    const [cold] = (await run(oneTrial)).samples;
    if (cold === undefined) throw new Error("a trial has a cold sample");
    const told = { ...cold, environmentId: "environment-1" };
    const error = { type: "Unhandled", message: "no" };
    expect([cold, told].map(readBootId)).toEqual([
      "python-arm64-128-boot-number-1",
      "environment-1",
    ]);
    for (const sample of [cold, told]) expect(readBootId({ ...sample, error })).toBeUndefined();
    const rejected = { reason: "result-invalid" } as const;
    expect(readBootId({ ...cold, rejected })).toBeUndefined();
  });

  it("judges the next call by no answer that breaks the contract", async () => {
    const { samples } = await run(oneTrial, ({ invocation }, answer) =>
      invocation === 2
        ? withPayload(answer, { bootId: "another-boot-number", invocation: 40, durationMs: "1" })
        : answer,
    );
    expect(samples[2]?.rejected?.reason).toBe("result-invalid");
    expect(reasons(samples.slice(3))).toEqual(reasons((await run(oneTrial)).samples.slice(3)));
  });

  it("makes no trial again that is done, and labels the second attempt at a partial one", async () => {
    const plan = smallPlan({ variants: ["python"], cold: 3, warm: 0 });
    const { samples } = await run(plan, undefined, {
      earlier: (_, block) =>
        [{ state: "done" } as const, { state: "partial", attempts: 1 } as const][block],
    });
    expect(samples.map(({ block, attempt }) => [block, attempt])).toEqual([
      [1, 1],
      [1, 1],
      [2, undefined],
      [2, undefined],
    ]);
  });
});
