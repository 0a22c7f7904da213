import { S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { S3Recorder } from "../../lib/aws/s3-recorder.ts";
import { S3ResultStore } from "../../lib/aws/s3-result-store.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { storedFailures, storedSamples } from "../../lib/protocol/result-store.ts";
import { runPlan } from "../../lib/protocol/run-plan.ts";
import { FakeS3 } from "../support/fake-aws/fake-s3.ts";
import { configFor } from "../support/fake-aws/http.ts";
import { FakeTarget } from "../support/fake-target.ts";
import { smallPlan } from "../support/small-plan.ts";

function storeOn(s3 = new FakeS3()) {
  return { s3, store: new S3ResultStore(new S3Client(configFor(s3)), "results", "run-1") };
}

async function samplesOf(cold: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const sample = async (each: Sample) => void samples.push(each);
  const plan = smallPlan({ variants: ["python"], cold, warm: 20 });
  await runPlan(plan, new FakeTarget(), { sample, failure: async () => {} });
  return samples;
}

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

describe("the recorder in S3", () => {
  it("puts a sample that comes again, with telemetry, in its first one's place", async () => {
    const { store } = storeOn();
    const samples = await samplesOf(1);
    const [cold, second, ...others] = samples as [Sample, Sample, ...Sample[]];
    const { telemetry: _, ...without } = second;
    const recorder = new S3Recorder(store, 4);
    for (const sample of [cold, without, ...others, second]) await recorder.sample(sample);
    await recorder.flush();
    const stored: Sample[] = [];
    for await (const sample of storedSamples(store)) stored.push(sample);
    expect(stored).toEqual(samples);
  });

  it("keeps every sample of a visit once it is flushed", async () => {
    const { store } = storeOn();
    const samples = await samplesOf(1);
    const recorder = new S3Recorder(store, 4);
    for (const sample of samples) await recorder.sample(sample);
    await recorder.flush();
    const stored: Sample[] = [];
    for await (const sample of storedSamples(store)) stored.push(sample);
    expect(stored).toEqual(JSON.parse(JSON.stringify(samples)));
  });

  it("has written the cold sample at once and the others every few, without being asked", async () => {
    const { s3, store } = storeOn();
    const samples = await samplesOf(1);
    const recorder = new S3Recorder(store, 4);
    const written: number[] = [];
    for (const sample of samples.slice(0, 6)) {
      await recorder.sample(sample);
      const [text = ""] = [...s3.objects.values()];
      written.push(text.split("\n").length - 1);
    }
    expect(written).toEqual([1, 1, 1, 1, 5, 5]);
  });

  it("writes nothing again that is written", async () => {
    const { s3, store } = storeOn();
    const recorder = new S3Recorder(store, 1);
    for (const sample of (await samplesOf(1)).slice(0, 1)) await recorder.sample(sample);
    await recorder.flush();
    expect(s3.writes).toHaveLength(1);
  });

  it("keeps a failure by cell and block", async () => {
    const { store } = storeOn();
    const failure = { cellId: "rust-arm64-128", block: 3, type: "Boom", message: "it broke" };
    await new S3Recorder(store).failure(failure);
    expect(await storedFailures(store)).toEqual([failure]);
  });
});
