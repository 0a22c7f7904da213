import { nameOfRun, type RunLock } from "../../lib/aws/run-lock.ts";
import { lookEveryMs } from "../../lib/cost/own-costs.ts";

interface TrialLimitsOptions {
  readonly lock: RunLock;
  /** ARN of the driver's own execution. */
  readonly execution: string;
  /** Time after which no call may begin. */
  readonly endMs: number;
  /** Monotonic. */
  readonly clockMs: () => number;
}

/** Ends a driver's work before its trial is complete: at its own timeout, or if another run takes the stack. */
export class TrialLimits {
  readonly #options: TrialLimitsOptions;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #replacedBy: string | undefined;

  constructor(options: TrialLimitsOptions) {
    this.#options = options;
  }

  /** The other run that uses the stack, if any. */
  get replacedBy(): string | undefined {
    return this.#replacedBy;
  }

  /** Returns whether another call may begin. */
  async mayGoOn(): Promise<boolean> {
    const { clockMs, endMs } = this.#options;
    if (clockMs() >= endMs || this.#replacedBy !== undefined) return false;
    if (clockMs() - this.#lookedMs >= lookEveryMs) {
      this.#lookedMs = clockMs();
      this.#replacedBy = await this.#otherHolder();
    }
    return this.#replacedBy === undefined;
  }

  async #otherHolder(): Promise<string | undefined> {
    const current = await this.#options.lock.read();
    if (current === undefined) return "none: its lock was deleted";
    const isOurs = current.holder.execution === this.#options.execution;
    return isOurs ? undefined : nameOfRun(current.holder);
  }
}
