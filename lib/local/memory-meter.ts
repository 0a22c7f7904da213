import type { CpuShare } from "./cpu-share.ts";
import type { FunctionProcess } from "./function-process.ts";

/** `readingMs` is the interval between memory readings during a call: long enough not to disturb the measurement. */
const readingMs = 25;

const mb = 1024 * 1024;

type Share = Pick<CpuShare, "memoryBytes" | "ranOutOfMemory">;

/**
 * A MemoryMeter measures Max Memory Used of an environment: the most memory that its processes held in any reading,
 * without page cache, or the first process's peak resident set as recorded by the kernel, if that is larger.
 */
export class MemoryMeter {
  readonly #process: Pick<FunctionProcess, "peakMemoryMb">;
  readonly #share: Share | undefined;
  readonly #limitMb: number;
  #peakBytes = 0;

  constructor(
    process: Pick<FunctionProcess, "peakMemoryMb">,
    share: Share | undefined,
    limitMb: number,
  ) {
    this.#process = process;
    this.#share = share;
    this.#limitMb = limitMb;
  }

  /** Reads the processes' memory periodically during the work, and once at its end. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    const timer = setInterval(() => this.#read(), readingMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      this.#read();
    }
  }

  /**
   * Returns the peak in MB, rounded up: the limit after an out-of-memory kill; absent if the system does not report
   * it.
   */
  peakMb(): number | undefined {
    if (this.#share?.ranOutOfMemory() === true) return this.#limitMb;
    const first = this.#process.peakMemoryMb();
    const all = Math.ceil(this.#peakBytes / mb);
    if (first === undefined) return all === 0 ? undefined : all;
    return Math.max(first, all);
  }

  #read(): void {
    this.#peakBytes = Math.max(this.#peakBytes, this.#share?.memoryBytes() ?? 0);
  }
}
