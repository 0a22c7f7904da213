import { describe, expect, it } from "vitest";
import type { Telemetry } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import type { TrialOptions } from "../../lib/sampler/sample-trial.ts";
import type { AnsweredInvocation, Invocation, LateTelemetry } from "../../lib/sampler/target.ts";
import { FakeTarget, type Script } from "../support/fake-target.ts";
import { smallPlan } from "../support/small-plan.ts";
import { TrialParts } from "./trial-parts.ts";

const plan = smallPlan({ variants: ["python"], cold: 1, warm: 0 });
const chatty = smallPlan({ variants: ["python"], cold: 1, warm: 5 });
const cold: Telemetry = { durationMs: 40, initDurationMs: 90 };

/** An answer without telemetry, as the tail of a chatty function leaves it. */
function truncated({ telemetry: _, ...answer }: Invocation): Invocation {
  return { ...answer, logTruncated: true, telemetryAwaited: true };
}

/** A target whose telemetry may come late. */
class LateTarget extends FakeTarget {
  readonly #late: (requestId: string) => Telemetry | string | undefined;

  /** @param late a text: why it is refused. */
  constructor(script: Script, late: (requestId: string) => Telemetry | string | undefined) {
    super(script);
    this.#late = late;
  }

  async lateTelemetry(
    _: unknown,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateTelemetry> {
    const ids = invocations.map(({ requestId }) => requestId);
    this.calls.push(`late telemetry of ${ids.join(", ")}${mayWait ? "" : ", at once"}`);
    const byRequestId = new Map<string, Telemetry>();
    const refused = new Map<string, string>();
    for (const id of ids) {
      const late = this.#late(id);
      if (typeof late === "string") refused.set(id, late);
      else if (late !== undefined) byRequestId.set(id, late);
    }
    const found = { byRequestId, refused };
    const isWhole = byRequestId.size + refused.size === ids.length;
    return isWhole ? found : { ...found, missing: "not in the log" };
  }
}

async function trial(target: FakeTarget, options: TrialOptions = {}, trialed = plan) {
  const parts = new TrialParts(trialed, target);
  const end = await parts.part(options);
  const { samples, failures } = parts;
  const recorded = parts.recorded.map(({ sequence }) => sequence);
  return { samples, recorded, failures, end, calls: target.calls };
}

describe("telemetry that comes late", () => {
  it("is asked for after the trial's last call, never between two", async () => {
    const target = new LateTarget(
      (_, answer) => truncated(answer),
      () => cold,
    );
    const { calls } = await trial(target, {}, chatty);
    expect(calls.slice(0, -1).some((call) => call.startsWith("late"))).toBe(false);
    expect(calls.at(-1)).toMatch(/^late telemetry of request-1, request-2, /);
  });

  it("takes the place of the sample that was recorded at once without it, and is flagged", async () => {
    const target = new LateTarget(
      ({ invocation }, answer) => (invocation === 0 ? truncated(answer) : answer),
      () => cold,
    );
    const { samples, recorded } = await trial(target);
    expect(recorded).toEqual([0, 1, 0]);
    expect(samples[0]).toMatchObject({
      phase: "cold",
      telemetry: cold,
      flags: ["log-truncated", "telemetry-from-logs"],
    });
    expect(samples[0]).not.toHaveProperty("rejected");
    expect(contractProblem("sample", samples[0])).toBeUndefined();
  });

  it("is verified as if it had come with the answer", async () => {
    const { initDurationMs: _, ...withoutInit } = cold;
    const target = new LateTarget(
      (_, answer) => truncated(answer),
      (id) => (id === "request-1" ? withoutInit : cold),
    );
    const { samples } = await trial(target);
    expect(samples.map((sample) => sample.rejected?.reason)).toEqual([
      "init-missing",
      "init-unexpected",
    ]);
  });

  it("leaves a discarded call discarded", async () => {
    const target = new LateTarget(
      ({ invocation }, answer) => (invocation === 2 ? truncated(answer) : answer),
      () => ({ durationMs: 4 }),
    );
    const { samples } = await trial(target, {}, chatty);
    expect(samples[2]).toMatchObject({ rejected: { reason: "warm-up" } });
  });

  it("that is refused leaves the sample rejected with its own reason, late or at once", async () => {
    const target = new LateTarget(
      ({ invocation }, { telemetry, ...answer }) =>
        invocation === 0
          ? { ...answer, telemetryRefused: "two at once" }
          : truncated({ ...answer, ...(telemetry !== undefined && { telemetry }) }),
      () => "two in the log",
    );
    const { samples } = await trial(target);
    expect(samples.map(({ rejected }) => rejected)).toEqual([
      { reason: "telemetry-missing", detail: "two at once" },
      { reason: "telemetry-missing", detail: "two in the log" },
    ]);
    expect(samples[0]).not.toHaveProperty("flags");
  });

  it("that never comes leaves the sample, rejected with the reason, and the trial ended", async () => {
    const target = new LateTarget(
      ({ invocation }, answer) => (invocation === 1 ? truncated(answer) : answer),
      () => undefined,
    );
    const { samples, end, failures } = await trial(target);
    expect(samples[1]).toMatchObject({
      rejected: { reason: "telemetry-missing", detail: "not in the log" },
      flags: ["log-truncated"],
      result: { invocation: 1 },
    });
    expect(samples[1]).not.toHaveProperty("telemetry");
    expect(end).toEqual({ state: "ended" });
    expect(failures).toEqual([]);
  });

  it("of a function that failed keeps its error and has what it was billed for", async () => {
    const error = { type: "Runtime.ExitError", message: "a long stack" };
    const target = new LateTarget(
      ({ invocation }, { payload: _, ...answer }) =>
        invocation === 0 ? { ...truncated(answer), error } : answer,
      () => cold,
    );
    const { samples, failures } = await trial(target);
    expect(samples).toMatchObject([{ error, telemetry: cold, rejected: { reason: "error" } }]);
    expect(failures).toMatchObject([{ type: "Runtime.ExitError" }]);
  });

  it("is looked for once, without a wait, where another driver goes on with the trial", async () => {
    const target = new LateTarget(
      (_, answer) => truncated(answer),
      () => cold,
    );
    let asked = 0;
    const { calls, end, samples } = await trial(target, { mayGoOn: async () => ++asked <= 2 });
    expect(calls.at(-1)).toBe("late telemetry of request-1, at once");
    expect(samples).toMatchObject([{ telemetry: cold }]);
    expect(end).toMatchObject({ state: "stopped", progress: { sequence: 1 } });
  });

  it("is not asked for where every answer had it", async () => {
    const target = new LateTarget(
      (_, answer) => answer,
      () => cold,
    );
    const { calls } = await trial(target);
    expect(calls).toHaveLength(3);
  });
});
