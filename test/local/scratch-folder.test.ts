import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pidNamespace } from "../../lib/local/process-identity.ts";
import { newScratchFolder, sweepScratchFolders } from "../../lib/local/scratch-folder.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const parent = folderPerTest();

describe("a folder of a run's own", () => {
  it("is new, and nobody else's to read", () => {
    const [one, other] = [
      newScratchFolder("sandbox", parent()),
      newScratchFolder("sandbox", parent()),
    ];
    expect(one).not.toBe(other);
    expect(statSync(one).mode & 0o777).toBe(0o700);
  });

  it("is removed by a later run where its process was killed, with what is in it", () => {
    const gone = spawnSync("true").pid;
    const left = `kelvin-sandbox-${pidNamespace()}-${gone}-1-0123456789ab`;
    mkdirSync(parent(left, "root"), { recursive: true });
    writeFileSync(parent(left, "tmp.img"), "image");
    expect(sweepScratchFolders(parent())).toEqual([left]);
    expect(existsSync(parent(left))).toBe(false);
  });

  it("stays while its process runs, and so does what anybody else named alike", () => {
    newScratchFolder("functions", parent());
    mkdirSync(parent("kelvin-sandbox-1-2-3-0123456789ab"));
    mkdirSync(parent("kelvin-notes"));
    writeFileSync(parent(`kelvin-a-${pidNamespace()}-${spawnSync("true").pid}-1-0123456789ab`), "");
    expect(sweepScratchFolders(parent())).toEqual([]);
    expect(readdirSync(parent())).toHaveLength(4);
  });
});
