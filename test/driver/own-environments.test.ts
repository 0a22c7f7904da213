import { describe, expect, it } from "vitest";
import { measure } from "../../lambdas/driver/measure.ts";
import { TrialHandedOver } from "../../lambdas/driver/trial-handed-over.ts";
import type { CellFailure, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import type { MeasureRequest } from "../../lib/run/messages.ts";
import { type FakeAws, fakePorts } from "../support/fake-aws/driver-ports.ts";
import { FakeLambda, type FakeLambdaOptions } from "../support/fake-aws/fake-lambda.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import { ownPlan } from "../support/own-plan.ts";
import { executionArn, stored } from "../support/state-machine.ts";

const plan: Plan = { ...ownPlan({ target: "aws", warm: 8 }), callSpacingMs: 100 };
const [cell] = plan.cells;
const cellId = cell?.id ?? "";
const functionName = "own-function";
const execution = executionArn(1);
const wholeTrialMs = 900_000;
const calls = 6;

/** A user's function on AWS: it answers what it likes, and nothing of its process. */
function portsWith(options: FakeLambdaOptions = {}): FakeAws {
  const lambda = new FakeLambda(
    { [functionName]: { STAGE: "test" } },
    {
      ...options,
      onInvoke: (call, answer) => {
        const own = { ...answer, payload: { ok: true } };
        return options.onInvoke?.(call, own) ?? own;
      },
    },
  );
  const ports = fakePorts(lambda);
  const at = `runs/${plan.runId}`;
  ports.fakeS3.objects.set(`${at}/plan.json`, JSON.stringify(plan));
  const holder = { execution, runId: plan.runId, since: plan.createdAt };
  ports.fakeS3.objects.set("lock.json", JSON.stringify(holder));
  ports.fakeStepFunctions.executions.set(execution, "RUNNING");
  return ports;
}

const request = (block: number): MeasureRequest => ({
  ...{ cellId, functionName, block, folder: plan.runId, execution },
});

/** Two trials, each by a driver of its own. */
async function measured(options: FakeLambdaOptions = {}, before = (_: FakeAws) => {}) {
  const ports = portsWith(options);
  before(ports);
  for (const block of [0, 1]) await measure(request(block), ports, wholeTrialMs);
  return { ports, samples: stored<Sample>(ports, "samples") };
}

const reasons = (samples: readonly Sample[]) => samples.map(({ rejected }) => rejected?.reason);
const warmUps = Array<string>(3).fill("warm-up");
const sound = [undefined, undefined, ...warmUps, undefined];

describe("a trial of a user's function on AWS", () => {
  it("is proved by Init and by a log stream of its own, which every sample names", async () => {
    const { ports, samples } = await measured();
    expect(reasons(samples)).toEqual([...sound, ...sound]);
    const streams = samples.map(({ environmentId = "" }) => environmentId);
    expect(new Set(streams.slice(0, calls)).size).toBe(1);
    expect(new Set(streams.slice(calls)).size).toBe(1);
    expect(new Set(streams).size).toBe(2);
    for (const stream of streams) {
      expect(stream).toMatch(/^2026\/01\/01\/own-function\[\$LATEST\]\[[0-9a-f]{32}\]$/);
    }
    expect(ports.fakeLambda.logs.looks).toHaveLength(2);
    for (const sample of samples) {
      expect(contractProblem("sample", sample)).toBeUndefined();
      expect(sample).not.toHaveProperty("result");
    }
  });

  it("is found in a log that arrives later, and makes no call more for it", async () => {
    const { ports, samples } = await measured({ looksBehind: 1 });
    expect(samples.every(({ environmentId }) => environmentId !== undefined)).toBe(true);
    expect(ports.fakeLambda.logs.looks).toHaveLength(4);
    const invoked = ports.fakeLambda.requests.filter((made) => made.startsWith("Invoke"));
    expect(invoked).toHaveLength(2 * calls);
  });

  it.each([
    [
      "may not be read",
      { onLook: () => jsonError(400, "AccessDeniedException", "no") },
      "the log could not be read: AccessDeniedException: no",
    ],
    ["arrives too late", { looksBehind: 100 }, "not in logs-of-the-experiment at 2 looks"],
  ])("is proved by Init alone where the log %s, and says so", async (_, options, reason) => {
    const { ports, samples } = await measured(options);
    expect(reasons(samples)).toEqual([...sound, ...sound]);
    expect(new Set(samples.map(({ environmentUnknown }) => environmentUnknown))).toEqual(
      new Set([reason]),
    );
    expect(samples.some((sample) => "environmentId" in sample)).toBe(false);
    expect(stored<CellFailure>(ports, "failures")).toEqual([]);
  });

  it("is rejected as cold where somebody else's call came first, with the second call's sample", async () => {
    let lambda: FakeLambda | undefined;
    const { samples } = await measured(
      {
        // The last look at the function before its cold call.
        onGet: () => {
          const { updates, invocations } = lambda?.functions.get(functionName) ?? {};
          if (updates === 1 && invocations === 0) lambda?.calledByAnother(functionName);
          return undefined;
        },
      },
      ({ fakeLambda }) => {
        lambda = fakeLambda;
      },
    );
    expect(reasons(samples.slice(0, calls))).toEqual([
      "boot-id-reused",
      "invoked-meanwhile",
      ...sound.slice(2),
    ]);
    expect(reasons(samples.slice(calls))).toEqual(sound);
  });

  it.each(["plain text", ""])(
    "whose function answers the text %j is held against the expected answer, as any is",
    async (payload) => {
      const { samples } = await measured({ onInvoke: (_, answer) => ({ ...answer, payload }) });
      expect(new Set(reasons(samples))).toEqual(new Set(["result-wrong"]));
      expect(samples[0]).toHaveProperty("environmentId");
    },
  );

  it("whose tails lost their REPORTs has those and the streams from the same looks", async () => {
    const { ports, samples } = await measured({
      onInvoke: (_, answer) => ({ ...answer, log: "Duration: 9.00 ms\n".repeat(300) }),
    });
    expect(reasons(samples)).toEqual([...sound, ...sound]);
    for (const { flags, environmentId, phase } of samples) {
      // The fake's clock stands still: a cold call whose latency is below its Init looks initialised early.
      const early = phase === "cold" ? ["initialised-early"] : [];
      expect(flags).toEqual(["log-truncated", "telemetry-from-logs", ...early]);
      expect(environmentId).toBeDefined();
    }
    expect(ports.fakeLambda.logs.looks).toHaveLength(4);
  });
});

describe("a trial of a user's function that two drivers make", () => {
  /** Each call takes a minute; the first driver has time for so many. */
  async function inTwoParts(options: FakeLambdaOptions, between = (_: FakeAws) => {}) {
    const ports = portsWith({
      ...options,
      onInvoke: (_, answer) => {
        ports.clock.ms += 60_000;
        return answer;
      },
    });
    const [reservedMs, aCallMs] = [(plan.timeoutSeconds + 15) * 1000 + 20_000, 60_000];
    const handedOver = await measure(request(0), ports, reservedMs + 2.5 * aCallMs).catch(
      (error: unknown) => error,
    );
    if (!(handedOver instanceof TrialHandedOver)) throw handedOver;
    between(ports);
    const progress = JSON.parse(handedOver.message) as NonNullable<MeasureRequest["progress"]>;
    await measure({ ...request(0), progress }, ports, wholeTrialMs);
    return { ports, progress, samples: stored<Sample>(ports, "samples") };
  }

  it("is one environment to both", async () => {
    const { progress, samples } = await inTwoParts({});
    expect(progress).toMatchObject({ sequence: 3, nextInvocation: 3 });
    expect(reasons(samples)).toEqual(sound);
    expect(new Set(samples.map(({ environmentId }) => environmentId))).toEqual(
      new Set([progress.bootId]),
    );
  });

  it("leaves the first one's samples to Init alone where the log was not there yet", async () => {
    const { progress, samples } = await inTwoParts({ looksBehind: 1 });
    expect(progress).not.toHaveProperty("bootId");
    expect(progress.coldCall?.requestId).toBe(samples[0]?.requestId);
    expect(samples.map((sample) => "environmentId" in sample)).toEqual([
      ...[false, false, false, true, true, true],
    ]);
    expect(reasons(samples)).toEqual(sound);
  });

  it("loses the calls of another environment, and the one after somebody else's call", async () => {
    const replaced = await inTwoParts({ looksBehind: 1 }, ({ fakeLambda }) => {
      const found = fakeLambda.functions.get(functionName);
      if (found !== undefined) found.boot += 1;
    });
    expect(reasons(replaced.samples).slice(3)).toEqual(Array<string>(3).fill("boot-id-changed"));
    const shared = await inTwoParts({}, ({ fakeLambda }) =>
      fakeLambda.calledByAnother(functionName),
    );
    expect(reasons(shared.samples).slice(3)).toEqual(["invoked-meanwhile", "warm-up", undefined]);
  });
});
