import type { CpuShare } from "./cpu-share.ts";
import type { FunctionProcess } from "./function-process.ts";

/** What an environment's processes used in one stretch: Init, or an invocation. */
export interface Usage {
  /** User and system. */
  readonly cpuMs?: number;
  /** In user space. */
  readonly instructions?: number;
}

/** Tells what an environment's processes used. It is asked between a Duration's end and the next event. */
export interface UsageMeter {
  /** What was used since the last call; the first time since the process's start. */
  lap(): Promise<Usage>;
  /** Leaves out what was used since the last call: a process that goes on after it was frozen does no work. */
  skip?(): void;
}

/** By the accounting of the environment's group. Made right after the process joined it. */
export class CpuMeter implements UsageMeter {
  readonly #process: FunctionProcess;
  readonly #share: CpuShare;
  /** Of the process alone, until it joined the group. */
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
