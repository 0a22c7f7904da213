import { expect, it, vi } from "vitest";
import { Progress } from "../../bin/progress.ts";
import { interruption, stoppingText, untilEnded } from "../../bin/run/until-ended.ts";
import { replaceFile } from "../../lib/files/replace-file.ts";
import { captureOutput } from "../support/captured-output.ts";
import { interrupt } from "../support/signals.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const others = new Map(signals.map((name) => [name, process.listeners(name)]));

it.each(signals)("%s stops the work, and keeps it", (name) => {
  const output = captureOutput();
  const { signal, release } = interruption(new Progress(), stoppingText("what was measured"));
  interrupt(name);
  expect(signal.aborted).toBe(true);
  expect(output.stderr).toContain("stopping: what was measured is kept");
  release();
  expect(process.listeners(name)).toEqual(others.get(name));
});

it("a signal that comes twice at once is one press, and a later one stops everything", () => {
  captureOutput();
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  const now = vi.spyOn(performance, "now").mockReturnValue(10_000);
  const { signal, release } = interruption(new Progress(), stoppingText("what was measured"));
  interrupt("SIGINT");
  now.mockReturnValue(10_020);
  interrupt("SIGINT");
  expect(signal.aborted).toBe(true);
  expect(exit).not.toHaveBeenCalled();
  now.mockReturnValue(11_000);
  interrupt("SIGINT");
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
  release();
});

it("a terminal that is gone ends nothing: what is said from then on is lost", () => {
  captureOutput();
  const { release } = interruption(new Progress(), stoppingText("what was measured"));
  interrupt("SIGHUP");
  expect(() => process.stderr.emit("error", new Error("EIO"))).not.toThrow();
  release();
});

const directory = temporaryFolder();

it("a run whose disk is full names the file, and how to go on", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
  });
  const ended = untilEnded({ directory, asJson: false }, async () => {
    await replaceFile(directory, "samples/a.jsonl", async () => {
      throw full;
    });
    throw new Error("unreachable");
  });
  await expect(ended).rejects.toThrow(
    /\/samples\/a\.jsonl: no space is left\. .*continue with: npm run bench -- --resume .*folder-/,
  );
});
