import { exitCodes } from "../exit-codes.ts";
import type { Progress } from "../progress.ts";

/** Ctrl-C and SIGTERM as an AbortSignal: the first stops the work, the second stops everything. */
export interface Interruption {
  readonly signal: AbortSignal;
  release(): void;
}

export function interruption(progress: Progress, whatIsKept: string): Interruption {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    progress.say(`stopping: ${whatIsKept} is kept (again to stop at once)`);
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    release: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
