import { msPerPart, samplesPerPart } from "../contract/sample-parts.ts";
import type { CellFailure, Sample } from "../contract/types/contract.ts";
import type { Recorder } from "../protocol/measure-visit.ts";
import { failurePath, type ResultStore, samplesPath } from "../protocol/result-store.ts";

/** Some of a visit's samples: an object of its own. */
interface Part {
  readonly path: string;
  /** By sequence, in the order of the calls. */
  readonly lines: Map<number, string>;
}

/**
 * Keeps the samples of one visit in S3, in parts (lib/contract/sample-parts.ts). A part that is full is
 * written again only for a sample in it that comes a second time, with its telemetry.
 */
export class S3Recorder implements Recorder {
  readonly #store: ResultStore;
  /** By each of its sequences. */
  readonly #parts = new Map<number, Part>();
  readonly #unwritten = new Set<Part>();
  /** That further samples go into; absent where the next one begins a part. */
  #open: Part | undefined;
  /** Start of the first call that is not written. */
  #unwrittenFromMs: number | undefined;
  #attempt: number | undefined;

  constructor(store: ResultStore) {
    this.#store = store;
  }

  async sample(sample: Sample): Promise<void> {
    if (sample.attempt !== this.#attempt) await this.#beginAttempt(sample);
    const { sequence, phase } = sample;
    const known = this.#parts.get(sequence);
    const part = known ?? this.#partFor(sample);
    part.lines.set(sequence, `${JSON.stringify(sample)}\n`);
    this.#parts.set(sequence, part);
    this.#unwritten.add(part);
    if (known !== undefined) return;
    if (this.#isFull(part, sample)) await this.flush();
    else if (phase === "cold") await this.#write(part);
  }

  async failure(failure: CellFailure): Promise<void> {
    await this.#store.writeText(failurePath(failure), `${JSON.stringify(failure)}\n`);
  }

  /** An environment that was forced cold again has parts of its own. */
  async #beginAttempt({ attempt }: Sample): Promise<void> {
    await this.flush();
    this.#attempt = attempt;
    this.#parts.clear();
  }

  /** Writes what is not yet written; to be called when the visit has ended, however it ended. */
  async flush(): Promise<void> {
    this.#open = undefined;
    for (const part of [...this.#unwritten]) await this.#write(part);
  }

  #partFor(sample: Sample): Part {
    this.#open ??= { path: samplesPath(sample, sample.sequence), lines: new Map() };
    return this.#open;
  }

  #isFull({ lines }: Part, { startedAt = "", clientLatencyMs = 0 }: Sample): boolean {
    const startedMs = Date.parse(startedAt);
    this.#unwrittenFromMs ??= startedMs;
    const takenMs = startedMs + clientLatencyMs - this.#unwrittenFromMs;
    return lines.size >= samplesPerPart || takenMs >= msPerPart;
  }

  async #write(part: Part): Promise<void> {
    await this.#store.writeText(part.path, [...part.lines.values()].join(""));
    this.#unwritten.delete(part);
    this.#unwrittenFromMs = undefined;
  }
}
