import type { MachineNoise, Manifest, NoiseInterval } from "../contract/types/contract.ts";

/** CPUs that other work and the hypervisor took from the machine. */
type Taken = Pick<NoiseInterval, "otherCpus" | "stolenCpus">;

/** Other work on the machine while it measured. */
export interface NoiseFinding {
  readonly isBusy: boolean;
  readonly cpus: number;
  /** CPUs that others took: the mean over time, and that of the busiest block. */
  readonly takenCpus: number;
  readonly mostTakenCpus: number;
  /** The highest load average; absent if the kernel does not report it. */
  readonly load?: number;
}

/**
 * Share of the CPUs taken by other work, over the whole run, from which a machine counts as busy. Above it small
 * differences are missed (the table busy of docs/regression-gate.md); runs on quiet machines stay below it.
 */
const busyCpus = 0.1;

/** isQuietNow returns whether a machine was quiet during one interval. */
export function isQuietNow({ otherCpus, stolenCpus }: Taken, cpus: number): boolean {
  return otherCpus + stolenCpus < busyCpus * cpus;
}

/** noiseFinding summarizes the readings of all blocks; undefined if there are none. */
export function noiseFinding({
  noise,
  machine,
}: Pick<Manifest, "noise" | "machine">): NoiseFinding | undefined {
  if (noise === undefined || machine === undefined || noise.intervals.length === 0)
    return undefined;
  const { cpus } = machine;
  const seconds = noise.intervals.reduce((sum, each) => sum + each.seconds, 0);
  const usedCpus = noise.intervals.map(({ otherCpus, stolenCpus }) => otherCpus + stolenCpus);
  const takenCpus =
    noise.intervals.reduce((sum, each, index) => sum + each.seconds * (usedCpus[index] ?? 0), 0) /
    seconds;
  const load = highestLoad(noise);
  return {
    cpus,
    takenCpus,
    mostTakenCpus: Math.max(...usedCpus),
    isBusy: takenCpus >= busyCpus * cpus,
    ...(load !== undefined && { load }),
  };
}

function highestLoad({ intervals }: MachineNoise): number | undefined {
  const loads = intervals.flatMap(({ load }) => load ?? []);
  return loads.length === 0 ? undefined : Math.max(...loads);
}
