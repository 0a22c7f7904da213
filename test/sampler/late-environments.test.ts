import { describe, expect, it } from "vitest";
import { judgedSamples } from "../../lib/analysis/sound-trials.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import type {
  AnsweredInvocation,
  CalledEnvironment,
  Invocation,
  LateEnvironments,
} from "../../lib/sampler/target.ts";
import type { TrialProgress } from "../../lib/sampler/trial-sample.ts";
import { FakeTarget, type Script } from "../support/fake-target.ts";
import { ownPlan } from "../support/own-plan.ts";
import { smallPlan } from "../support/small-plan.ts";
import { TrialParts } from "./trial-parts.ts";

const plan = ownPlan({ warm: 8 });
/** Warm calls of the trial, those discarded among them. */
const calls = 2 + 4;

/** What the log says of the call of this number, from 0; undefined: nothing. */
type Logged = (call: number) => CalledEnvironment | undefined;

const inOneStream: Logged = (call) => ({ id: "stream-1", invocation: call });

/** As AWS: no answer tells its environment, the log does after the trial. */
class LoggedTarget extends FakeTarget {
  readonly #logged: Logged;
  #called = 0;
  readonly #found = new Map<string, CalledEnvironment>();

  constructor(logged: Logged, script: Script = (_, answer) => answer) {
    super((call, answer) => script(call, { ...answer, payload: { ok: true } }));
    this.#logged = logged;
  }

  override async invoke(...call: Parameters<FakeTarget["invoke"]>): Promise<Invocation> {
    const invocation = await super.invoke(...call);
    const environment = this.#logged(this.#called);
    this.#called += 1;
    if (environment !== undefined) this.#found.set(invocation.requestId ?? "", environment);
    return invocation;
  }

  async lateEnvironments(
    _: unknown,
    invocations: readonly AnsweredInvocation[],
    mayWait: boolean,
  ): Promise<LateEnvironments> {
    const ids = invocations.map(({ requestId }) => requestId);
    this.calls.push(`streams of ${ids.join(" ")}${mayWait ? "" : ", at once"}`);
    const known = ids.flatMap((id) => {
      const environment = this.#found.get(id);
      return environment === undefined ? [] : [[id, environment] as const];
    });
    return { byRequestId: new Map(), environments: new Map(known) };
  }
}

async function trialOf(logged: Logged, script?: Script): Promise<TrialParts> {
  const trials = new TrialParts(plan, new LoggedTarget(logged, script));
  expect(await trials.part()).toEqual({ state: "ended" });
  return trials;
}

const sound = [undefined, undefined, ...Array<string>(3).fill("warm-up"), undefined];

describe("a user's function whose environments are known after the trial", () => {
  it("has each sample recorded at once by Init alone, and again with its environment", async () => {
    const { recorded, samples, reasons, failures, target } = await trialOf(inOneStream);
    expect(recorded.map(({ sequence }) => sequence)).toEqual(
      [0, 1].flatMap(() => [0, 1, 2, 3, 4, 5]),
    );
    expect(recorded.slice(0, calls).some((sample) => "environmentId" in sample)).toBe(false);
    expect(samples.every(({ environmentId }) => environmentId === "stream-1")).toBe(true);
    expect(reasons).toEqual(sound);
    expect(failures).toEqual([]);
    expect(target.calls.filter((call) => call.startsWith("streams"))).toEqual([
      "streams of request-1 request-2 request-3 request-4 request-5 request-6",
    ]);
    expect(target.calls.at(-1)).toMatch(/^streams/);
    for (const sample of samples) expect(contractProblem("sample", sample)).toBeUndefined();
  });

  it("keeps what it was judged by Init alone where no environment is to be had", async () => {
    const { recorded, reasons } = await trialOf(() => undefined);
    expect(recorded).toHaveLength(calls);
    expect(recorded.some((sample) => "environmentId" in sample)).toBe(false);
    expect(reasons).toEqual(sound);
  });

  it("says of those calls alone whose stream was not found that it is not known, and why", async () => {
    const missing = "the streams were not found";
    class Missing extends LoggedTarget {
      override async lateEnvironments(...asked: Parameters<LoggedTarget["lateEnvironments"]>) {
        return { ...(await super.lateEnvironments(...asked)), missing };
      }
    }
    const trials = new TrialParts(
      plan,
      new Missing((call) => (call === 3 ? undefined : inOneStream(call))),
    );
    await trials.part();
    expect(trials.samples.map(({ environmentUnknown }) => environmentUnknown)).toEqual(
      [0, 1, 2, 3, 4, 5].map((call) => (call === 3 ? missing : undefined)),
    );
  });

  it("is recorded again with telemetry that came with the log, though no stream did", async () => {
    const late = { durationMs: 7 };
    class Telemetry extends LoggedTarget {
      override async lateEnvironments(...asked: Parameters<LoggedTarget["lateEnvironments"]>) {
        const found = await super.lateEnvironments(...asked);
        return { ...found, byRequestId: new Map([["request-2", late]]) };
      }
    }
    const trials = new TrialParts(
      plan,
      new Telemetry(
        () => undefined,
        ({ invocation }, { telemetry, ...answer }) =>
          invocation === 1
            ? { ...answer, telemetryAwaited: true }
            : { ...answer, ...(telemetry && { telemetry }) },
      ),
    );
    await trials.part();
    expect(trials.recorded.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5, 1]);
    expect(trials.samples[1]?.telemetry).toEqual(late);
  });

  it("is rejected as cold where its stream has had calls before, and so is the call after it", async () => {
    const { reasons, samples } = await trialOf((call) => ({ id: "used", invocation: call + 2 }));
    expect(reasons).toEqual(["boot-id-reused", "invoked-meanwhile", ...sound.slice(2)]);
    expect(samples[0]?.rejected?.detail).toBe("used, invocation 2");
  });

  it("is rejected as cold in a stream that an earlier trial had", async () => {
    const trials = new TrialParts(plan, new LoggedTarget((call) => inOneStream(call % calls)));
    await trials.part();
    expect(trials.reasons[0]).toBeUndefined();
    await trials.part();
    expect(trials.reasons[0]).toBe("boot-id-reused");
  });

  it("is rejected as cold without Init, and as second with it, whatever its stream says", async () => {
    const { reasons } = await trialOf(inOneStream, ({ invocation }, { telemetry, ...answer }) => {
      const { initDurationMs = 100, ...rest } = telemetry ?? { durationMs: 1 };
      if (invocation > 1) return { ...answer, telemetry: rest };
      return { ...answer, telemetry: invocation === 0 ? rest : { ...rest, initDurationMs } };
    });
    expect(reasons).toEqual(["init-missing", "init-unexpected", ...sound.slice(2)]);
  });

  it("is rejected as repeated where the stream shows that its Init had failed", async () => {
    const failedInits = [{ status: "error" as const, durationMs: 200 }];
    const { reasons } = await trialOf(
      (call) => ({ id: "stream-1", invocation: call, ...(call === 0 && { failedInits }) }),
      (_, { telemetry, ...answer }) => {
        const { initDurationMs: __, ...rest } = telemetry ?? { durationMs: 1 };
        return { ...answer, telemetry: rest };
      },
    );
    expect(reasons).toEqual(["init-repeated", ...sound.slice(1)]);
  });

  it("is rejected as warm in another stream", async () => {
    const { reasons } = await trialOf((call) =>
      call === 5 ? { id: "another", invocation: 0 } : inOneStream(call),
    );
    expect(reasons).toEqual([...sound.slice(0, 5), "boot-id-changed"]);
  });

  it("loses the one call after somebody else's, and no other", async () => {
    const { reasons } = await trialOf((call) => ({
      id: "stream-1",
      invocation: call < 2 ? call : call + 3,
    }));
    expect(reasons).toEqual([undefined, undefined, "invoked-meanwhile", ...sound.slice(3)]);
  });

  it("is judged by Init alone for those calls whose stream is not known, and by it for the others", async () => {
    const withoutSecond = await trialOf((call) => (call === 1 ? undefined : inOneStream(call)));
    expect(withoutSecond.reasons).toEqual(sound);
    expect(withoutSecond.samples.map((sample) => "environmentId" in sample)).toEqual([
      ...[true, false, true, true, true, true],
    ]);
    const withoutCold = await trialOf((call) =>
      call === 0 ? undefined : call === 5 ? { id: "other", invocation: 0 } : inOneStream(call),
    );
    expect(withoutCold.reasons).toEqual([...sound.slice(0, 5), "boot-id-changed"]);
  });

  it("is rejected for its answer as before, which is not kept until then", async () => {
    const { reasons } = await trialOf(inOneStream, ({ invocation }, answer) => ({
      ...answer,
      payload: { ok: invocation !== 1 },
    }));
    expect(reasons).toEqual([undefined, "result-wrong", ...sound.slice(2)]);
  });

  it("has its environment where it failed, too, and is not asked about where Lambda refused the call", async () => {
    const error = { type: "Unhandled", message: "no" };
    const { samples, target } = await trialOf(inOneStream, ({ invocation }, answer) => {
      const { payload: _, telemetry, ...rest } = answer;
      if (invocation === 3) return { ...rest, ...(telemetry && { telemetry }), error };
      return invocation === 4 ? { ...rest, error } : answer;
    });
    expect(samples[3]).toMatchObject({ error, environmentId: "stream-1" });
    expect(samples[4]).not.toHaveProperty("environmentId");
    expect(samples[5]?.rejected).toBeUndefined();
    expect(target.calls.at(-1)).not.toContain("request-5");
  });

  it("is looked up for the calls that were made before a failure ended the trial", async () => {
    const { samples, failures } = await trialOf(inOneStream, (_, { payload: __, ...answer }) => ({
      ...answer,
      error: { type: "Runtime.ExitError", message: "signal: killed" },
    }));
    expect(failures).toMatchObject([{ type: "Runtime.ExitError" }]);
    expect(samples).toMatchObject([{ environmentId: "stream-1", rejected: { reason: "error" } }]);
  });
});

it("the streams of a Kelvin function are not looked for: its answers tell its environment", async () => {
  const kelvins = smallPlan({ variants: ["python"], cold: 1 });
  const target = new LoggedTarget(inOneStream, (_, answer) => answer);
  expect(await new TrialParts(kelvins, target).part()).toEqual({ state: "ended" });
  expect(target.calls.some((call) => call.startsWith("streams"))).toBe(false);
});

describe("such a trial in two drivers' hands", () => {
  /** The first driver makes so many calls, with what it knows then; the second one the rest. */
  async function handedOver(logged: Logged, first: number) {
    const trials = new TrialParts(plan, new LoggedTarget(logged));
    let asked = -1;
    const mayGoOn = async () => ++asked <= first;
    const end = await trials.part({ mayGoOn });
    if (end.state === "ended") throw new Error("not handed over");
    const from = JSON.parse(JSON.stringify(end.progress)) as TrialProgress;
    expect(await trials.part({ from }, new Set())).toEqual({ state: "ended" });
    return { trials, from };
  }

  it("is judged as one of a single driver is", async () => {
    for (const first of [1, 2, 4]) {
      const { trials, from } = await handedOver(inOneStream, first);
      expect(trials.reasons).toEqual(sound);
      expect(trials.samples.every(({ environmentId }) => environmentId === "stream-1")).toBe(true);
      expect(from).toMatchObject({ bootId: "stream-1", nextInvocation: first });
      expect(trials.failures).toEqual([]);
    }
  });

  it("knows of somebody else's calls in the first one's time, which cost no call of the second one", async () => {
    const { trials, from } = await handedOver(
      (call) => ({ id: "stream-1", invocation: call < 2 ? call : call + 2 }),
      3,
    );
    expect(from.nextInvocation).toBe(5);
    expect(trials.reasons).toEqual([undefined, undefined, "invoked-meanwhile", ...sound.slice(3)]);
  });

  it("is looked up once at the hand-over, and the cold call again at the end", async () => {
    const { trials } = await handedOver(inOneStream, 2);
    expect(trials.target.calls.filter((call) => call.startsWith("streams"))).toEqual([
      "streams of request-1 request-2, at once",
      "streams of request-1 request-3 request-4 request-5 request-6",
    ]);
  });

  it("finds its cold call's stream at the end where the log came too late for the first two", async () => {
    let drivers = 0;
    class SlowLog extends LoggedTarget {
      override async lateEnvironments(...asked: Parameters<LoggedTarget["lateEnvironments"]>) {
        const late = await super.lateEnvironments(...asked);
        return drivers === 3 ? late : { ...late, environments: new Map() };
      }
    }
    const trials = new TrialParts(
      plan,
      new SlowLog((call) => (call < 3 ? inOneStream(call) : { id: "other", invocation: call })),
    );
    let from: TrialProgress | undefined;
    for (const most of [3, 0, 9]) {
      drivers += 1;
      let asked = -1;
      const end = await trials.part({
        mayGoOn: async () => ++asked <= most,
        ...(from && { from }),
      });
      if (end.state === "ended") break;
      expect(end.progress).not.toHaveProperty("bootId");
      expect(end.progress.coldCall).toMatchObject({ requestId: "request-1" });
      from = JSON.parse(JSON.stringify(end.progress)) as TrialProgress;
    }
    expect(drivers).toBe(3);
    expect(trials.samples.slice(0, 4).some((sample) => "environmentId" in sample)).toBe(false);
    expect(trials.reasons.slice(4)).toEqual(Array<string>(2).fill("boot-id-changed"));
  });
});

it("a stream in two trials of a run is found when the samples are read: each trial of a run on AWS has a driver that knows no other", async () => {
  const { samples } = await trialOf(inOneStream);
  const again = samples.map((sample) => ({ ...sample, block: 1 }));
  const found: (string | undefined)[] = [];
  for await (const { contradiction } of judgedSamples(plan, each([...samples, ...again])))
    found.push(contradiction);
  expect(found).toEqual([
    ...Array<undefined>(calls).fill(undefined),
    ...Array<string>(calls).fill("boot-id-of-another"),
  ]);
});

async function* each(samples: readonly Sample[]): AsyncGenerator<Sample> {
  yield* samples;
}
