import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { DiskRecorder, DiskResultStore, earlierTrials } from "../../lib/local/disk-result-store.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { checksumsPath, computeChecksums, formatChecksums } from "../../lib/sampler/checksums.ts";
import { cutLines, storedFailures } from "../../lib/sampler/result-store.ts";
import { runPlan } from "../../lib/sampler/run-plan.ts";
import { FakeTarget } from "../support/fake-target.ts";
import { fakeSamples, samplesIn } from "../support/recorded-samples.ts";
import { smallPlan } from "../support/small-plan.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const directory = folderPerTest();

/** A sample as it is recorded, and the file of its trial. */
async function oneSample(): Promise<readonly [path: string, sample: Sample]> {
  const samples = await fakeSamples(smallPlan());
  const path = "samples/rust-arm64-128/0000.jsonl";
  const found = samples.find(({ cell, block }) => cell.id === "rust-arm64-128" && block === 0);
  return [path, found as Sample];
}

async function written(store: DiskResultStore, path: string): Promise<string> {
  await store.writeText(path, "");
  return directory(path);
}

describe("results on disk", () => {
  it("read back every sample as it was recorded, one file a trial", async () => {
    const store = new DiskResultStore(directory());
    const recorded: Sample[] = [];
    const recorder = new DiskRecorder(store, (sample) => void recorded.push(sample));
    await runPlan(smallPlan(), new FakeTarget(), recorder);
    const read = await samplesIn(store);
    expect(read).toHaveLength(recorded.length);
    expect(new Set(read.map((sample) => JSON.stringify(sample)))).toEqual(
      new Set(recorded.map((sample) => JSON.stringify(sample))),
    );
    expect(await store.list("samples")).toContain("samples/rust-arm64-128/0001.jsonl");
  });

  it("read back a text that holds the line separators of Unicode", async () => {
    const store = new DiskResultStore(directory());
    const error = { type: "Error", message: "one\u2028two\u2029three\rfour" };
    const [path, sample] = await oneSample();
    const failed = { ...sample, error };
    await store.writeText(path, `${JSON.stringify(failed)}\r\n`);
    expect(await samplesIn(store)).toEqual([failed]);
  });

  it("are refused by file, line and limit where a line is longer than any sample", async () => {
    const store = new DiskResultStore(directory());
    const [path, sample] = await oneSample();
    await store.writeText(path, `${JSON.stringify(sample)}\n${"x".repeat(2 ** 24 + 1)}\n{}`);
    await expect(samplesIn(store)).rejects.toThrow(
      'samples/rust-arm64-128/0000.jsonl line 2: found "a longer line"; allowed: at most 16777216 characters',
    );
  });

  it("are refused by file, size and limit where a file is larger than any of a run", async () => {
    const store = new DiskResultStore(directory());
    await store.writeText("samples/a/0000.jsonl", "");
    truncateSync(directory("samples/a/0000.jsonl"), 3 * 2 ** 30);
    truncateSync(await written(store, "plan.json"), 2 ** 28);
    const refused = 'found "3221225472 bytes"; allowed: at most 1073741824 bytes';
    await expect(samplesIn(store)).rejects.toThrow(`samples/a/0000.jsonl: ${refused}`);
    await expect(store.sha256("samples/a/0000.jsonl")).rejects.toThrow(refused);
    await expect(store.readText("plan.json")).rejects.toThrow("at most 134217728 bytes");
  });

  it("are none, and no error, before a run", async () => {
    const store = new DiskResultStore(directory("nothing"));
    expect(await samplesIn(store)).toEqual([]);
    expect(await storedFailures(store)).toEqual([]);
    expect(await store.readText("plan.json")).toBeUndefined();
  });

  it("let an interrupted run go on: nothing done twice, nothing lost", async () => {
    const plan = smallPlan();
    const store = new DiskResultStore(directory());
    const controller = new AbortController();
    let recorded = 0;
    const stopping = new DiskRecorder(store, () => {
      recorded += 1;
      if (recorded === 30) controller.abort();
    });
    await runPlan(plan, new FakeTarget(), stopping, { signal: controller.signal });
    const before = await samplesIn(store);
    const earlier = await earlierTrials(store, plan);
    expect(earlier.recorded).toBe(30);
    await runPlan(plan, new FakeTarget(), new DiskRecorder(store), { earlier: earlier.find });
    const after = await samplesIn(store);
    const lines = new Set(after.map((sample) => JSON.stringify(sample)));
    expect(before.every((sample) => lines.has(JSON.stringify(sample)))).toBe(true);
    expect(after.filter((sample) => sample.attempt === undefined).length).toBeGreaterThan(30);
    const perTrial = 2 + 4 * plan.sizes.warmCalls;
    expect(after).toHaveLength(plannedSamples(plan) + (30 % perTrial));
  });
});

/** A run of which a write was cut in the middle: `written` is what is left of the trial's first samples. */
async function killedRun(written: (lines: readonly string[]) => string): Promise<DiskResultStore> {
  const store = new DiskResultStore(directory());
  const plan = smallPlan({ cold: 1, warm: 10, variants: ["rust"] });
  await runPlan(plan, new FakeTarget(), new DiskRecorder(store));
  const path = directory("samples/rust-arm64-128/0000.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, written(lines));
  return store;
}

describe("a last line that was cut in the middle of a write", () => {
  const cutInTheMiddle = ([first = "", second = ""]: readonly string[]) =>
    `${first}\n${second.slice(0, 100)}`;

  it("is a sample when only its line break is missing", async () => {
    const store = await killedRun(([first, second]) => `${first}\n${second}`);
    const ofCell = (await samplesIn(store)).filter(({ cell }) => cell.id === "rust-arm64-128");
    expect(ofCell).toHaveLength(2);
    expect(await cutLines(store)).toEqual([]);
  });

  it("is never written on: the trial is made again in a file of its own", async () => {
    const plan = smallPlan({ cold: 1, warm: 10, variants: ["rust"] });
    for (const left of [cutInTheMiddle, ([first = ""]: readonly string[]) => first.slice(0, 9)]) {
      rmSync(directory(), { recursive: true });
      const store = await killedRun(left);
      const before = readFileSync(directory("samples/rust-arm64-128/0000.jsonl"), "utf8");
      const { find } = await earlierTrials(store, plan);
      expect(find("rust-arm64-128", 0)).toEqual({ state: "partial", attempts: 1 });
      await runPlan(plan, new FakeTarget(), new DiskRecorder(store), { earlier: find });
      const after = readFileSync(directory("samples/rust-arm64-128/0000.jsonl"), "utf8");
      expect(after).toBe(before);
      const again = (await samplesIn(store)).filter(({ attempt }) => attempt === 1);
      expect(again).toHaveLength(plannedSamples(plan) / plan.cells.length);
    }
  });
});

describe("the checksums of a run on disk", () => {
  async function finishedRun(): Promise<DiskResultStore> {
    const store = new DiskResultStore(directory());
    await store.writeText("plan.json", "{}\n");
    await store.writeText("report.md", "# a report\n");
    await store.writeText("failures/rust-arm64-128/0001.json", "{}\n");
    await runPlan(smallPlan(), new FakeTarget(), new DiskRecorder(store));
    await store.writeText(checksumsPath, formatChecksums(await computeChecksums(store)));
    return store;
  }

  it.skipIf(process.platform === "darwin")(
    "are verified by sha256sum, without Kelvin",
    async () => {
      await finishedRun();
      const verify = () =>
        execFileSync("sha256sum", ["-c", checksumsPath], { cwd: directory(), stdio: "pipe" });
      expect(verify().toString()).toContain("plan.json: OK");
      appendFileSync(directory("plan.json"), " ");
      expect(verify).toThrow("1 computed checksum did NOT match");
    },
  );
});
