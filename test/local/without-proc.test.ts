import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = join(import.meta.dirname, "..", "..");
const hasLsof = spawnSync("lsof", ["-v"]).error === undefined;

function found(folder: string) {
  const imports = ["tsx", join(root, "test", "support", "as-macos.ts")];
  const script = join(import.meta.dirname, "functions", "without-proc.ts");
  const args = [...imports.flatMap((module) => ["--import", module]), script, folder];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" }));
}

describe("on a system without /proc", () => {
  const folder = temporaryFolder();
  let first: ReturnType<typeof found>;
  let abandoned: string;
  beforeAll(() => {
    first = found(folder);
    [abandoned = ""] = readdirSync(folder);
  });

  it("a process's folder has a name for search paths, is kept while it runs, and is removed later", () => {
    expect(abandoned).toMatch(/^kelvin-functions--\d+-\w+-[0-9a-f]{12}$/);
    expect(first).toMatchObject({ swept: [], sweptOfRunning: [] });
    expect(found(folder)).toMatchObject({ swept: [abandoned], sweptOfRunning: [] });
  });

  it("a group of processes is there until its last process has ended", () => {
    expect(first.isGoneWithItsLeader).toBe(false);
  });

  it.runIf(hasLsof)("a process that listens on a port is told from one that does not", () => {
    expect(first.listens).toEqual([false, true]);
  });
});
