import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import { markedBy, measuredProcesses } from "./marked-processes.ts";

const mark = process.pid;
const anotherMark = mark + 1;
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  for (const pid of measuredProcesses(mark)) process.kill(Number(pid), "SIGKILL");
});

/** Starts a program in its own session, with a function's environment, and exits. */
const starter = `require("node:child_process").spawn(process.argv[1], [process.argv[2]], {
  detached: true, stdio: "ignore", env: { AWS_LAMBDA_FUNCTION_NAME: "f" } }).unref()`;

async function ended(marks: readonly string[], args: readonly string[]): Promise<void> {
  const [command = "", ...rest] = [...marks, process.execPath, "-e", starter, ...args];
  const child = spawn(command, rest);
  expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
}

it.runIf(process.platform === "linux")(
  "what a marked process has left behind is found, by its mark alone",
  async () => {
    await ended(markedBy(mark), ["/bin/sleep", "60"]);
    const [left = "", ...others] = measuredProcesses(mark);
    expect(left).toMatch(/^\d+$/);
    expect(others).toEqual([]);
    expect(measuredProcesses(anotherMark)).toEqual([]);
  },
);

it.runIf(process.platform === "linux")("another run's functions are not found", async () => {
  const env = { AWS_LAMBDA_FUNCTION_NAME: "f" };
  started.push(spawn("/bin/sleep", ["60"], { env, stdio: "ignore" }));
  expect(started[0]?.pid).toBeGreaterThan(0);
  expect(measuredProcesses(anotherMark)).toEqual([]);
});
