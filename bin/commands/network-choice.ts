import { InvalidInput } from "../../lib/contract/errors.ts";
import type { NetworkProfile } from "../../lib/contract/types/contract.ts";
import type { Experiment } from "../../lib/experiment/experiment.ts";

const allowed =
  "DELAY or DELAY,JITTER in ms, whole numbers to 1000, the jitter no larger: 15,3; 0 is loopback alone";

/**
 * The network between functions and S3 that was asked for, else the experiment's own; undefined
 * where there is none. Throws InvalidInput.
 */
export function networkChoice(
  { id, bucket, localNetwork }: Experiment,
  word: string | undefined,
): NetworkProfile | undefined {
  if (word === undefined) return localNetwork;
  if (bucket === undefined) {
    throw new InvalidInput("network", word, `nothing with ${id}: only S3 has a network of its own`);
  }
  const [, delay, jitter = "0"] = /^(\d{1,4})(?:,(\d{1,4}))?$/.exec(word) ?? [];
  const [delayMs, jitterMs] = [Number(delay), Number(jitter)];
  if (!(delayMs <= 1000 && jitterMs <= delayMs)) throw new InvalidInput("network", word, allowed);
  return delayMs === 0 ? undefined : { delayMs, jitterMs };
}

/** For a run's first lines and its report. */
export function networkText({ delayMs, jitterMs }: NetworkProfile, seed: number): string {
  const jitter = jitterMs === 0 ? "" : `, give or take up to ${jitterMs} ms drawn by seed ${seed}`;
  return `${delayMs} ms a request${jitter}; connections and handshakes are not delayed`;
}
