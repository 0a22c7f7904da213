import { describe, expect, it } from "vitest";
import type { TrialEnd, TrialOptions } from "../../lib/sampler/sample-trial.ts";
import { type TrialProgress, trialStart } from "../../lib/sampler/trial-sample.ts";
import { FakeTarget } from "../support/fake-target.ts";
import { smallPlan } from "../support/small-plan.ts";
import { TrialParts } from "./trial-parts.ts";

const plan = smallPlan({ variants: ["python"], cold: 1, warm: 5 });
const cellId = "python-arm64-128";

class Trial extends TrialParts {
  constructor(target?: FakeTarget) {
    super(plan, target);
  }

  /** Returns every one, so that none is recorded twice unseen. */
  override get samples() {
    return this.recorded;
  }

  /** One driver's part of the trial. */
  override async part(options: TrialOptions): Promise<TrialEnd> {
    return await super.part(options, new Set());
  }

  /** Drivers that each make so many calls, until the trial has ended. */
  async inPartsOf(calls: number): Promise<void> {
    let from: TrialProgress | undefined;
    for (;;) {
      const end = await this.part({ mayGoOn: callsLeft(calls), ...(from && { from }) });
      if (end.state === "ended") return;
      from = JSON.parse(JSON.stringify(end.progress)) as TrialProgress;
    }
  }
}

/** The first question is asked before the environment is forced cold, or a trial is gone on with. */
function callsLeft(calls: number): () => Promise<boolean> {
  let asked = -1;
  return async () => {
    asked += 1;
    return asked <= calls;
  };
}

describe("a trial that drivers hand on", () => {
  it("makes the calls of a trial in one go, with one cold start", async () => {
    const whole = new Trial();
    await whole.part({});
    for (const calls of [1, 2, 5]) {
      const parts = new Trial();
      await parts.inPartsOf(calls);
      expect(parts.target.calls).toEqual(whole.target.calls);
      expect(parts.samples).toEqual(whole.samples);
      expect(parts.failures).toEqual([]);
    }
  });

  it("says where it stopped and in which environment", async () => {
    const end = await new Trial().part({ mayGoOn: callsLeft(3) });
    expect(end).toEqual({
      state: "stopped",
      progress: {
        sequence: 3,
        bootId: `${cellId}-boot-number-1`,
        nextInvocation: 3,
        errorsInARow: 0,
        otherBootsInARow: 0,
      },
    });
  });

  it("touches nothing when it may not begin", async () => {
    const trial = new Trial();
    const end = await trial.part({ mayGoOn: async () => false });
    expect(end).toMatchObject({ state: "stopped", progress: { sequence: 0 } });
    expect(trial.target.calls).toEqual([]);
  });

  it("makes no call when it is stopped while the environment is forced cold, and begins anew", async () => {
    const trial = new Trial();
    const end = await trial.part({ mayGoOn: callsLeft(0) });
    expect(end).toEqual({ state: "stopped", progress: trialStart });
    expect(trial.target.calls).toEqual([`forceCold ${cellId}`]);
  });

  it("fails where the environment is another one by then, and keeps the calls that showed it", async () => {
    const target = new FakeTarget(({ invocation }, answer) => {
      if (invocation < 3) return answer;
      return { ...answer, payload: { ...(answer.payload as object), bootId: "another-boot-id-0" } };
    });
    const trial = new Trial(target);
    await trial.inPartsOf(3);
    expect(trial.reasons).toEqual([
      ...[undefined, undefined, "warm-up"],
      ...["boot-id-changed", "boot-id-changed", "boot-id-changed"],
    ]);
    expect(trial.failures).toMatchObject([{ cellId, type: "boot-id-changed" }]);
  });

  it("fails after three errors in a row, whoever made them", async () => {
    const target = new FakeTarget(({ invocation }, { payload: _, ...answer }) =>
      invocation < 3
        ? { ...answer, payload: _ }
        : { ...answer, error: { type: "Throttled", message: "slow down" } },
    );
    const trial = new Trial(target);
    await trial.inPartsOf(1);
    expect(trial.samples).toHaveLength(6);
    expect(trial.failures).toMatchObject([{ message: "3 errors in a row: slow down" }]);
  });
});

describe("an environment that someone else invokes too", () => {
  /** Answers with a count that is so many ahead from an invocation on. */
  function countAhead(from: number, by: number): FakeTarget {
    return new FakeTarget(({ invocation }, answer) => {
      const counted = invocation < from ? invocation : invocation + by;
      return { ...answer, payload: { ...(answer.payload as object), invocation: counted } };
    });
  }

  it("between cold and second gives no second sample: it would be the third call", async () => {
    const trial = new Trial(countAhead(1, 1));
    await trial.part({});
    expect(trial.reasons.slice(0, 3)).toEqual([undefined, "invoked-meanwhile", "warm-up"]);
    expect(trial.samples[1]?.rejected?.detail).toBe("invocation 2, expected 1");
    expect(trial.failures).toEqual([]);
  });

  it("before cold gives no second sample either", async () => {
    const trial = new Trial(
      new FakeTarget(({ invocation }, answer) => {
        const count = { invocation: invocation + 1, coldStart: false };
        return { ...answer, payload: { ...(answer.payload as object), ...count } };
      }),
    );
    await trial.part({});
    expect(trial.reasons.slice(0, 4)).toEqual([
      ...["boot-id-reused", "boot-id-reused", "invoked-meanwhile", "warm-up"],
    ]);
  });

  it("between warm calls costs the next one and no other", async () => {
    const trial = new Trial(countAhead(5, 2));
    await trial.part({});
    expect(trial.reasons.slice(4, 8)).toEqual([
      ...["warm-up", "invoked-meanwhile", undefined],
      "warm-up",
    ]);
  });

  it("is not suspected because of a call that failed before it was counted", async () => {
    const trial = new Trial(
      new FakeTarget(({ invocation }, answer) => {
        const { payload, ...rest } = answer;
        if (invocation === 4) return { ...rest, error: { type: "Throttled", message: "no" } };
        const counted = invocation < 4 ? invocation : invocation - 1;
        return { ...rest, payload: { ...(payload as object), invocation: counted } };
      }),
    );
    await trial.part({});
    expect(trial.reasons).not.toContain("invoked-meanwhile");
  });
});
