import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../lib/toolchain/run-command.ts";

const env = process.env;

/** Runs a shell script, which says when it is under way, and aborts it then. */
async function aborted(script: string, isOwnGroup: boolean): Promise<readonly string[]> {
  const controller = new AbortController();
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    if (line === "under way") controller.abort();
  };
  const running = runCommand("sh", ["-c", script], {
    ...{ env, isOwnGroup, onLine, signal: controller.signal },
  });
  await expect(running).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  return lines;
}

describe("a command", () => {
  it("that is aborted has ended, and so has what it started in its group", async () => {
    const ending = `trap 'sleep 0.2; echo ended; exit' TERM; echo under way; while :; do sleep 0.05; done`;
    expect(await aborted(`(${ending}) & wait`, true)).toContain("ended");
  });

  it("that is aborted is not waited for beyond its own end", async () => {
    const begun = Date.now();
    await aborted("sleep 5 & echo under way; wait", false);
    expect(Date.now() - begun).toBeLessThan(4000);
  });

  it("is not started once the signal is aborted", async () => {
    const lines: string[] = [];
    const signal = AbortSignal.abort();
    const onLine = (line: string) => lines.push(line);
    await expect(runCommand("echo", ["started"], { env, signal, onLine })).rejects.toThrow(
      "aborted",
    );
    await delay(100);
    expect(lines).toEqual([]);
  });
});
