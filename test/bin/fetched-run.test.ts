import { describe, expect, it } from "vitest";
import { verifiedBy } from "../../bin/run/download-run.ts";

const file = (path: string, md5?: string) => ({
  path,
  key: `runs/a/${path}`,
  ...(md5 !== undefined && { md5 }),
});
const md5 = "0".repeat(32);

describe("what a fetched run says of its verification", () => {
  it("names the run's own checksums where it has them", () => {
    const verification = { kind: "verified", files: 2 } as const;
    expect(verifiedBy({ files: [file("plan.json")], verification })).toBe(
      "2 files verified against SHA256SUMS, the rest against S3's MD5",
    );
  });

  it("counts the files that S3 has no MD5 for, which nothing verified", () => {
    const files = [file("plan.json", md5), file("a.jsonl"), file("b.jsonl")];
    expect(verifiedBy({ files, verification: { kind: "no-checksums" } })).toBe(
      "verified against S3's MD5 (the run has no SHA256SUMS); S3 has no MD5 for 2 files, which are not verified",
    );
  });

  it("mentions no such files where every one has its MD5", () => {
    const files = [file("plan.json", md5), file("a.jsonl", md5)];
    expect(verifiedBy({ files, verification: { kind: "no-checksums" } })).toBe(
      "verified against S3's MD5 (the run has no SHA256SUMS)",
    );
  });
});
