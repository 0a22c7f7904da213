import { msPerPart, samplesPerPart } from "../contract/sample-parts.ts";
import type { CellFailure, Sample } from "../contract/types/contract.ts";
import type { Recorder } from "../protocol/measure-visit.ts";
import { failurePath, type ResultStore, samplesPath } from "../protocol/result-store.ts";

/** Some of a visit's samples: an object of its own. */
interface Part {
  readonly path: string;
  /** By sequence, in the order of the calls. */
  readonly lines: Map<number, string>;
  readonly startedMs: number;
}

/**
 * Keeps the samples of one visit in S3, in parts (lib/contract/sample-parts.ts). A part is written again
 * only for a sample in it that comes a second time, with its telemetry.
 */
export class S3Recorder implements Recorder {
  readonly #store: ResultStore;
  /** By each of its sequences. */
  readonly #parts = new Map<number, Part>();
  readonly #unwritten = new Set<Part>();
  /** That further samples go into; absent where the next one begins a part. */
  #open: Part | undefined;

  constructor(store: ResultStore) {
    this.#store = store;
  }

  async sample(sample: Sample): Promise<void> {
    const { sequence } = sample;
    const written = this.#parts.get(sequence);
    const part = written ?? this.#openPart(sample);
    part.lines.set(sequence, `${JSON.stringify(sample)}\n`);
    this.#parts.set(sequence, part);
    this.#unwritten.add(part);
    if (written === undefined && isFull(part, sample)) await this.flush();
  }

  async failure(failure: CellFailure): Promise<void> {
    await this.#store.writeText(failurePath(failure), `${JSON.stringify(failure)}\n`);
  }

  /** Writes what is not yet written; to be called when the visit has ended, however it ended. */
  async flush(): Promise<void> {
    this.#open = undefined;
    for (const part of [...this.#unwritten]) {
      await this.#store.writeText(part.path, [...part.lines.values()].join(""));
      this.#unwritten.delete(part);
    }
  }

  #openPart(sample: Sample): Part {
    const path = samplesPath(sample, sample.sequence);
    this.#open ??= { path, lines: new Map(), startedMs: Date.parse(sample.startedAt ?? "") };
    return this.#open;
  }
}

/** The cold sample is the dearest one: it never waits for others. */
function isFull({ lines, startedMs }: Part, sample: Sample): boolean {
  const { phase, startedAt = "", clientLatencyMs = 0 } = sample;
  const takenMs = Date.parse(startedAt) + clientLatencyMs - startedMs;
  return phase === "cold" || lines.size >= samplesPerPart || takenMs >= msPerPart;
}
