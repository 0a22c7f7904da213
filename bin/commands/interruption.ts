import type { Progress } from "../progress.ts";

/** Ctrl-C and SIGTERM as an AbortSignal: the first stops the measuring, the second stops everything. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Work to do at once when the run is stopped, such as ending the function that is under way. */
  onStop(work: () => Promise<void>): void;
  release(): void;
}

export function interruption(progress: Progress): Interruption {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    progress.say("stopping: what was measured is kept (again to stop at once)");
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    onStop: (work) => controller.signal.addEventListener("abort", () => void work()),
    release: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
