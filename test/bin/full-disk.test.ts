import { expect, it } from "vitest";
import { untilEnded } from "../../bin/run/until-ended.ts";
import { replaceFile } from "../../lib/files/replace-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const directory = temporaryFolder();

it("a run whose disk is full names the file, and how to go on", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
  });
  const ended = untilEnded({ directory, asJson: false }, async () => {
    await replaceFile(directory, "samples/a.jsonl", async () => {
      throw full;
    });
    throw new Error("unreachable");
  });
  await expect(ended).rejects.toThrow(
    /\/samples\/a\.jsonl: no space is left\. .*continue with: npm run bench -- --resume .*folder-/,
  );
});
