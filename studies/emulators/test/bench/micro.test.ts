import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exitCodes } from "../../../../bin/exit-codes.ts";
import { projectPaths } from "../../../../lib/toolchain/project-paths.ts";

it("says that there is no such run before it builds or times a call", () => {
  const run = join(tmpdir(), "kelvin-no-such-run");
  const args = ["--import", "tsx", "studies/emulators/bench/micro.ts", "--run", run];
  const options = { cwd: projectPaths.root, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  expect(stderr).toContain("kelvin-no-such-run");
  expect(stderr).not.toContain("building");
  expect(status).toBe(exitCodes.badInput);
  expect(stdout).toBe("");
});
