import { describe, expect, it } from "vitest";
import { judgedSamples } from "../../lib/analysis/sound-trials.ts";
import type { CellFailure, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { wrongAnswer } from "../../lib/sampler/expected-answer.ts";
import { runPlan } from "../../lib/sampler/run-plan.ts";
import type { Invocation } from "../../lib/sampler/target.ts";
import { FakeTarget, type Script } from "../support/fake-target.ts";
import { ownEvent, ownPlan } from "../support/own-plan.ts";

const plan = ownPlan();

/** As a target that knows its environments answers for a function that says nothing of its process. */
const known: Script = ({ boot, invocation }, answer) => ({
  ...answer,
  payload: { ok: true },
  environment: { id: `environment-${boot}`, invocation },
});

async function run(script: Script, of: Plan = plan) {
  const samples: Sample[] = [];
  const failures: CellFailure[] = [];
  const target = new FakeTarget(script);
  await runPlan(of, target, {
    sample: async (sample) => void samples.push(sample),
    failure: async (failure) => void failures.push(failure),
  });
  return { samples, failures, target };
}

const reasons = (samples: readonly Sample[]) =>
  samples.map(({ rejected }) => rejected?.reason).filter((reason) => reason !== "warm-up");

describe("a user's function", () => {
  it("is called with its event as it is, and asked for no field of Kelvin's", async () => {
    const { samples, failures, target } = await run(known);
    expect(failures).toEqual([]);
    expect(target.events.every((sent) => (sent as unknown) === ownEvent)).toBe(true);
    expect(reasons(samples).every((reason) => reason === undefined)).toBe(true);
    for (const sample of samples) expect(contractProblem("sample", sample)).toBeUndefined();
  });

  it("has its environment recorded, and not what it answered", async () => {
    const { samples } = await run(known);
    expect(new Set(samples.map(({ environmentId }) => environmentId))).toEqual(
      new Set(["environment-1", "environment-2"]),
    );
    expect(samples.some((sample) => "result" in sample)).toBe(false);
  });

  it("is rejected, with its samples kept, where it answers something else than is expected", async () => {
    const { samples } = await run((call, answer) => ({
      ...known(call, answer),
      payload: { ok: call.invocation !== 1 },
    }));
    const wrong = samples.filter(({ phase }) => phase === "second");
    expect(wrong.map(({ rejected }) => rejected)).toEqual(
      wrong.map(() => ({ reason: "result-wrong", detail: "ok: found false; expected true" })),
    );
    expect(wrong).toHaveLength(2);
  });

  it("is rejected where its report was refused, with the reason", async () => {
    const { samples } = await run((call, answer) => {
      const { telemetry: _, ...refused } = known(call, answer);
      return call.invocation === 1 ? { ...refused, telemetryRefused: "two" } : known(call, answer);
    });
    expect(samples[1]?.rejected).toEqual({ reason: "telemetry-missing", detail: "two" });
  });

  it("counts as cold in no environment that was called before, and as warm in no other one", async () => {
    const used = await run((call, answer) => ({
      ...known(call, answer),
      environment: { id: "always the same", invocation: call.invocation },
    }));
    expect(
      used.samples.filter(({ rejected }) => rejected?.reason === "boot-id-reused"),
    ).not.toEqual([]);
    const other = await run((call, answer) => ({
      ...known(call, answer),
      ...(call.invocation === 2 && { environment: { id: "another", invocation: 0 } }),
    }));
    expect(
      other.samples.filter(({ rejected }) => rejected?.reason === "boot-id-changed"),
    ).toHaveLength(2);
  });

  it("counts by Init alone where the target tells no environments apart", async () => {
    const { samples } = await run((call, answer) => {
      const { environment: _, ...rest } = known(call, answer);
      const { initDurationMs: __, ...telemetry } = rest.telemetry ?? { durationMs: 1 };
      return call.boot === 1 ? rest : { ...rest, telemetry };
    });
    const cold = samples.filter(({ phase }) => phase === "cold");
    expect(cold.map(({ rejected }) => rejected?.reason)).toEqual([undefined, "init-missing"]);
    expect(samples.some(({ environmentId }) => environmentId !== undefined)).toBe(false);
  });

  it("is rejected where its Init had failed and ran again within the call, whatever the phase", async () => {
    const failedInits = [{ status: "timeout" as const, durationMs: 10_000 }];
    const { samples, failures } = await run((call, answer) => {
      const { initDurationMs: _, ...telemetry } = answer.telemetry ?? { durationMs: 1 };
      const isRepeated = call.invocation === 0 || call.invocation === 2;
      return { ...known(call, answer), ...(isRepeated && { telemetry, failedInits }) };
    });
    const repeated = samples.filter((sample) => sample.failedInits !== undefined);
    expect(repeated.map(({ phase, rejected }) => `${phase} ${rejected?.reason}`)).toEqual(
      [0, 1].flatMap(() => ["cold init-repeated", "warm init-repeated"]),
    );
    expect(reasons(samples).filter(Boolean)).toHaveLength(4);
    for (const sample of samples) expect(contractProblem("sample", sample)).toBeUndefined();
    expect(failures).toEqual([]);
  });

  it("ends a trial whose cold call failed, and says why", async () => {
    const failed: Script = (call, answer): Invocation => {
      const { payload: _, ...rest } = known(call, answer);
      return { ...rest, error: { type: "Runtime.ExitError", message: "signal: killed" } };
    };
    const { failures } = await run(failed);
    expect(failures).toMatchObject([
      { type: "Runtime.ExitError", message: "the cold invocation failed: signal: killed" },
      {},
    ]);
  });

  it("is told from another by its environment when samples are read again", async () => {
    const { samples } = await run(known);
    const mixed = samples.map((sample) =>
      sample.block === 1 && sample.phase === "warm"
        ? { ...sample, environmentId: "environment-1" }
        : sample,
    );
    const found: (string | undefined)[] = [];
    for await (const { contradiction } of judgedSamples(plan, each(mixed)))
      found.push(contradiction);
    expect(new Set(found)).toEqual(new Set([undefined, "two-boot-ids"]));
  });
});

async function* each(samples: readonly Sample[]): AsyncGenerator<Sample> {
  yield* samples;
}

it.each([
  [{ statusCode: 200, body: "x" }, { statusCode: 200 }, undefined],
  [{ statusCode: 500 }, { statusCode: 200 }, "statusCode: found 500; expected 200"],
  ["text", { statusCode: 200 }, "statusCode: found nothing; expected 200"],
  [{ a: { b: 1, c: 2 } }, { subset: { a: { b: 1 } } }, undefined],
  [{ a: { b: 1 } }, { subset: { a: { b: 2 } } }, "a.b: found 1; expected 2"],
  [{ body: '{"n":3,"m":1}' }, { subset: { body: { n: 3 } } }, undefined],
  [{ body: '{"n":4}' }, { subset: { body: { n: 3 } } }, "body.n: found 4; expected 3"],
  [{ list: [{ a: 1 }] }, { subset: { list: [{ a: 1 }] } }, undefined],
  [{ list: [{ a: 1 }, 2] }, { subset: { list: [{ a: 1 }] } }, "list: found"],
  [{ list: [1] }, { subset: { list: [{ a: 1 }] } }, "list: found"],
  [{ list: [{ a: 1, b: 2 }] }, { subset: { list: [{ a: 1 }] } }, "list: found"],
  [{ list: [{ b: 1 }] }, { subset: { list: [{ a: 1 }] } }, "list: found"],
  [{ list: [{ b: 2, a: 1 }] }, { subset: { list: [{ a: 1, b: 2 }] } }, undefined],
  [{ list: "1" }, { subset: { list: ["1"] } }, "list: found"],
  [{ a: 1, b: 2 }, { subset: { a: 1, b: 3 } }, "b: found 2; expected 3"],
  [{ a: 1 }, { subset: { a: 1, b: 3 } }, "b: found nothing; expected 3"],
  [{ statusCode: 200, a: 1 }, { statusCode: 200, subset: { a: 2 } }, "a: found 1; expected 2"],
  [{ other: '{"n":3}' }, { subset: { other: { n: 3 } } }, "other: found"],
  [null, { subset: null }, undefined],
  [7, { subset: 8 }, "the answer: found 7; expected 8"],
  ["x".repeat(300), { subset: 8 }, `the answer: found "${"x".repeat(199)}...; expected 8`],
])("what a right answer holds %j of %j", (answer, expected, problem) => {
  const found = wrongAnswer(answer, expected);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});
