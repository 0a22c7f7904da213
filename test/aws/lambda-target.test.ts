import { describe, expect, it } from "vitest";
import { restoreFunctions } from "../../lib/aws/lambda-target.ts";
import { bootIdOf, type FakeAnswer, fakeCpuModel } from "../support/fake-aws/fake-lambda.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import { cell, count, targetOn } from "../support/fake-aws/target-on-fake.ts";

const conflict = jsonError(409, "ResourceConflictException", "an update is in progress");
const throttled = jsonError(429, "TooManyRequestsException", "Rate Exceeded.");
const get = { operation: "get" };

describe("an invocation on AWS", () => {
  it("brings what the function returned, its REPORT, its request id and the caller's time", async () => {
    const { target } = targetOn();
    const invocation = await target.invoke(cell, get);
    expect(invocation).toMatchObject({
      requestId: "request-1",
      startedAt: "1970-01-01T00:00:00.000Z",
      clientLatencyMs: 0,
      telemetry: { durationMs: 50, initDurationMs: 100, billedDurationMs: 150 },
      payload: { operation: "get", coldStart: true },
    });
    expect(invocation.error).toBeUndefined();
    expect(invocation.logTruncated).toBeUndefined();
  });

  it.each([
    ["is throttled", 429, "TooManyRequestsException", "Rate Exceeded."],
    ["the driver may not make", 403, "AccessDeniedException", "User: driver is not authorized"],
    ["the service fails", 500, "ServiceException", "internal"],
  ])(
    "that %s is recorded as an error with Lambda's words and never made again",
    async (_, status, type, message) => {
      const { target, lambda } = targetOn({ onInvoke: () => jsonError(status, type, message) });
      const { error, payload, telemetry, telemetryAwaited } = await target.invoke(cell, get);
      expect(error).toEqual({ type, message });
      expect([payload, telemetry, telemetryAwaited]).toEqual([undefined, undefined, undefined]);
      expect(count(lambda, "Invoke f")).toBe(1);
    },
  );

  it("whose function fails has the function's error and no payload, and keeps its REPORT", async () => {
    const payload = { errorType: "Sandbox.Timedout", errorMessage: "Task timed out" };
    const { target } = targetOn({
      onInvoke: (_, answer) => ({ ...answer, payload, functionError: "Unhandled" }),
    });
    const invocation = await target.invoke(cell, get);
    expect(invocation.error).toEqual({ type: "Sandbox.Timedout", message: "Task timed out" });
    expect(invocation.payload).toBeUndefined();
    expect(invocation.telemetry?.durationMs).toBe(50);
  });

  it.each([
    "INIT_REPORT Init Duration: 10009.13 ms\tPhase: init\tStatus: timeout",
    '{"type":"platform.initReport","record":{"phase":"init","status":"timeout","metrics":{"durationMs":10009.13}}}',
  ])(
    "whose Init had failed brings what its tail says of that, as its handler cannot: %s",
    async (line) => {
      const { target } = targetOn({
        onInvoke: ({ requestId }, answer) => ({
          ...answer,
          log: `${line}\n${line}\nSTART RequestId: ${requestId}\n${line.replace("timeout", "error")}\n${answer.log}`,
        }),
      });
      const { failedInits } = await target.invoke(cell, get);
      expect(failedInits).toEqual([{ status: "timeout", durationMs: 10_009.13 }]);
    },
  );

  it("whose tail has two REPORTs that differ has neither, and is told so", async () => {
    const { target } = targetOn({
      onInvoke: ({ requestId }, answer) => ({
        ...answer,
        log: `REPORT RequestId: ${requestId}\tDuration: 1.00 ms\n${answer.log}`,
      }),
    });
    const invocation = await target.invoke(cell, get);
    expect(invocation.telemetryRefused).toBe("2 reports of request-1 differ; Lambda writes one");
    for (const absent of ["telemetry", "telemetryAwaited", "logTruncated"])
      expect(invocation).not.toHaveProperty(absent);
  });

  it("that times out has Lambda's error and a telemetry that says so", async () => {
    const { target } = targetOn({
      onInvoke: ({ requestId }) => ({
        payload: {
          errorType: "Sandbox.Timedout",
          errorMessage: `RequestId: ${requestId} Error: Task timed out after 30.00 seconds`,
        },
        functionError: "Unhandled",
        log: `END RequestId: ${requestId}\nREPORT RequestId: ${requestId}\tDuration: 30000.00 ms\tBilled Duration: 30000 ms\tMemory Size: 128 MB\tMax Memory Used: 128 MB\tStatus: timeout\n2026-01-01T00:00:00.000Z ${requestId} Task timed out after 30.00 seconds\n\n`,
      }),
    });
    const { error, telemetry, telemetryAwaited } = await target.invoke(cell, get);
    expect(error).toEqual({
      type: "Sandbox.Timedout",
      message: "RequestId: request-1 Error: Task timed out after 30.00 seconds",
    });
    expect(telemetry).toMatchObject({
      durationMs: 30_000,
      maxMemoryUsedMb: 128,
      status: "timeout",
    });
    expect(telemetryAwaited).toBeUndefined();
  });

  it("whose log lost its REPORT says so and has no telemetry", async () => {
    const { target } = targetOn({
      onInvoke: (_, answer) => ({ ...answer, log: "Duration: 9999 ms\n".repeat(200) }),
    });
    const { logTruncated, telemetry, payload } = await target.invoke(cell, get);
    expect(logTruncated).toBe(true);
    expect(telemetry).toBeUndefined();
    expect(payload).toBeDefined();
  });

  it.each(["<html>", ""])("that returns no JSON brings the text %j", async (text) => {
    const { target } = targetOn({ onInvoke: (_, answer) => ({ ...answer, payload: text }) });
    expect(await target.invoke(cell, get)).toMatchObject({ payload: text });
  });

  it.each(["null", '"text"', "[]"])("that returns the JSON %s brings its value", async (json) => {
    const { target } = targetOn({ onInvoke: (_, answer) => ({ ...answer, payload: json }) });
    const invocation = await target.invoke(cell, get);
    expect(invocation.payload).toEqual(JSON.parse(json));
  });
});

describe("calls of one environment on AWS", () => {
  /** The gaps between the starts of calls that each take so long. */
  async function gapsOfCalls(callMs: readonly number[]): Promise<readonly number[]> {
    const startsMs: number[] = [];
    const { target, lambda } = targetOn({
      onInvoke: ({ invocation }, answer) => {
        startsMs.push(lambda.clock.ms);
        lambda.clock.ms += callMs[invocation] ?? 0;
        return answer;
      },
    });
    for (const ms of callMs) {
      const { error, clientLatencyMs } = await target.invoke(cell, get);
      expect(error).toBeUndefined();
      expect(clientLatencyMs).toBe(ms);
    }
    return startsMs.map((ms, index) => ms - (startsMs[index - 1] ?? 0));
  }

  it("start 100 ms apart, the first one too, and none of that is in the caller's time", async () => {
    const gaps = await gapsOfCalls(Array.from({ length: 30 }, () => 3));
    expect(new Set(gaps)).toEqual(new Set([100]));
  });

  it("that take longer than that follow each other at once, with no burst to catch up", async () => {
    expect(await gapsOfCalls([750, 120, 99, 3, 3])).toEqual([100, 750, 120, 100, 100]);
  });

  it("start further apart before an operation of which the service carries fewer", async () => {
    const spacing = { callSpacingMs: 100, operationSpacingMs: { batch_write: 238 } };
    const { target, lambda } = targetOn({ spacing });
    const startedMs: number[] = [];
    for (const operation of ["get", "batch_write", "batch_write", "get", undefined]) {
      await target.invoke(cell, get, operation);
      startedMs.push(lambda.clock.ms);
    }
    const [first = 0] = startedMs;
    expect(startedMs.map((ms) => ms - first)).toEqual([0, 238, 476, 576, 676]);
  });

  it("start 100 ms apart where a timer ends before its time", async () => {
    const { target, lambda } = targetOn({
      sleep: async (ms) => {
        lambda.clock.ms += Math.max(ms - 0.75, 0.25);
      },
    });
    await target.invoke(cell, get);
    expect(lambda.clock.ms).toBeGreaterThanOrEqual(100);
  });
});

describe("the CPU of an environment on AWS", () => {
  const bootId = bootIdOf("f", 0);

  it("is asked for in one call, which starts 100 ms after the one before", async () => {
    const { target, lambda } = targetOn();
    await target.invoke(cell, get);
    const [startMs, calls] = [lambda.clock.ms, count(lambda, "Invoke f")];
    expect(await target.cpuModel(cell, bootId)).toBe(fakeCpuModel);
    expect(count(lambda, "Invoke f") - calls).toBe(1);
    expect(lambda.clock.ms - startMs).toBe(100);
  });

  it("is not known where another environment answers, or none, or what keeps no contract", async () => {
    const { target } = targetOn();
    expect(await target.cpuModel(cell, "another-boot-id-")).toBeUndefined();
    for (const onInvoke of [
      () => throttled,
      (_: unknown, answer: FakeAnswer) => ({ ...answer, payload: { bootId, cpuModel: "x" } }),
      (_: unknown, answer: FakeAnswer) => ({ ...answer, functionError: "Unhandled" }),
    ]) {
      const { target: refused, lambda } = targetOn({ onInvoke });
      expect(await refused.cpuModel(cell, bootId)).toBeUndefined();
      expect(count(lambda, "Invoke f")).toBe(1);
    }
    const { target: unnamed } = targetOn({ cpuModelOf: () => undefined });
    expect(await unnamed.cpuModel(cell, bootId)).toBeUndefined();
  });
});

describe("forcing cold on AWS", () => {
  it("waits for its turn among a block's updates, once", async () => {
    const { target, lambda } = targetOn({ updateDelayMs: 134 });
    await target.forceCold(cell);
    expect(lambda.clock.ms).toBe(134);
    await target.forceCold(cell);
    expect(lambda.clock.ms).toBe(134);
  });

  it("sends the function's own variables with a new nonce, and waits for the update", async () => {
    const { target, lambda } = targetOn({ statuses: ["InProgress", "InProgress", "Successful"] });
    await target.forceCold(cell);
    expect(lambda.functions.get("f")?.environment).toEqual({
      TABLE_NAME: "t",
      KELVIN_NONCE: "nonce-1",
    });
    expect(lambda.requests).toEqual([
      "GetFunction f",
      "Update f",
      "GetFunction f",
      "GetFunction f",
      "GetFunction f",
    ]);
    await target.forceCold(cell);
    expect(lambda.functions.get("f")?.environment.KELVIN_NONCE).toBe("nonce-2");
  });

  it("takes no older Successful for the update's: it has the revision of before", async () => {
    const { target, lambda } = targetOn({ staleLooks: 2, statuses: ["InProgress", "Successful"] });
    await target.forceCold(cell);
    await target.forceCold(cell);
    expect(count(lambda, "Update f")).toBe(2);
    // One before each update, then two stale ones, InProgress and Successful; Successful at once.
    expect(count(lambda, "GetFunction f")).toBe(1 + 4 + 1 + 3);
  });

  it("tells the runtime's version that the update took, not the one of before", async () => {
    const versions = [1, 2, 2].map((version) => `arn:aws:lambda:us-east-1::runtime:${version}`);
    const { target } = targetOn({
      staleLooks: 1,
      statuses: ["Successful"],
      runtimeVersionOf: (_, updates) => versions[updates - 1],
    });
    const { throttledCalls, runtimeVersionArn } = await target.forceCold(cell);
    expect([throttledCalls, runtimeVersionArn]).toEqual([0, versions[0]]);
    expect((await target.forceCold(cell)).runtimeVersionArn).toBe(versions[1]);
  });

  it("leaves the runtime's version out where Lambda does not say it", async () => {
    const { target } = targetOn({ runtimeVersionOf: () => undefined });
    expect(await target.forceCold(cell)).toEqual({ throttledCalls: 0, waitedMs: 0 });
  });

  it("gives up where only the configuration of before is ever answered, and says so", async () => {
    const updateWait = { minDelay: 0.001, maxDelay: 0.002, maxWaitTime: 0.02 };
    const { target } = targetOn({ staleLooks: 1_000_000, updateWait });
    await expect(target.forceCold(cell)).rejects.toThrow(
      "f was not updated: Lambda returned only the configuration from before the update",
    );
  });

  it("waits for an update under way (409) and then makes its own", async () => {
    const onUpdate = (_: string, count: number) => (count === 1 ? conflict : undefined);
    const { target, lambda } = targetOn({ onUpdate, statuses: ["InProgress", "Successful"] });
    await target.forceCold(cell);
    expect(lambda.requests).toEqual([
      "GetFunction f",
      "Update f",
      "GetFunction f",
      "GetFunction f",
      "Update f",
      "GetFunction f",
    ]);
    expect(lambda.functions.get("f")?.environment.KELVIN_NONCE).toBe("nonce-1");
  });

  it("gives up when updates are always under way", async () => {
    const { target } = targetOn({ onUpdate: () => conflict });
    await expect(target.forceCold(cell)).rejects.toThrow("an update is in progress");
  });

  it("that the driver may not do fails with Lambda's words and is not tried again", async () => {
    const denied = jsonError(403, "AccessDeniedException", "User: driver is not authorized");
    const { target, lambda } = targetOn({ onUpdate: () => denied });
    await expect(target.forceCold(cell)).rejects.toThrow("User: driver is not authorized");
    expect(count(lambda, "Update f")).toBe(1);
  });

  it("takes a failed update as an error that gives Lambda's reason and no link to the code", async () => {
    const { target } = targetOn({ statuses: ["Failed", "Failed"] });
    await expect(target.forceCold(cell)).rejects.toThrow(
      "f was not updated: LastUpdateStatus is Failed (InternalError: it broke)",
    );
  });
});

describe("restoring functions", () => {
  const names = ["f"];

  it("takes the nonce out, leaves the rest, and does nothing the second time", async () => {
    const { target, lambda, environments } = targetOn();
    await target.forceCold(cell);
    expect(await restoreFunctions(environments, names)).toEqual({ restored: ["f"], failed: [] });
    expect(lambda.functions.get("f")?.environment).toEqual({ TABLE_NAME: "t" });
    expect(await restoreFunctions(environments, names)).toEqual({ restored: [], failed: [] });
  });

  it("goes on after a function that cannot be restored, and names it", async () => {
    const { target, environments } = targetOn();
    await target.forceCold(cell);
    const { restored, failed } = await restoreFunctions(environments, ["gone", "f"]);
    expect(restored).toEqual(["f"]);
    const message = expect.stringMatching(/^the function gone \(.*\) was deleted by hand; /);
    expect(failed).toEqual([{ functionName: "gone", message }]);
  });
});
