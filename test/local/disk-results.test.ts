import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";
import { DiskRecorder } from "../../lib/local/disk-recorder.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { earlierVisits } from "../../lib/local/earlier-visits.ts";
import { storedFailures, storedSamples } from "../../lib/protocol/result-store.ts";
import { runPlan } from "../../lib/protocol/run-plan.ts";
import { FakeTarget } from "../support/fake-target.ts";
import { smallPlan } from "../support/small-plan.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kelvin-results-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function all(store: DiskResultStore): Promise<Sample[]> {
  const samples: Sample[] = [];
  for await (const sample of storedSamples(store)) samples.push(sample);
  return samples;
}

describe("results on disk", () => {
  it("read back every sample as it was recorded, one file a visit", async () => {
    const store = new DiskResultStore(directory);
    const recorded: Sample[] = [];
    const recorder = new DiskRecorder(store, (sample) => void recorded.push(sample));
    await runPlan(smallPlan(), new FakeTarget(), recorder);
    const read = await all(store);
    expect(read).toHaveLength(recorded.length);
    expect(new Set(read.map((sample) => JSON.stringify(sample)))).toEqual(
      new Set(recorded.map((sample) => JSON.stringify(sample))),
    );
    expect(await store.list("samples")).toContain("samples/rust-arm64-128/0001.jsonl");
  });

  it("are none, and no error, before a run", async () => {
    const store = new DiskResultStore(join(directory, "nothing"));
    expect(await all(store)).toEqual([]);
    expect(await storedFailures(store)).toEqual([]);
    expect(await store.readText("plan.json")).toBeUndefined();
  });

  it("let an interrupted run go on: nothing done twice, nothing lost", async () => {
    const plan = smallPlan();
    const store = new DiskResultStore(directory);
    const controller = new AbortController();
    let recorded = 0;
    const stopping = new DiskRecorder(store, () => {
      recorded += 1;
      if (recorded === 30) controller.abort();
    });
    await runPlan(plan, new FakeTarget(), stopping, { signal: controller.signal });
    const before = await all(store);
    const earlier = await earlierVisits(store, plan);
    expect(earlier.recorded).toBe(30);
    await runPlan(plan, new FakeTarget(), new DiskRecorder(store), { earlier: earlier.of });
    const after = await all(store);
    const lines = new Set(after.map((sample) => JSON.stringify(sample)));
    expect(before.every((sample) => lines.has(JSON.stringify(sample)))).toBe(true);
    expect(after.filter((sample) => sample.attempt === undefined).length).toBeGreaterThan(30);
    const perVisit = 2 + 4 * plan.sizes.warmCalls;
    expect(after).toHaveLength(plannedSamples(plan) + (30 % perVisit));
  });
});
