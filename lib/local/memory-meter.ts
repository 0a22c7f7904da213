import type { CpuShare } from "./cpu-share.ts";
import type { FunctionProcess } from "./function-process.ts";

/** `readingMs` is the interval between readings of memory during a call: long enough not to disturb the measurement. */
const readingMs = 25;

const mb = 1024 * 1024;

type Share = Pick<CpuShare, "memoryBytes" | "ranOutOfMemory">;

/**
 * Max Memory Used of an environment: the most that its processes were seen to hold at one time, page cache apart, and
 * at least the largest resident set of the first of them, which the kernel keeps.
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

  /** Reads what the processes hold while the work goes on, if it takes long enough, and at its end. */
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
   * Returns the peak in MB, rounded up; absent if the system does not report it. A process that needed more has it all.
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
