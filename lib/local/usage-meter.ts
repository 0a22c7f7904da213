import type { CpuShare } from "./cpu-share.ts";
import type { FunctionProcess } from "./function-process.ts";

/** Usage is what an environment's processes consumed during Init or an invocation. */
export interface Usage {
  /** User and system time. */
  readonly cpuMs?: number;
  /** Instructions in user space. */
  readonly instructions?: number;
}

/** Measures what an environment's processes consume. It is read between a Duration's end and the next event. */
export interface UsageMeter {
  /** Returns the usage since the last call or, the first time, since the process's start. */
  lap(): Promise<Usage>;
  /** Excludes the usage since the last call: that of a process resuming after a freeze is not work. */
  skip?(): void;
}

/** A CpuMeter reads the group's CPU accounting. It is created right after the process joined the group. */
export class CpuMeter implements UsageMeter {
  readonly #process: FunctionProcess;
  readonly #share: CpuShare;
  /** CPU time of the process before it joined the group. */
  readonly #beforeMs: number | undefined;
  #countedMs: number | undefined;

  constructor(process: FunctionProcess, share: CpuShare) {
    this.#process = process;
    this.#share = share;
    this.#beforeMs = process.cpuTimeMs();
  }

  async lap(): Promise<Usage> {
    // The kernel adds a thread's time when the thread leaves the CPU.
    await this.#process.atRest();
    const totalMs = this.#totalMs();
    if (totalMs === undefined) return {};
    const cpuMs = totalMs - (this.#countedMs ?? 0);
    this.#countedMs = totalMs;
    // The kernel counts in nanoseconds.
    return { cpuMs: Number(cpuMs.toFixed(6)) };
  }

  skip(): void {
    this.#countedMs = this.#totalMs();
  }

  #totalMs(): number | undefined {
    const groupMs = this.#share.cpuTimeMs();
    return groupMs === undefined || this.#beforeMs === undefined
      ? undefined
      : groupMs + this.#beforeMs;
  }
}
