import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchFile, remoteFiles, remoteRuns } from "../../lib/aws/fetch-run.ts";
import { FakeS3 } from "../support/fake-aws/fake-s3.ts";
import { configFor } from "../support/fake-aws/http.ts";

let directory: string;
let s3: FakeS3;
let client: S3Client;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kelvin-fetch-"));
  s3 = new FakeS3();
  client = new S3Client(configFor(s3));
  s3.objects.set("runs/20260101T0000Z-a/plan.json", "{}");
  s3.objects.set("runs/20260101T0000Z-a/samples/rust/0000.jsonl", "line\n");
  s3.objects.set("runs/20260102T0000Z-b/plan.json", "{}");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function fetchAll(): Promise<boolean[]> {
  const files = await remoteFiles(client, "results", "20260101T0000Z-a");
  const brought: boolean[] = [];
  for (const file of files) brought.push(await fetchFile(client, "results", file, directory));
  return brought;
}

describe("fetching a run", () => {
  it("knows the runs of a bucket, the latest last", async () => {
    expect(await remoteRuns(client, "results")).toEqual(["20260101T0000Z-a", "20260102T0000Z-b"]);
  });

  it("brings every file under its own name", async () => {
    expect(await fetchAll()).toEqual([true, true]);
    expect(readFileSync(join(directory, "samples/rust/0000.jsonl"), "utf8")).toBe("line\n");
  });

  it("brings again only what is missing or differs", async () => {
    await fetchAll();
    writeFileSync(join(directory, "plan.json"), "half a fi");
    expect(await fetchAll()).toEqual([true, false]);
    expect(readFileSync(join(directory, "plan.json"), "utf8")).toBe("{}");
  });

  it("refuses bytes that are not those that S3 holds", async () => {
    const [file] = await remoteFiles(client, "results", "20260101T0000Z-a");
    const wrong = { path: "plan.json", key: "", ...file, md5: "0".repeat(32) };
    await expect(fetchFile(client, "results", wrong, directory)).rejects.toThrow("expected 000");
  });

  it("writes nothing outside the run's folder", async () => {
    const file = { path: "../../escaped", key: "runs/a/../../escaped" };
    await expect(fetchFile(client, "results", file, directory)).rejects.toThrow("run's own folder");
  });
});
