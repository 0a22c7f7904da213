import type { MachineNoise, Manifest, NoiseInterval } from "../contract/types/contract.ts";

/** CPUs that other work and the hypervisor took from the machine. */
type Taken = Pick<NoiseInterval, "otherCpus" | "stolenCpus">;

/** What other work the machine had while it measured. */
export interface NoiseFinding {
  readonly isBusy: boolean;
  readonly cpus: number;
  /** CPUs that others took: the mean over the time, and in the busiest block. */
  readonly takenCpus: number;
  readonly mostTakenCpus: number;
  /** Share of the time in busy blocks. */
  readonly busyShare: number;
  /** The highest load average. Absent where the kernel does not say it. */
  readonly load?: number;
}

/**
 * The share of a machine's CPUs from which on others make it busy: a choice, which no study has tried against others.
 */
const busyCpus = 0.1;

/** A busy tenth of the time is in every mean. */
const busyTime = 0.1;

/** isQuietNow judges one interval of a machine. */
export function isQuietNow({ otherCpus, stolenCpus }: Taken, cpus: number): boolean {
  return otherCpus + stolenCpus < busyCpus * cpus;
}

/** noiseFinding sums up what was read block by block; undefined where nothing was. */
export function noiseFinding({
  noise,
  machine,
}: Pick<Manifest, "noise" | "machine">): NoiseFinding | undefined {
  if (noise === undefined || machine === undefined || noise.intervals.length === 0)
    return undefined;
  const { cpus } = machine;
  const seconds = secondsOf(noise.intervals);
  const taken = noise.intervals.map(({ otherCpus, stolenCpus }) => otherCpus + stolenCpus);
  const busy = noise.intervals.filter((each) => !isQuietNow(each, cpus));
  const busyShare = secondsOf(busy) / seconds;
  const takenCpus =
    noise.intervals.reduce((sum, each, index) => sum + each.seconds * (taken[index] ?? 0), 0) /
    seconds;
  const load = highestLoad(noise);
  return {
    ...{ cpus, takenCpus, mostTakenCpus: Math.max(...taken), busyShare },
    isBusy: busyShare > busyTime,
    ...(load !== undefined && { load }),
  };
}

function secondsOf(intervals: readonly NoiseInterval[]): number {
  return intervals.reduce((sum, { seconds }) => sum + seconds, 0);
}

function highestLoad({ intervals }: MachineNoise): number | undefined {
  const loads = intervals.flatMap(({ load }) => load ?? []);
  return loads.length === 0 ? undefined : Math.max(...loads);
}
