import type { CellFailure, Sample } from "../contract/types/contract.ts";
import { openToAppend } from "../files/replace-file.ts";
import type { Recorder } from "../protocol/measure-visit.ts";
import { failurePath, samplesPath } from "../protocol/result-store.ts";
import type { DiskResultStore } from "./disk-result-store.ts";

/**
 * Appends each sample to its visit's file as it comes: what was measured survives whatever follows.
 * None comes a second time: on this machine an answer has all the telemetry there is.
 */
export class DiskRecorder implements Recorder {
  readonly #store: DiskResultStore;
  readonly #onSample: (sample: Sample) => void;

  constructor(store: DiskResultStore, onSample: (sample: Sample) => void = () => {}) {
    this.#store = store;
    this.#onSample = onSample;
  }

  async sample(sample: Sample): Promise<void> {
    const { directory } = this.#store;
    const file = await openToAppend(directory, samplesPath(sample), sample.sequence === 0);
    try {
      await file.appendFile(`${JSON.stringify(sample)}\n`);
    } finally {
      await file.close();
    }
    this.#onSample(sample);
  }

  async failure(failure: CellFailure): Promise<void> {
    await this.#store.writeText(failurePath(failure), `${JSON.stringify(failure)}\n`);
  }
}
