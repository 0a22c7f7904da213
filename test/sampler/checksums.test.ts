import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  describeDifference,
  differences,
  formatChecksums,
  parseChecksums,
} from "../../lib/sampler/checksums.ts";

const a = "a".repeat(64);
const b = "b".repeat(64);

describe("the checksums of a run", () => {
  it("stand in the format of coreutils, sorted by path", () => {
    const text = formatChecksums(new Map(Object.entries({ "samples/x.jsonl": b, "plan.json": a })));
    expect(text).toBe(`${a}  plan.json\n${b}  samples/x.jsonl\n`);
  });

  it("are read as they were written, whatever the paths are", () => {
    const path = fc.stringMatching(/^[a-z0-9 ._/*-]{1,40}$/);
    const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/);
    fc.assert(
      fc.property(fc.dictionary(path, sha256), (entries) => {
        const checksums = new Map(Object.entries(entries));
        expect(differences(parseChecksums(formatChecksums(checksums)), checksums)).toEqual([]);
      }),
    );
  });

  it("are refused, with the line, where a line is none", () => {
    expect(() => parseChecksums(`${a}  plan.json\n${a.slice(1)}  x\n`)).toThrow(
      "SHA256SUMS line 2: found",
    );
  });

  it("tell what is missing, what was changed and what is not listed", () => {
    const listed = new Map(Object.entries({ same: a, changed: a, missing: a }));
    const found = new Map(Object.entries({ same: a, changed: b, added: b }));
    expect(differences(listed, found).map(describeDifference)).toEqual([
      `added: found SHA-256 ${b}, expected no such file`,
      `changed: found SHA-256 ${b}, expected SHA-256 ${a}`,
      `missing: found nothing, expected SHA-256 ${a}`,
    ]);
  });
});
