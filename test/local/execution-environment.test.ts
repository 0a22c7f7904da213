import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ExecutionEnvironment } from "../../lib/local/execution-environment.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { scriptedCell, scriptedCommand } from "./functions/scripted-command.ts";

it("Init counts nothing of the time that it takes to put the process into its group", async () => {
  const folder = temporaryFolder();
  const name = "slow-to-join";
  // Far more than Init takes on a busy machine.
  const joinMs = 1500;
  const processes = join(folder, name, "cgroup.procs");
  const startMs = performance.now();
  let reader: ChildProcess | undefined;
  const command = scriptedCommand("none");
  /** By then the group is there; whoever writes to a pipe in it waits until it is read. */
  const delayJoining = () => {
    execFileSync("mkfifo", [processes]);
    const read = `sleep ${joinMs / 1000}; cat ${processes}; exec cat ${processes}`;
    reader = spawn("sh", ["-c", read]);
  };
  const environment = await ExecutionEnvironment.start({
    name,
    memoryMb: 256,
    functionArn: "arn:aws:lambda:us-east-1:000000000000:function:scripted",
    command: (runtimeApi) => {
      delayJoining();
      return command(scriptedCell, runtimeApi);
    },
    cgroupRoot: { kind: "cgroup-v2", cpu: folder },
  });
  try {
    const init = await environment.init(10_000);
    expect(init.kind).toBe("ready");
    expect(performance.now() - startMs).toBeGreaterThan(joinMs);
    expect(init.durationMs).toBeLessThan(joinMs);
    expect(init.durationMs).toBeGreaterThan(5);
  } finally {
    // Nobody writes to the pipe any more: the kernel's file would be empty.
    rmSync(processes);
    await environment.destroy();
    reader?.kill();
  }
});
