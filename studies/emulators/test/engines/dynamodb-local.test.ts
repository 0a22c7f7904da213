import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { folderPerTest } from "../../../../test/support/temporary-folder.ts";
import { verifyListed } from "../../engines/install-engines.ts";

const folder = folderPerTest();
beforeEach(() => {
  writeFileSync(folder("a.jar"), "a");
});

const sums = `${createHash("sha256").update("a").digest("hex")}  a.jar\n`;

describe("what is on the class path of DynamoDB Local", () => {
  it("is the jars that are listed, as they are listed", () => {
    expect(() => verifyListed(folder(), sums)).not.toThrow();
    writeFileSync(folder("a.jar"), "b");
    expect(() => verifyListed(folder(), sums)).toThrow(/a.jar: found SHA-256 .*; expected/);
  });

  it("is no jar beside them", () => {
    writeFileSync(folder("evil.jar"), "");
    expect(() => verifyListed(folder(), sums)).toThrow(
      "DynamoDB Local: found evil.jar; expected the files of SHA256SUMS alone",
    );
  });
});
