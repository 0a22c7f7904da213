import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ExecutionEnvironment } from "../../lib/local/execution-environment.ts";
import { scriptedCell, scriptedCommand } from "./functions/scripted-command.ts";

it("Init counts nothing of the time that it takes to put the process into its group", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kelvin-environment-"));
  const name = "slow-to-join";
  // Far more than Init takes on a busy machine.
  const joinMs = 1500;
  mkdirSync(join(folder, name));
  const processes = join(folder, name, "cgroup.procs");
  // Whoever writes to a pipe waits until it is read.
  execFileSync("mkfifo", [processes]);
  const startMs = performance.now();
  const reader = spawn("sh", [
    "-c",
    `sleep ${joinMs / 1000}; cat ${processes}; exec cat ${processes}`,
  ]);
  const command = scriptedCommand("none");
  const environment = await ExecutionEnvironment.start({
    name,
    memoryMb: 256,
    functionArn: "arn:aws:lambda:us-east-1:000000000000:function:scripted",
    command: (runtimeApi) => command(scriptedCell, runtimeApi),
    cgroupRoot: { kind: "cgroup-v2", cpu: folder },
  });
  try {
    const init = await environment.init(10_000);
    expect(init.kind).toBe("ready");
    expect(performance.now() - startMs).toBeGreaterThan(joinMs);
    expect(init.durationMs).toBeLessThan(joinMs);
    expect(init.durationMs).toBeGreaterThan(5);
  } finally {
    await environment.destroy();
    reader.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
