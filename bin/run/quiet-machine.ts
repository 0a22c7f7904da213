import { cpus as processors } from "node:os";
import { isQuietNow } from "../../lib/analysis/machine-noise.ts";
import { parseJson } from "../../lib/contract/lines.ts";
import type { MachineNoise, Manifest, SpeedProbe } from "../../lib/contract/types/contract.ts";
import { NoiseMeter, waitForQuiet } from "../../lib/local/machine-noise.ts";
import type { ResultStore } from "../../lib/sampler/result-store.ts";
import { formatDuration, type Progress } from "../progress.ts";

/** Maximum wait of --wait-for-quiet. */
const longestWaitSeconds = 600;

interface WaitOptions {
  /** Whether --wait-for-quiet was given. */
  readonly waitForQuiet?: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Waits for a quiet machine if --wait-for-quiet was given; returns the seconds that it took. */
export async function waitIfAsked(options: WaitOptions): Promise<number | undefined> {
  const { progress, signal } = options;
  if (options.waitForQuiet !== true) return undefined;
  const { length: cpus } = processors();
  const waited = await waitForQuiet({
    isQuiet: (noise) => isQuietNow(noise, cpus),
    seconds: longestWaitSeconds,
    signal,
    onBusy: ({ otherCpus, stolenCpus }) =>
      progress.show(
        `waiting for a quiet machine: others take ${(otherCpus + stolenCpus).toFixed(1)} of ${cpus} CPUs`,
      ),
  });
  progress.end();
  if (waited === undefined) {
    progress.say("not waiting: this system does not report the load of other processes");
    return undefined;
  }
  const time = formatDuration(waited.seconds * 1000);
  progress.say(
    waited.isQuiet ? `the machine is quiet (${time})` : `the machine is not quiet after ${time}`,
  );
  return waited.seconds;
}

/** Returns a meter that continues from the end of an earlier execution of the run. */
export async function noiseMeter(store: ResultStore, probe: () => SpeedProbe): Promise<NoiseMeter> {
  const text = await store.readText("manifest.json");
  const { noise } = Object(text === undefined ? undefined : parseJson(text)) as Partial<Manifest>;
  return new NoiseMeter({ earlier: noise?.intervals ?? [], probe });
}

/** Returns the manifest's noise field; empty if no noise was read. */
export function noiseField(
  { intervals }: NoiseMeter,
  waitedSeconds: number | undefined,
): { readonly noise?: MachineNoise } {
  if (intervals.length === 0) return {};
  return {
    noise: { intervals: [...intervals], ...(waitedSeconds !== undefined && { waitedSeconds }) },
  };
}
