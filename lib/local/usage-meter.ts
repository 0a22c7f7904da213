import type { CpuShare } from "./cpu-share.ts";
import type { FunctionProcess } from "./function-process.ts";

/** Usage is what an environment's processes used in one stretch: Init, or an invocation. */
export interface Usage {
  /** User and system. */
  readonly cpuMs?: number;
  /** Instructions in user space. */
  readonly instructions?: number;
}

/** Tells what an environment's processes used. It is asked between a Duration's end and the next event. */
export interface UsageMeter {
  /** Returns the use since the last call; the first time, since the process's start. */
  lap(): Promise<Usage>;
  /** Leaves out what was used since the last call: a process that goes on after it was frozen does no work. */
  skip?(): void;
}

/** CpuMeter reads the accounting of the environment's group. It is made right after the process joined the group. */
export class CpuMeter implements UsageMeter {
  readonly #process: FunctionProcess;
  readonly #share: CpuShare;
  /** CPU time of the process alone, until it joined the group. */
  readonly #beforeMs: number | undefined;
  #countedMs: number | undefined;

  constructor(process: FunctionProcess, share: CpuShare) {
    this.#process = process;
    this.#share = share;
    this.#beforeMs = process.cpuTimeMs();
  }

  async lap(): Promise<Usage> {
    // The kernel counts a thread's time when it leaves the CPU.
    await this.#process.atRest();
    const totalMs = this.#totalMs();
    if (totalMs === undefined) return {};
    const cpuMs = totalMs - (this.#countedMs ?? 0);
    this.#countedMs = totalMs;
    // The kernel counts nanoseconds.
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
