import { describe, expect, it } from "vitest";
import { ReportsByStream } from "../../lib/aws/log-telemetry.ts";
import type { AnsweredInvocation } from "../../lib/sampler/target.ts";
import { fakeLogGroup, nothingYet } from "../support/fake-aws/fake-logs.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import {
  cell,
  count,
  type FakeTargetOptions,
  targetOn,
} from "../support/fake-aws/target-on-fake.ts";

const get = { operation: "get" };

/** So many calls of one environment, a second apart; somebody else's after the second one if asked for. */
async function called(calls: number, options: FakeTargetOptions & { another?: true } = {}) {
  const { target, lambda } = targetOn(options);
  const invocations: AnsweredInvocation[] = [];
  for (let call = 0; call < calls; call += 1) {
    lambda.logs.nowMs = call * 1000;
    const { requestId = "", ...invocation } = await target.invoke(cell, get);
    invocations.push({ ...invocation, requestId });
    if (options.another && call === 1) lambda.calledByAnother("f");
  }
  const late = (mayWait = true) => target.lateEnvironments(cell, invocations, mayWait);
  return { target, lambda, invocations, late };
}

const positions = (found: Awaited<ReturnType<Awaited<ReturnType<typeof called>>["late"]>>) =>
  [...found.environments.values()].map(({ invocation }) => invocation);

describe("the log streams of a trial's calls", () => {
  it("are one for an environment, named for its function, and tell which call each was", async () => {
    const { late } = await called(5);
    const found = await late();
    expect(positions(found)).toEqual([0, 1, 2, 3, 4]);
    const names = new Set([...found.environments.values()].map(({ id }) => id));
    expect([...names]).toEqual([
      expect.stringMatching(/^1970\/01\/01\/f\[\$LATEST\]\[[0-9a-f]{32}\]$/),
    ]);
    expect(found.missing).toBeUndefined();
  });

  it("are others for the next environment", async () => {
    const { target, lambda, invocations, late } = await called(2);
    await target.forceCold(cell);
    const { requestId = "", ...invocation } = await target.invoke(cell, get);
    invocations.push({ ...invocation, requestId });
    const found = await late();
    expect(positions(found)).toEqual([0, 1, 0]);
    expect(new Set([...found.environments.values()].map(({ id }) => id)).size).toBe(2);
    expect(count(lambda, "Invoke f")).toBe(3);
  });

  it("show the calls of somebody else", async () => {
    const { late } = await called(4, { another: true });
    expect(positions(await late())).toEqual([0, 1, 3, 4]);
  });

  it("are found by one query a look however many calls there are, from every page", async () => {
    const { lambda, late } = await called(40);
    expect(positions(await late())).toHaveLength(40);
    expect(lambda.logs.looks).toEqual([
      {
        logGroupName: fakeLogGroup,
        filterPattern: '?"REPORT RequestId:" ?"INIT_REPORT"',
        startTime: -60_000,
        endTime: 39_000 + 16 * 60_000,
      },
    ]);
  });

  it("are told from those of other functions that write to the group in the same time", async () => {
    const { lambda, late } = await called(3);
    const other = "1970/01/01/g[$LATEST][00]";
    for (const id of ["a", "b"])
      lambda.logs.write(`REPORT RequestId: ${id}\tDuration: 1.00 ms\tBilled Duration: 1 ms`, other);
    const found = await late();
    expect(positions(found)).toEqual([0, 1, 2]);
    expect([...found.environments.keys()]).toEqual(["request-1", "request-2", "request-3"]);
  });

  it("are looked for again until the log has arrived", async () => {
    const logWait = { delaysMs: [1, 1, 1, 1], limitMs: 5000 };
    const { lambda, late } = await called(3, { looksBehind: 2, logWait });
    expect(positions(await late())).toEqual([0, 1, 2]);
    expect(lambda.logs.looks).toHaveLength(3);
  });

  it("are looked for once where there is no time to wait, and are absent where that is too early", async () => {
    const { lambda, late } = await called(3, { looksBehind: 1 });
    expect(positions(await late(false))).toEqual([]);
    expect(lambda.logs.looks).toHaveLength(1);
  });

  it("are known of some calls where the rest of the log does not arrive", async () => {
    const { lambda, late } = await called(3);
    lambda.logs.events.splice(-1);
    const found = await late();
    expect([...found.environments.keys()]).toEqual(["request-1", "request-2"]);
    expect(lambda.logs.looks).toHaveLength(2);
  });

  it.each(["AccessDeniedException", "ResourceNotFoundException"])(
    "are absent after one look where the service says %s, and nothing is thrown",
    async (type) => {
      const { lambda, late } = await called(2, { onLook: () => jsonError(400, type, "no") });
      const found = await late();
      expect(found.environments.size).toBe(0);
      expect(found.missing).toBe(`the log could not be read: ${type}: no`);
      expect(lambda.logs.looks).toHaveLength(1);
    },
  );

  it("are absent where the function's configuration is not to be had", async () => {
    const { late } = await called(1, {
      onGet: () => jsonError(403, "AccessDeniedException", "no"),
    });
    expect((await late()).environments.size).toBe(0);
  });

  it("are had in spite of throttling that the client's own retries get over", async () => {
    const throttled = jsonError(400, "ThrottlingException", "Rate exceeded");
    const { lambda, late } = await called(2, {
      onLook: (look) => (look === 1 ? throttled : undefined),
    });
    expect(positions(await late())).toEqual([0, 1]);
    expect(lambda.logs.looks).toHaveLength(2);
  });

  it("that an earlier look found stay where a later one fails", async () => {
    const { lambda, late } = await called(3, {
      onLook: (look) => (look === 2 ? jsonError(400, "AccessDeniedException", "no") : undefined),
    });
    lambda.logs.events.splice(-1);
    expect((await late()).environments.size).toBe(2);
  });

  it("bring the telemetry of calls whose tail lost its REPORT, once two looks have found it", async () => {
    const { lambda, late } = await called(3, {
      onInvoke: (_, answer) => ({ ...answer, log: "Duration: 1.00 ms\n".repeat(300) }),
    });
    const found = await late();
    expect(found.byRequestId.get("request-1")).toMatchObject({ durationMs: 50 });
    expect(positions(found)).toEqual([0, 1, 2]);
    expect(lambda.logs.looks).toHaveLength(2);
  });

  it("say why telemetry that is awaited does not come", async () => {
    const { late } = await called(1, {
      onInvoke: (_, answer) => ({ ...answer, log: "" }),
      onLook: () => nothingYet,
    });
    expect((await late()).missing).toBe(`not in ${fakeLogGroup} at 2 looks`);
  });
});

describe("REPORTs by stream", () => {
  const report = (id: string) =>
    `REPORT RequestId: ${id}\tDuration: 1.00 ms\tBilled Duration: 1 ms`;

  it("count each invocation once, and no other line", () => {
    const reports = new ReportsByStream();
    for (const message of [
      "REPORT RequestId: nothing but words",
      `INIT_REPORT Init Duration: 100.00 ms`,
      report("a"),
      report("a"),
      `text\n${report("c")}`,
      report("b"),
    ]) {
      reports.add({ message, logStreamName: "s" });
    }
    expect(reports.environmentOf("a")).toEqual({ id: "s", invocation: 0 });
    expect(reports.environmentOf("b")).toEqual({ id: "s", invocation: 1 });
    expect(reports.environmentOf("c")).toBeUndefined();
  });

  it("tell which Inits failed before an environment's first call, and no text of a later one", () => {
    const init = (status: string) => `INIT_REPORT Init Duration: 9.50 ms\tPhase: init\t${status}`;
    const failed = init("Status: error\tError Type: Runtime.ExitError");
    const reports = new ReportsByStream();
    for (const message of [failed, failed, report("a"), init("Status: timeout"), report("b")]) {
      reports.add({ message, logStreamName: "s" });
    }
    for (const message of [init("").trimEnd(), report("c")]) {
      reports.add({ message, logStreamName: "t" });
    }
    const inits = ["a", "b", "c"].map((id) => reports.environmentOf(id)?.failedInits);
    const own = [{ status: "error", durationMs: 9.5, errorType: "Runtime.ExitError" }];
    expect(inits).toEqual([own, undefined, undefined]);
  });

  it("of one invocation in two streams tell of no environment: not both are Lambda's", () => {
    const reports = new ReportsByStream();
    for (const logStreamName of ["s", "t", "s"])
      reports.add({ message: report("a"), logStreamName });
    expect(reports.environmentOf("a")).toBeUndefined();
  });
});
