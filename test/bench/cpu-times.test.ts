import { join } from "node:path";
import { expect, it } from "vitest";
import { takeCpuSeconds, withCpuTimes } from "../../bench/command-times.ts";
import { runCommand } from "../../lib/toolchain/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const path = join(folder, "times");

it("counts the CPU time of a command and of what it started, once", async () => {
  const busy = "const end = Date.now() + 300; while (Date.now() < end);";
  const nested = ["-c", '"$@"; exit $?', "sh", process.execPath, "-e", busy];
  const { command, args } = withCpuTimes("sh", nested, path);
  await runCommand(command, args, { env: process.env });
  const seconds = takeCpuSeconds(path);
  expect(seconds).toBeGreaterThan(0.02);
  expect(seconds).toBeLessThan(60);
  expect(takeCpuSeconds(path)).toBeUndefined();
});

it("ends as the command ends, and waiting takes no CPU time", async () => {
  const failing = withCpuTimes("sh", ["-c", "sleep 0.5; exit 3"], path);
  await expect(runCommand(failing.command, failing.args, { env: process.env })).rejects.toThrow(
    /exit status 3/,
  );
  expect(takeCpuSeconds(path)).toBeLessThan(0.4);
});
