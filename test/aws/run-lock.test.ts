import { S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { RunLock } from "../../lib/aws/run-lock.ts";
import { FakeS3, s3Error } from "../support/fake-aws/fake-s3.ts";
import { configFor } from "../support/fake-aws/http.ts";

const first = { execution: "arn:first", runId: "run-1", since: "2026-01-01T00:00:00.000Z" };
const second = { ...first, execution: "arn:second", runId: "run-2" };

function lockOn(s3: FakeS3) {
  return new RunLock(new S3Client(configFor(s3)), "results");
}

describe("a stack's run lock", () => {
  it("is held by no run before the first, and then by that one", async () => {
    const lock = lockOn(new FakeS3());
    expect(await lock.read()).toBeUndefined();
    expect(await lock.take(first)).toBe(true);
    expect((await lock.read())?.holder).toEqual(first);
  });

  it("is not taken where another run has it", async () => {
    const lock = lockOn(new FakeS3());
    await lock.take(first);
    expect(await lock.take(second)).toBe(false);
    expect((await lock.read())?.holder).toEqual(first);
  });

  it("is taken over by one of two that read it at the same time", async () => {
    const lock = lockOn(new FakeS3());
    await lock.take(first);
    const held = await lock.read();
    expect(await lock.take(second, held)).toBe(true);
    expect(await lock.take({ ...second, execution: "arn:third" }, held)).toBe(false);
    expect((await lock.read())?.holder).toEqual(second);
  });

  it("is not taken over where it was deleted since it was read", async () => {
    const s3 = new FakeS3();
    const lock = lockOn(s3);
    await lock.take(first);
    const held = await lock.read();
    s3.objects.clear();
    expect(await lock.take(second, held)).toBe(false);
  });

  it("is not taken while another write of it is under way (409)", async () => {
    const s3 = new FakeS3();
    s3.respond = () => s3Error(409, "ConditionalRequestConflict", "lock.json");
    expect(await lockOn(s3).take(first)).toBe(false);
  });

  it("is not mistaken where it cannot be written or read, and says what to do", async () => {
    const s3 = new FakeS3();
    s3.objects.set("lock.json", "not a lock");
    await expect(lockOn(s3).read()).rejects.toThrow(
      /s3:\/\/results\/lock\.json cannot be read: .*; delete it once no run is in progress/,
    );
    s3.respond = () => s3Error(403, "AccessDenied", "lock.json");
    await expect(lockOn(s3).take(first)).rejects.toThrow("AccessDenied: lock.json");
  });

  it("is none of the runs", async () => {
    const s3 = new FakeS3();
    await lockOn(s3).take(first);
    expect(s3.keys("runs/")).toEqual([]);
  });
});
