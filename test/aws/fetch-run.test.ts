import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { S3Client } from "@aws-sdk/client-s3";
import { beforeEach, describe, expect, it } from "vitest";
import { fetchFile, fetchRun, remoteFiles, remoteRuns } from "../../lib/aws/fetch-run.ts";
import { FakeS3, s3Error } from "../support/fake-aws/fake-s3.ts";
import { configFor, type FakeRequest, type FakeResponse } from "../support/fake-aws/http.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const prefix = "runs/20260101T0000Z-a/";

/** Counts the objects that are got, and does with their answers what a test says. */
class WatchedS3 extends FakeS3 {
  readonly got: string[] = [];
  answer: (key: string, response: FakeResponse) => FakeResponse | Promise<FakeResponse> = (
    _,
    response,
  ) => response;

  override respond(request: FakeRequest): FakeResponse {
    const response = super.respond(request);
    if (request.method !== "GET" || request.query["list-type"] !== undefined) return response;
    const key = request.path.slice(1);
    this.got.push(key.slice(prefix.length));
    // The fakes' handler awaits what respond returns.
    return this.answer(key, response) as FakeResponse;
  }
}

const directory = folderPerTest();
let s3: WatchedS3;
let client: S3Client;
beforeEach(() => {
  s3 = new WatchedS3();
  client = new S3Client(configFor(s3));
  s3.objects.set(`${prefix}plan.json`, "{}");
  s3.objects.set(`${prefix}samples/rust/0000.jsonl`, "line\n");
  s3.objects.set("runs/20260102T0000Z-b/plan.json", "{}");
});

/** The paths that were brought. */
async function fetchAll(
  signal = new AbortController().signal,
  isWithMd5 = true,
): Promise<readonly string[]> {
  const listed = await remoteFiles(client, "results", "20260101T0000Z-a");
  const files = isWithMd5 ? listed : listed.map(({ path, key }) => ({ path, key }));
  const brought: string[] = [];
  await fetchRun(client, "results", files, directory(), {
    signal,
    onFile: ({ path }, isBrought) => {
      if (isBrought) brought.push(path);
    },
  });
  return brought.sort();
}

function putSamples(count: number): void {
  for (let block = 1; block <= count; block += 1) {
    s3.objects.set(`${prefix}samples/rust/${String(block).padStart(4, "0")}.jsonl`, `${block}\n`);
  }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const here = (path: string) => readFileSync(directory(path), "utf8");
const filesHere = () =>
  readdirSync(directory(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

describe("the runs of a bucket", () => {
  it("are known by their ids, the latest last", async () => {
    expect(await remoteRuns(client, "results")).toEqual(["20260101T0000Z-a", "20260102T0000Z-b"]);
  });

  it("are none whose id would lead out of the folder of runs", async () => {
    s3.objects.set("runs/../plan.json", "{}");
    s3.objects.set("runs/./plan.json", "{}");
    expect(await remoteRuns(client, "results")).toHaveLength(2);
    expect(await remoteFiles(client, "results", "..")).toEqual([]);
  });
});

describe("fetching a run", () => {
  it("brings every file under its own name", async () => {
    expect(await fetchAll()).toEqual(["plan.json", "samples/rust/0000.jsonl"]);
    expect(here("samples/rust/0000.jsonl")).toBe("line\n");
  });

  it("brings again only what is missing or differs", async () => {
    await fetchAll();
    writeFileSync(directory("plan.json"), "half a fi");
    rmSync(directory("samples"), { recursive: true });
    putSamples(1);
    s3.got.length = 0;
    const lacking = ["plan.json", "samples/rust/0000.jsonl", "samples/rust/0001.jsonl"];
    expect(await fetchAll()).toEqual(lacking);
    expect(s3.got.sort()).toEqual(lacking);
    expect(here("plan.json")).toBe("{}");
    expect(await fetchAll()).toEqual([]);
  });

  it("brings the checksums before all else, so that a folder that lacks files can tell", async () => {
    putSamples(20);
    s3.objects.set(`${prefix}SHA256SUMS`, `${sha256("{}")}  plan.json\n`);
    const gotBefore: string[] = [];
    s3.answer = (key, response) => {
      if (!existsSync(directory("SHA256SUMS"))) gotBefore.push(key.slice(prefix.length));
      return response;
    };
    await fetchAll();
    expect(gotBefore).toEqual(["SHA256SUMS"]);
  });

  it("leaves alone what is as the checksums list it, where S3 gives no MD5", async () => {
    s3.objects.set(`${prefix}SHA256SUMS`, `${sha256("{}")}  plan.json\n`);
    await fetchAll();
    expect(await fetchAll(undefined, false)).toEqual(["SHA256SUMS", "samples/rust/0000.jsonl"]);
  });

  it("gets at most eight files at the same time", async () => {
    putSamples(30);
    let underWay = 0;
    let most = 0;
    let open = () => {};
    const eightAreUnderWay = new Promise<void>((resolve) => {
      open = resolve;
    });
    s3.answer = async (key, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (underWay === 8) open();
      if (key.includes("/samples/")) await eightAreUnderWay;
      await delay(2);
      underWay -= 1;
      return response;
    };
    expect(await fetchAll()).toHaveLength(32);
    expect(most).toBe(8);
  });

  it("refuses bytes whose MD5 is not the one that S3 sends with them, and keeps none of them", async () => {
    s3.answer = (_, response) => ({ ...response, body: "damaged" });
    await expect(fetchAll()).rejects.toThrow(/found MD5 .*, expected .*; fetch it again/);
    expect(filesHere()).toEqual([]);
  });

  it("takes what a run that is going on has written again since it was listed", async () => {
    const files = await remoteFiles(client, "results", "20260101T0000Z-a");
    s3.objects.set(`${prefix}samples/rust/0000.jsonl`, "line\nanother line\n");
    const options = { signal: new AbortController().signal, onFile: () => {} };
    await fetchRun(client, "results", files, directory(), options);
    expect(here("samples/rust/0000.jsonl")).toBe("line\nanother line\n");
  });

  it("skips the empty objects that the console makes for folders, and writes nothing for them", async () => {
    const parent = readdirSync(directory("..")).sort();
    for (const folder of ["", "samples/", "samples/rust/", "empty/"]) {
      s3.objects.set(`${prefix}${folder}`, "");
    }
    expect(await fetchAll()).toEqual(["plan.json", "samples/rust/0000.jsonl"]);
    expect(existsSync(directory("empty"))).toBe(false);
    const beside = readdirSync(directory("..")).filter((name) => !parent.includes(name));
    expect(beside.filter((name) => name.includes(basename(directory())))).toEqual([]);
  });

  it("refuses an object of 3 GB by its name before it gets any", async () => {
    const huge = `${prefix}samples/rust/0001.jsonl`;
    s3.objects.set(huge, "");
    s3.claimedBytes.set(huge, 3 * 2 ** 30);
    await expect(fetchAll()).rejects.toThrow(
      `${huge}: found "3221225472 bytes"; allowed: at most 1073741824 bytes`,
    );
    expect(s3.got).toEqual([]);
    expect(filesHere()).toEqual([]);
  });

  it.each([
    ["is another one's", "samples//0000.jsonl"],
    ["is another one's", "./plan.json"],
    ["is another one's", "samples/../plan.json"],
    ["is another one's", "samples/.."],
    ["lies outside the run's folder", "../../escaped"],
  ])("refuses a key whose file %s: %s", async (_, path) => {
    const to = { directory: directory(), checksums: new Map<string, string>() };
    const fetching = fetchFile({ client, bucket: "results" }, { path, key: prefix + path }, to);
    await expect(fetching).rejects.toThrow("run's own folder");
    expect(s3.got).toEqual([]);
  });
});

describe("a fetch that ends in the middle", () => {
  it("leaves whole files only, and the next one brings the rest and nothing else", async () => {
    putSamples(40);
    s3.answer = (key, response) => (s3.got.length <= 20 ? response : s3Error(403, "Broken", key));
    await expect(fetchAll()).rejects.toThrow("Broken");
    const came = filesHere();
    expect(came.length).toBeGreaterThan(10);
    expect(came.length).toBeLessThan(42);
    expect(came.filter((name) => name.endsWith(".part"))).toEqual([]);
    s3.answer = (_, response) => response;
    s3.got.length = 0;
    expect(await fetchAll()).toHaveLength(42 - came.length);
    expect(s3.got).toHaveLength(42 - came.length);
  });

  it("stops at the signal: what is under way is given up, nothing more is asked for", async () => {
    putSamples(40);
    const controller = new AbortController();
    s3.answer = async (_, response) => {
      if (s3.got.length === 16) controller.abort();
      await delay(1);
      return response;
    };
    await expect(fetchAll(controller.signal)).rejects.toThrow(/abort/i);
    expect(s3.got.length).toBeLessThan(30);
  });
});

describe("a bucket whose objects are encrypted with a key of AWS KMS", () => {
  it("is fetched, though its ETags are no MD5s, and verified by the run's own checksums", async () => {
    s3.answer = (_, response) => ({
      ...response,
      headers: { etag: `"${"0".repeat(32)}"`, "x-amz-server-side-encryption": "aws:kms" },
    });
    expect(await fetchAll()).toEqual(["plan.json", "samples/rust/0000.jsonl"]);
    expect(readFileSync(directory("plan.json"), "utf8")).toBe("{}");
  });

  it("is none whose bytes differ from an MD5: those are not kept", async () => {
    s3.answer = (_, response) => ({ ...response, headers: { etag: `"${"0".repeat(32)}"` } });
    await expect(fetchAll()).rejects.toThrow("fetch it again");
  });
});
