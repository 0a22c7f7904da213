import type { CellFailure, Sample } from "../contract/types/contract.ts";
import type { Recorder } from "../protocol/measure-visit.ts";
import { failurePath, type ResultStore, samplesPath } from "../protocol/result-store.ts";

/**
 * Keeps the samples of one visit in S3. An object cannot be appended to, so the whole file is written
 * again every few samples: a driver that dies has left what was measured until then. A driver that
 * goes on with another's visit begins a file of its own.
 */
export class S3Recorder implements Recorder {
  readonly #store: ResultStore;
  readonly #samplesPerWrite: number;
  #path: string | undefined;
  #attempt: number | undefined;
  /** By sequence, in the order of the calls. */
  readonly #lines = new Map<number, string>();
  #unwritten = 0;

  constructor(store: ResultStore, samplesPerWrite = 20) {
    this.#store = store;
    this.#samplesPerWrite = samplesPerWrite;
  }

  async sample(sample: Sample): Promise<void> {
    if (sample.attempt !== this.#attempt) await this.#beginFile(sample);
    this.#path ??= samplesPath(sample, sample.sequence);
    this.#lines.set(sample.sequence, `${JSON.stringify(sample)}\n`);
    this.#unwritten += 1;
    // The cold sample is the dearest one: it never waits for others.
    if (sample.phase === "cold" || this.#unwritten >= this.#samplesPerWrite) await this.flush();
  }

  async failure(failure: CellFailure): Promise<void> {
    await this.#store.writeText(failurePath(failure), `${JSON.stringify(failure)}\n`);
  }

  /** An environment that was forced cold again has a file of its own. */
  async #beginFile({ attempt }: Sample): Promise<void> {
    await this.flush();
    this.#attempt = attempt;
    this.#path = undefined;
    this.#lines.clear();
  }

  /** Writes what is not yet written; to be called when the visit has ended, however it ended. */
  async flush(): Promise<void> {
    if (this.#path === undefined || this.#unwritten === 0) return;
    await this.#store.writeText(this.#path, [...this.#lines.values()].join(""));
    this.#unwritten = 0;
  }
}
