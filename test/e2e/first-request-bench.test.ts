import { spawnSync } from "node:child_process";
import { beforeAll, expect, it } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { installedValgrind } from "../support/installed-valgrind.ts";

beforeAll(async () => void (await installedValgrind()));

it("the first request of the default and of the tuned build takes the instructions of the baseline", () => {
  const command = ["--import", "tsx", "bench/first-request.ts"];
  const options = { cwd: projectPaths.root, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, command, options);
  process.stdout.write(stdout);
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout).toMatch(/^Report: runs\/first-request-/m);
  expect(stdout).toMatch(/^ {2}rust firstInstructions: [\d.]+ M -> \d{2,}\.\d M /m);
  expect(stdout).toMatch(/^baseline/m);
});
