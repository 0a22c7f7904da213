import { afterEach, expect, it, vi } from "vitest";
import { interruption } from "../../bin/commands/interruption.ts";
import { Progress } from "../../bin/progress.ts";
import { CapturedOutput } from "../support/captured-output.ts";

afterEach(() => vi.restoreAllMocks());

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s stops the work, and keeps it", (name) => {
  const output = new CapturedOutput();
  const { signal, release } = interruption(new Progress(), "what was measured");
  process.emit(name);
  expect(signal.aborted).toBe(true);
  expect(output.stderr).toContain("stopping: what was measured is kept");
  release();
  expect(process.listenerCount(name)).toBe(listeners.get(name));
});

const listeners = new Map(
  (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => [name, process.listenerCount(name)]),
);

it("a terminal that is gone ends nothing: what is said from then on is lost", () => {
  new CapturedOutput();
  const { release } = interruption(new Progress(), "what was measured");
  process.emit("SIGHUP");
  expect(() => process.stderr.emit("error", new Error("EIO"))).not.toThrow();
  release();
});
