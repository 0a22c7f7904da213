import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CargoBuild } from "../experiment/experiment.ts";
import { rustBinaryPath } from "./rust-build.ts";

/** What the builds took on one machine: lib/toolchain/build-seconds.json. */
export interface BuildSeconds {
  readonly machine: string;
  /** What `calibrationMs` was there. */
  readonly calibrationMs: number;
  /** CPU seconds of a profile's first binary, all that it stands on included. */
  readonly first: Readonly<Record<string, number>>;
  /** CPU seconds of a binary after another one of its profile. */
  readonly next: Readonly<Record<string, number>>;
}

export interface BuildForecast {
  readonly binaries: readonly string[];
  /** Absent where one of them was never timed. */
  readonly minutes?: number;
}

export interface ForecastOptions {
  readonly cores: number;
  /** @default whether its file is there */
  readonly isBuilt?: (build: CargoBuild) => boolean;
  /** @default those that were recorded */
  readonly known?: BuildSeconds;
  /** How fast this machine is. @default it is measured */
  readonly calibrationMs?: number;
}

/** What is still to be built for a run on this machine, and about how long that takes here. */
export function forecastBuild(
  builds: readonly CargoBuild[],
  { cores, isBuilt = isThere, known = recordedSeconds(), ...given }: ForecastOptions,
): BuildForecast {
  const missing = builds.filter((build) => !isBuilt(build));
  const binaries = missing.map(({ binaryName }) => binaryName);
  if (missing.length === 0) return { binaries };
  const begun = new Set(builds.filter(isBuilt).map(({ profile }) => profile));
  const cpuSeconds = missing.map(({ binaryName, profile }) => {
    const seconds = (begun.has(profile) ? known.next : known.first)[binaryName];
    begun.add(profile);
    return seconds ?? Number.NaN;
  });
  const slowness = (given.calibrationMs ?? calibrate()) / known.calibrationMs;
  const total = cpuSeconds.reduce((sum, seconds) => sum + seconds, 0) * slowness;
  const minutes = Math.max(1, total / usefulCores(cores) / 60);
  return { binaries, ...(Number.isFinite(minutes) && { minutes }) };
}

function isThere(build: CargoBuild): boolean {
  return existsSync(rustBinaryPath(build));
}

function recordedSeconds(): BuildSeconds {
  const path = join(import.meta.dirname, "build-seconds.json");
  return JSON.parse(readFileSync(path, "utf8")) as BuildSeconds;
}

/** The compiler hardly fills more: a crate waits for those that it stands on, and the last step is one thread's. */
function usefulCores(cores: number): number {
  return Math.min(cores, 4) * 0.9;
}

/** How many milliseconds of CPU time this machine takes for work like a compiler's: many small objects, made, looked up and dropped. */
export function calibrate(): number {
  const once = () => {
    const before = process.cpuUsage();
    const words = new Map<string, number>();
    for (let index = 0; index < 200_000; index += 1) {
      const word = `word-${(index * 7919) % 50_021}`;
      words.set(word, (words.get(word) ?? 0) + word.length);
    }
    return process.cpuUsage(before).user / 1000;
  };
  return Math.min(once(), once(), once());
}
