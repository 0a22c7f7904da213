import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { CellFailure } from "../../lib/contract/types/contract.ts";
import { checksumsOfAll, computeChecksums, formatChecksums } from "../../lib/sampler/checksums.ts";
import {
  cutLines,
  failurePath,
  manifestHead,
  type ResultStore,
  readsInFlight,
  samplesPath,
  storedFailures,
  storedSamples,
} from "../../lib/sampler/result-store.ts";
import { fakeSamples, samplesIn } from "../support/recorded-samples.ts";
import { smallPlan } from "../support/small-plan.ts";

/** Files in memory. */
class MemoryStore implements ResultStore {
  readonly files: Map<string, string>;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.files = new Map(Object.entries(files));
  }

  async writeText(path: string, text: string): Promise<void> {
    this.files.set(path, text);
  }

  async readText(path: string): Promise<string | undefined> {
    return this.files.get(path);
  }

  async list(folder: string): Promise<readonly string[]> {
    return [...this.files.keys()].filter((path) => path.startsWith(`${folder}/`)).sort();
  }

  async *readLines(path: string): AsyncGenerator<string> {
    yield* (this.files.get(path) ?? "").split("\n");
  }

  async sha256(path: string): Promise<string | undefined> {
    const text = this.files.get(path);
    return text === undefined ? undefined : sha256Of(text);
  }
}

const sha256Of = (text: string) => createHash("sha256").update(text).digest("hex");
const plan = smallPlan({ variants: ["python"], cold: 2, warm: 8 });

const samples = await fakeSamples(plan);
const [first] = samples;
if (first === undefined) throw new Error("the plan has samples");
const line = JSON.stringify(first);
const path = samplesPath(first);

describe("the stored samples of a run", () => {
  it("are those that were stored, trial by trial, in as many parts as they are in", async () => {
    const files: Record<string, string> = {};
    for (const sample of samples) {
      const part = sample.sequence < 3 ? 0 : 3;
      const place = samplesPath(sample, part);
      files[place] = `${files[place] ?? ""}${JSON.stringify(sample)}\n`;
    }
    expect(Object.keys(files)).toHaveLength(4);
    const found = await samplesIn(new MemoryStore(files));
    expect(found).toEqual(JSON.parse(JSON.stringify(samples)));
    expect(await cutLines(new MemoryStore(files))).toEqual([]);
  });

  it("are read from some files ahead, which a remote store begins to send meanwhile", async () => {
    class Counting extends MemoryStore {
      opened = 0;

      override readLines(place: string): AsyncGenerator<string> {
        this.opened += 1;
        return super.readLines(place);
      }
    }
    const trials = Array.from({ length: readsInFlight + 8 }, (_, block) => ({ ...first, block }));
    const files = trials.map((sample) => [samplesPath(sample), JSON.stringify(sample)]);
    const store = new Counting(Object.fromEntries(files));
    const found: number[] = [];
    for await (const { block } of storedSamples(store)) {
      if (found.push(block) === 1) expect(store.opened).toBe(readsInFlight);
    }
    expect(found).toEqual(trials.map(({ block }) => block));
    expect(store.opened).toBe(trials.length);
  });

  it("are without the line that a killed writer left half written, which is told", async () => {
    const store = new MemoryStore({ [path]: `${line}\n\n${line.slice(0, 30)}` });
    expect(await samplesIn(store)).toHaveLength(1);
    expect(await cutLines(store)).toEqual([{ path, line: 3, characters: 30 }]);
  });

  it.each([
    ["half a line before another", `${line.slice(0, 30)}\n${line}\n`, "line 1: found"],
    ["text after a sample", `${line}\nno JSON\n${line}`, 'line 2: found "no JSON"'],
    ["something else than a sample", `${line}\n{"runId":1}\n`, "line 2"],
    ["another trial's", `${JSON.stringify({ ...first, block: 1 })}\n`, "line 1: found"],
    ["another attempt's", `${JSON.stringify({ ...first, attempt: 1 })}\n`, "line 1: found"],
  ])("are refused, with file and line, where a file has %s", async (_, text, place) => {
    await expect(samplesIn(new MemoryStore({ [path]: text }))).rejects.toThrow(`${path} ${place}`);
  });

  it("stand in one file where they were imported: they have no trials", async () => {
    const imported = { ...first, target: "imported" };
    const text = [imported, { ...imported, block: 7 }].map((each) => JSON.stringify(each));
    const store = new MemoryStore({ "samples/imported.jsonl": text.join("\n") });
    expect((await samplesIn(store)).map(({ block }) => block)).toEqual([0, 7]);
  });
});

describe("the stored failures of a run", () => {
  const failure: CellFailure = { cellId: "a", block: 3, type: "Timeout", message: "no answer" };

  it("are read back, in the order of their files", async () => {
    const later = { ...failure, block: 12 };
    const files = { [failurePath(later)]: JSON.stringify(later) };
    const store = new MemoryStore({ ...files, [failurePath(failure)]: JSON.stringify(failure) });
    expect(await storedFailures(store)).toEqual([failure, later]);
    expect(await storedFailures(new MemoryStore())).toEqual([]);
  });

  it.each([
    { ...failure, cellId: 1 },
    { ...failure, block: "3" },
    { ...failure, type: undefined },
    { ...failure, message: null },
    [],
    null,
  ])("are refused by file where one is none: %j", async (value) => {
    const store = new MemoryStore({ "failures/a/0003.json": JSON.stringify(value) });
    await expect(storedFailures(store)).rejects.toThrow("failures/a/0003.json: found");
  });
});

describe("the checksums of a run's files", () => {
  it("are those of the plan, the manifest and every measurement, and of nothing that is rendered", async () => {
    const kept = { "plan.json": "p", "samples/a/0000.jsonl": "s", "failures/a/0001.json": "f" };
    const store = new MemoryStore({ ...kept, "report.md": "r", "summary.json": "s" });
    const expected = Object.entries(kept).map(([name, text]) => [name, sha256Of(text)] as const);
    expect(await computeChecksums(store)).toEqual(new Map(expected));
    await store.writeText("manifest.json", "m");
    expect((await computeChecksums(store)).get("manifest.json")).toBe(sha256Of("m"));
  });

  it("of all experiments stand below their folders, and are incomplete as long as one has none", async () => {
    const of = (text: string) => formatChecksums(new Map([["plan.json", sha256Of(text)]]));
    const [one, other] = [new MemoryStore({ SHA256SUMS: of("1") }), new MemoryStore()];
    const stores = new Map(Object.entries({ one, other }));
    expect(await checksumsOfAll(stores)).toBeUndefined();
    await other.writeText("SHA256SUMS", of("2"));
    expect(await checksumsOfAll(stores)).toEqual(
      new Map([
        ["one/plan.json", sha256Of("1")],
        ["other/plan.json", sha256Of("2")],
      ]),
    );
  });
});

it("a manifest begins with what its plan says", () => {
  const { runId, experiment, target, createdAt } = plan;
  expect(manifestHead(plan, "running")).toEqual({
    ...{ schemaVersion: 1, status: "running", startedAt: createdAt },
    ...{ runId, experiment, target },
  });
});
