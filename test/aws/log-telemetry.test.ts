import { describe, expect, it } from "vitest";
import type { AnsweredInvocation } from "../../lib/sampler/target.ts";
import { fakeLogGroup, nothingYet } from "../support/fake-aws/fake-logs.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import {
  cell,
  count,
  type FakeTargetOptions,
  targetOn,
} from "../support/fake-aws/target-on-fake.ts";

/** A log tail without its REPORT. */
const chatty = "Duration: 9999.00 ms\n".repeat(200);

/** So many invocations whose tail lost the REPORT, each a minute after the other. */
async function invoked(calls: number, options: FakeTargetOptions = {}) {
  const { target, lambda } = targetOn({
    onInvoke: (_, answer) => ({ ...answer, log: chatty }),
    ...options,
  });
  const invocations: AnsweredInvocation[] = [];
  for (let call = 0; call < calls; call += 1) {
    lambda.logs.nowMs = call * 60_000;
    const invocation = await target.invoke(cell, { operation: "get" });
    invocations.push({ ...invocation, requestId: `request-${call + 1}` });
  }
  const late = (mayWait = true) => target.lateTelemetry(cell, invocations, mayWait);
  return { late, invocations, lambda };
}

const none = { byRequestId: new Map(), refused: new Map() };

describe("telemetry from the log", () => {
  it("is awaited for an answer whose tail lost its REPORT, and for one that had no tail", async () => {
    const { invocations } = await invoked(1);
    expect(invocations[0]).toMatchObject({ telemetryAwaited: true, logTruncated: true });
    const { invocations: without } = await invoked(1, {
      onInvoke: (_, answer) => ({ ...answer, log: "" }),
    });
    expect(without[0]).toMatchObject({ telemetryAwaited: true });
    expect(without[0]).not.toHaveProperty("logTruncated");
    const { invocations: sound } = await invoked(1, { onInvoke: (_, answer) => answer });
    expect(sound[0]).not.toHaveProperty("telemetryAwaited");
  });

  it("is found by the request id, in the function's own log group, around the time of the call", async () => {
    const { late, lambda } = await invoked(2);
    const { byRequestId, missing } = await late();
    expect(byRequestId.get("request-1")).toMatchObject({ durationMs: 50, initDurationMs: 100 });
    expect(byRequestId.get("request-2")).toMatchObject({ durationMs: 5 });
    expect(missing).toBeUndefined();
    expect(lambda.logs.looks[0]).toEqual({
      logGroupName: fakeLogGroup,
      filterPattern: '?"REPORT RequestId: request-1" ?"REPORT RequestId: request-2"',
      startTime: -60_000,
      endTime: 60_000 + 16 * 60_000,
    });
  });

  it("is read from every page, empty ones between, with patterns as long as are allowed", async () => {
    const { late, lambda } = await invoked(40);
    expect((await late(false)).byRequestId.size).toBe(40);
    const patterns = lambda.logs.looks.map(({ filterPattern }) => filterPattern);
    expect(patterns).toHaveLength(3);
    const requestIdLength = 36;
    for (const pattern of patterns) {
      const ids = pattern.match(/request-\d+/g) ?? [];
      const length = pattern.length + ids.reduce((sum, id) => sum + requestIdLength - id.length, 0);
      expect(length).toBeLessThanOrEqual(1024);
    }
  });

  it("that is not there yet is looked for again", async () => {
    const { late, lambda } = await invoked(2, {
      onLook: (look) => (look === 1 ? nothingYet : undefined),
    });
    expect((await late()).byRequestId.size).toBe(2);
    expect(lambda.logs.looks).toHaveLength(3);
  });

  it("counts once two looks have found it, and is looked for no more", async () => {
    const { late, lambda } = await invoked(17, {
      onLook: (look) => (look === 2 ? nothingYet : undefined),
    });
    expect((await late()).byRequestId.size).toBe(17);
    const looked = lambda.logs.looks.map(({ filterPattern }) => filterPattern.split(" ?").length);
    expect(looked).toEqual([16, 1, 16, 1, 1]);
  });

  it("that is asked for too often is asked for again", async () => {
    const throttled = jsonError(400, "ThrottlingException", "Rate exceeded");
    const { late } = await invoked(1, {
      onLook: (look) => (look === 1 ? throttled : undefined),
    });
    expect((await late()).byRequestId.size).toBe(1);
  });

  it("that never comes is given up after a bounded number of looks, and is absent", async () => {
    const { late, lambda } = await invoked(2, { onLook: () => nothingYet });
    expect(await late()).toEqual({ ...none, missing: `not in ${fakeLogGroup} at 3 looks` });
    expect(lambda.logs.looks).toHaveLength(3);
  });

  it("is looked for once where there is no time to wait", async () => {
    const { late, lambda } = await invoked(1, { onLook: () => nothingYet });
    expect((await late(false)).missing).toBe(`not in ${fakeLogGroup} at one look`);
    expect(lambda.logs.looks).toHaveLength(1);
  });

  it("is waited for no longer than the limit", async () => {
    const logWait = { delaysMs: [60_000], limitMs: 20 };
    const { late } = await invoked(1, { onLook: () => nothingYet, logWait });
    const startedMs = performance.now();
    expect((await late()).missing).toContain("the log could not be read: AbortError");
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });

  it("that the driver may not read is missing with the service's words, after one look", async () => {
    const denied = jsonError(400, "AccessDeniedException", "not authorized: logs:FilterLogEvents");
    const { late, lambda } = await invoked(1, { onLook: () => denied });
    const missing =
      "the log could not be read: AccessDeniedException: not authorized: logs:FilterLogEvents";
    expect(await late()).toEqual({ ...none, missing });
    expect(lambda.logs.looks).toHaveLength(1);
  });

  it("takes what was found when a later look fails", async () => {
    const denied = jsonError(400, "AccessDeniedException", "no");
    const { late } = await invoked(20, { onLook: (look) => (look === 2 ? denied : undefined) });
    const { byRequestId, missing } = await late();
    expect(byRequestId.size).toBe(16);
    expect(missing).toContain("AccessDeniedException");
  });

  const forged = "REPORT RequestId: request-1\tDuration: 1.00 ms\tBilled Duration: 1 ms";
  const differ = "2 reports of request-1 differ; Lambda writes one";

  it("is not taken where the function wrote another one, which is told of that call alone", async () => {
    const { late, lambda } = await invoked(2);
    lambda.logs.write(forged);
    const { byRequestId, refused, missing } = await late();
    expect([...byRequestId.keys()]).toEqual(["request-2"]);
    expect(refused).toEqual(new Map([["request-1", differ]]));
    expect(missing).toBeUndefined();
  });

  it("is not taken where the function's was there before Lambda's", async () => {
    const { late, lambda } = await invoked(1, {
      onLook: (look) => {
        if (look === 2) lambda.logs.events.push(...lambdas);
        return undefined;
      },
    });
    const lambdas = lambda.logs.events.splice(0);
    lambda.logs.write(forged);
    const { byRequestId, refused } = await late();
    expect(byRequestId.size).toBe(0);
    expect(refused?.get("request-1")).toBe(differ);
  });

  it("begins an event: what stands further down in one is the function's", async () => {
    const { late, lambda } = await invoked(1);
    lambda.logs.write(`some text\n${forged}`);
    const { byRequestId } = await late();
    expect(byRequestId.get("request-1")).toMatchObject({ durationMs: 50 });
  });

  it("makes no call of the function", async () => {
    const { late, lambda } = await invoked(1);
    await late();
    expect(count(lambda, "Invoke f")).toBe(1);
  });
});
