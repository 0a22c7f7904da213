import { expect, it } from "vitest";
import type { Progress } from "../../bin/progress.ts";
import { measure } from "../../bin/run/measure-locally.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { DiskResultStore, earlierTrials } from "../../lib/local/disk-result-store.ts";
import { withInstrumentedPart } from "../../lib/plan/expand.ts";
import { FakeTarget } from "../support/fake-target.ts";
import { smallPlan } from "../support/small-plan.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const directory = folderPerTest();

const timed = smallPlan({ variants: ["rust"], warm: 0 });
const counted = withInstrumentedPart(timed);

/** Measures the plan on fakes, stopped after so many timed calls if given. */
async function measured(plan: Plan, stopAfter?: number) {
  const controller = new AbortController();
  const target = new FakeTarget((_, answer) => {
    if (target.events.length === stopAfter) controller.abort();
    return answer;
  });
  const instrumentedTarget = new FakeTarget();
  const store = new DiskResultStore(directory());
  const progress = { say: () => {}, show: () => {}, end: () => {} } as unknown as Progress;
  const { signal } = controller;
  const run = { plan, experiment: dynamodb, store, progress, signal };
  const earlier = await earlierTrials(store, plan);
  const { end } = await measure(run, { target, instrumentedTarget }, earlier, {
    endBlock: () => {},
  });
  return { end, calls: instrumentedTarget.calls.length };
}

it("counts instructions once every timed call has been made", async () => {
  const { end, calls } = await measured(counted);
  expect(end).toBe("complete");
  expect(calls).toBeGreaterThan(0);
});

it("counts no instructions of a run that did not come to its end", async () => {
  expect(await measured(counted, 3)).toEqual({ end: "interrupted", calls: 0 });
});

it("counts no instructions where the plan has no trials for it", async () => {
  expect(await measured(timed)).toEqual({ end: "complete", calls: 0 });
});
