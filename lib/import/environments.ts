import type { Cell, ImportedOrigin, Sample } from "../contract/types/contract.ts";

/** Assigns each sample to its environment, in order of arrival. */
export class Environments {
  readonly #ofStream = new Map<string, { readonly block: number; samples: number }>();
  #blocks = 0;
  #alone = 0;

  /** Lambda never uses one stream for two functions or sizes, so the cell is part of the stream's identity. */
  add({ id }: Cell, stream: string | undefined): Pick<Sample, "block" | "sequence"> {
    if (stream === undefined) {
      this.#alone += 1;
      return { block: this.#next(), sequence: 0 };
    }
    const key = `${id} ${stream}`;
    const known = this.#ofStream.get(key) ?? { block: this.#next(), samples: 0 };
    this.#ofStream.set(key, known);
    known.samples += 1;
    return { block: known.block, sequence: known.samples - 1 };
  }

  logStreams(): Pick<ImportedOrigin, "logStreams"> {
    const counts = [...this.#ofStream.values()].map(({ samples }) => samples).sort((a, b) => a - b);
    const [fewestSamples, mostSamples] = [counts[0], counts.at(-1)];
    if (fewestSamples === undefined || mostSamples === undefined) return {};
    const samples = counts.reduce((sum, count) => sum + count, 0);
    const streams = counts.length;
    return {
      logStreams: { streams, samples, samplesWithout: this.#alone, fewestSamples, mostSamples },
    };
  }

  #next(): number {
    this.#blocks += 1;
    return this.#blocks - 1;
  }
}
