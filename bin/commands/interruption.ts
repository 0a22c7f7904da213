import { exitCodes } from "../exit-codes.ts";
import type { Progress } from "../progress.ts";

/**
 * Ctrl-C, SIGTERM and SIGHUP as an AbortSignal: the first stops the work, the second stops everything.
 */
interface Interruption {
  readonly signal: AbortSignal;
  release(): void;
}

export function interruption(progress: Progress, whatIsKept: string): Interruption {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    progress.say(`stopping: ${whatIsKept} is kept (press again to stop at once)`);
    controller.abort();
  };
  for (const name of signals) process.on(name, stop);
  process.on("SIGHUP", ignoreLostTerminal);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, stop);
      process.off("SIGHUP", ignoreLostTerminal);
    },
  };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What is said after the terminal has gone is lost; it must not end the work before its report. */
function ignoreLostTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
  }
}

function ignore(): void {}
