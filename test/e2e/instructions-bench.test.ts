import { spawnSync } from "node:child_process";
import { beforeAll, expect, it } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { installedValgrind } from "../support/installed-valgrind.ts";

beforeAll(async () => void (await installedValgrind()));

it("the embedded engine's calls take the instructions of the baseline", () => {
  const command = ["--import", "tsx", "bench/instructions.ts", "--calls", "get,put_small"];
  const options = { cwd: projectPaths.root, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  process.stdout.write(stdout);
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  expect(stderr).toMatch(/^get: \d+ instructions$/m);
  expect(stdout).toMatch(/baseline/);
});
