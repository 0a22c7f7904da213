import { createHash } from "node:crypto";
import { S3Client } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, it } from "vitest";
import { S3Recorder, S3ResultStore } from "../../lib/aws/s3-result-store.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { partCount } from "../../lib/plan/blocks.ts";
import { computeChecksums } from "../../lib/sampler/checksums.ts";
import { storedFailures, storedSamples } from "../../lib/sampler/result-store.ts";
import { FakeS3, s3Error } from "../support/fake-aws/fake-s3.ts";
import { configFor, type FakeRequest, type FakeService } from "../support/fake-aws/http.ts";
import { fakeSamples, samplesIn } from "../support/recorded-samples.ts";
import { smallPlan } from "../support/small-plan.ts";

function storeOn(
  s3 = new FakeS3(),
  respond: FakeService["respond"] = (asked) => s3.respond(asked),
) {
  const client = new S3Client(configFor({ respond }));
  return { s3, store: new S3ResultStore(client, "results", "run-1") };
}

const samplesOfOne = () => fakeSamples(smallPlan({ variants: ["python"], cold: 1, warm: 12 }));

describe("results in S3", () => {
  it("lie below runs/<runId>/ and are read back as they were written", async () => {
    const { s3, store } = storeOn();
    await store.writeText("plan.json", '{"a":"ä"}');
    expect(s3.keys("")).toEqual(["runs/run-1/plan.json"]);
    expect(await store.readText("plan.json")).toBe('{"a":"ä"}');
    expect(store.uri("plan.json")).toBe("s3://results/runs/run-1/plan.json");
  });

  it("that are not there are undefined", async () => {
    expect(await storeOn().store.readText("nothing.json")).toBeUndefined();
  });

  it("are listed to the last page, sorted", async () => {
    const { store } = storeOn(new FakeS3(2));
    const paths = ["samples/a/0000.jsonl", "samples/a/0001.jsonl", "samples/b/0000.jsonl"];
    for (const path of [...paths].reverse()) await store.writeText(path, "{}\n");
    await store.writeText("samples-not/x.json", "{}");
    expect(await store.list("samples")).toEqual(paths);
  });

  it("are read line by line", async () => {
    const { store } = storeOn();
    await store.writeText("x.jsonl", "1\n2\n3\n");
    const lines: string[] = [];
    for await (const line of store.readLines("x.jsonl")) lines.push(line);
    expect(lines).toEqual(["1", "2", "3"]);
  });
});

describe("many results in S3", () => {
  const blocks = Array.from({ length: 100 }, (_, index) => 1000 + index);
  const paths = blocks.map((block) => `samples/a/${block}.jsonl`);
  let sample: Sample;
  beforeAll(async () => {
    [sample] = (await samplesOfOne()) as [Sample];
  });

  const sampleText = (block: number) =>
    `${JSON.stringify({ ...sample, cell: { ...sample.cell, id: "a" }, block })}\n`;
  const failureText = (block: number) =>
    JSON.stringify({ cellId: "a", block, type: "Error", message: "broke" });

  /** S3 that has what a block left in each. */
  function filledS3(folder = "samples", textOf = sampleText): FakeS3 {
    const s3 = new FakeS3();
    for (const block of blocks) {
      s3.objects.set(`runs/run-1/${folder}/a/${block}.jsonl`, textOf(block));
    }
    return s3;
  }

  /** Each answer waits until nothing else happens: what is in flight then is what may be. */
  async function readSlowly(folder: "samples" | "failures") {
    const s3 = filledS3(folder, folder === "samples" ? sampleText : failureText);
    let inFlight = 0;
    let most = 0;
    const respond = async (request: FakeRequest) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inFlight -= 1;
      return s3.respond(request);
    };
    const { store } = storeOn(s3, respond);
    const read = await (folder === "samples" ? samplesIn(store) : storedFailures(store));
    return { most, order: read.map(({ block }) => block) };
  }

  it.each(["samples", "failures"] as const)(
    "are read in their order, 32 %s in flight and no more",
    async (folder) => {
      const { most, order } = await readSlowly(folder);
      expect(order).toEqual(blocks);
      expect(most).toBe(32);
    },
  );

  it("that cannot be read end the reading with their own error, in their turn", async () => {
    const s3 = filledS3();
    const denied = "runs/run-1/samples/a/1007.jsonl";
    const respond = (request: FakeRequest) =>
      request.path.endsWith(denied) ? s3Error(403, "AccessDenied", denied) : s3.respond(request);
    const { store } = storeOn(s3, respond);
    let read = 0;
    const reading = async () => {
      for await (const _ of storedSamples(store)) read += 1;
    };
    await expect(reading()).rejects.toThrow("AccessDenied");
    expect(read).toBe(7);
  });

  it("are not read again for their checksums, which are of the bytes that were read", async () => {
    const s3 = filledS3();
    let gets = 0;
    const respond = (request: FakeRequest) => {
      if (request.method === "GET" && request.query["list-type"] === undefined) gets += 1;
      return s3.respond(request);
    };
    const { store } = storeOn(s3, respond);
    for await (const _ of storedSamples(store));
    const [first = ""] = paths;
    s3.objects.set(`runs/run-1/${first}`, "changed since");
    const sums = await computeChecksums(store);
    expect(sums.size).toBe(100);
    expect(sums.get(first)).toBe(sha256(sampleText(1000)));
    // plan.json and manifest.json were not read before.
    expect(gets).toBe(102);
    await store.writeText(first, "written since");
    expect(await store.sha256(first)).toBe(sha256("written since"));
  });
});

describe("the recorder in S3", () => {
  /** A trial of these calls, each a tenth of a second after the one before. */
  async function recorded(samples: readonly Sample[], msBetween = 100) {
    const { s3, store } = storeOn();
    const recorder = new S3Recorder(store);
    const kept: number[] = [];
    for (const [index, sample] of samples.entries()) {
      await recorder.sample({ ...sample, startedAt: new Date(index * msBetween).toISOString() });
      kept.push([...s3.objects.values()].join("").split("\n").length - 1);
    }
    return { s3, store, recorder, kept };
  }
  const sequences = (samples: readonly Sample[]) => samples.map(({ sequence }) => sequence);
  const names = ({ writes }: FakeS3) => writes.map((key) => key.split("/").at(-1));

  it("keeps every sample of a trial once it is flushed, in the order of the calls", async () => {
    const samples = await samplesOfOne();
    const { store, recorder } = await recorded(samples);
    await recorder.flush();
    expect(sequences(await samplesIn(store))).toEqual(sequences(samples));
    expect(samples.length).toBeGreaterThan(40);
  });

  it("writes twenty samples at a time, the cold one at once too, and none a third time", async () => {
    const samples = await samplesOfOne();
    const { s3, recorder } = await recorded(samples.slice(0, 45));
    await recorder.flush();
    expect(names(s3)).toEqual([
      ...["0000.jsonl", "0000.jsonl"],
      ...["0000_000020.jsonl", "0000_000040.jsonl"],
    ]);
    const lines = [...s3.objects.values()].map((text) => text.split("\n").length - 1);
    expect(lines).toEqual([20, 20, 5]);
  });

  it("has left at most 19 samples unwritten whenever its driver is killed", async () => {
    const { kept } = await recorded((await samplesOfOne()).slice(0, 45));
    expect(kept[0]).toBe(1);
    expect(Math.max(...kept.map((count, index) => index + 1 - count))).toBe(19);
  });

  it("has left no more than five seconds of calls unwritten, however few they are", async () => {
    const { kept } = await recorded((await samplesOfOne()).slice(0, 20), 2000);
    expect(Math.max(...kept.map((count, index) => index + 1 - count))).toBe(3);
    const [cold, long] = (await samplesOfOne()) as [Sample, Sample];
    const slow = await recorded([cold, { ...long, clientLatencyMs: 9000 }]);
    expect(slow.kept).toEqual([1, 2]);
  });

  it("puts a sample that comes again, with telemetry, in its first one's place", async () => {
    const samples = (await samplesOfOne()).slice(0, 45);
    const { s3, store, recorder } = await recorded(
      samples.map(({ telemetry: _, ...rest }) => rest),
    );
    const written = s3.writes.length;
    for (const sample of samples.slice(3, 23)) await recorder.sample(sample);
    expect(s3.writes).toHaveLength(written);
    await recorder.flush();
    // Those of the two parts that they are in, and the part that was not written yet.
    expect(names(s3).slice(written).sort()).toEqual([
      "0000.jsonl",
      "0000_000020.jsonl",
      "0000_000040.jsonl",
    ]);
    const stored = await samplesIn(store);
    expect(sequences(stored)).toEqual(sequences(samples));
    const withTelemetry = stored.filter(({ telemetry }) => telemetry !== undefined);
    expect(sequences(withTelemetry)).toEqual(sequences(samples.slice(3, 23)));
  });

  it("writes nothing again that is written", async () => {
    const { s3, recorder } = await recorded((await samplesOfOne()).slice(0, 1));
    await recorder.flush();
    expect(s3.writes).toHaveLength(1);
  });

  it("writes no more parts than the plan counts, and the first one twice", async () => {
    const samples = await samplesOfOne();
    for (const msBetween of [1, 100, 700, 2500, 6000]) {
      for (const count of [1, 2, 21, 22, 45]) {
        const { s3, recorder } = await recorded(samples.slice(0, count), msBetween);
        await recorder.flush();
        const most = 1 + partCount(count, count * msBetween);
        expect(s3.writes.length, `${count} calls, ${msBetween} ms apart`).toBeLessThanOrEqual(most);
      }
    }
  });

  it("keeps a failure by cell and block", async () => {
    const { store } = storeOn();
    const failure = { cellId: "rust-arm64-128", block: 3, type: "Boom", message: "it broke" };
    await new S3Recorder(store).failure(failure);
    expect(await storedFailures(store)).toEqual([failure]);
  });
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
