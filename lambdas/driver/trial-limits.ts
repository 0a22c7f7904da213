import { nameOfRun, type RunLock } from "../../lib/aws/run-lock.ts";

/** A driver whose run was replaced disturbs the new one for this long, and for the call under way. */
const lookEveryMs = 5_000;

interface TrialLimitsOptions {
  readonly lock: RunLock;
  /** The execution that the driver works for. */
  readonly execution: string;
  /** A time; no call is begun after it. */
  readonly endMs: number;
  /** Monotonic. */
  readonly clockMs: () => number;
}

/** Limits that end a driver's work on a trial before the trial's end: its own time, and another run. */
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

  /** Whether one more call may be begun. */
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
    const held = await this.#options.lock.read();
    if (held === undefined) return "none: its lock was deleted";
    const isOurs = held.holder.execution === this.#options.execution;
    return isOurs ? undefined : nameOfRun(held.holder);
  }
}
