import { existsSync } from "node:fs";
import type { CargoBuild, Variant } from "../plan/experiment.ts";
import recordedSeconds from "./build-seconds.json" with { type: "json" };
import { isRepository } from "./project-paths.ts";
import { localWheels, preparePythonVenv } from "./python.ts";
import { buildRustBinary, localTarget, type RustTarget, rustBinaryPath } from "./rust-build.ts";

/** A step of the preparation, for progress output. */
export interface BuildStep {
  readonly label: string;
  readonly state: "started" | "working" | "done";
  readonly detail?: string;
}

interface BuildOptions {
  readonly signal?: AbortSignal;
  readonly onStep?: (step: BuildStep) => void;
}

/** What a local run builds besides its variants. */
interface LocalParts {
  /** Services that the functions call. */
  readonly services: readonly ServiceName[];
  /**
   * Whether to build the no-op function, which measures the cost of the host itself.
   * @default true
   */
  readonly withFloor?: boolean;
}

interface LocalBuildOptions extends BuildOptions, LocalParts {}

/** A service that a stand-in replaces. */
export type ServiceName = "dynamodb" | "s3";

export const noopBinary: CargoBuild = { binaryName: "noop", profile: "release" };

/** Returns the build of a stand-in. Each service has its own binary: a run builds only those it calls. */
export function emulatedServiceBinary(service: ServiceName): CargoBuild {
  return {
    binaryName: `standin-${service}`,
    packageName: "standins",
    features: [service],
    profile: "release",
  };
}

/** The driver of the embedded engine, which is built with the stand-ins. */
export const dynoxideBinary: CargoBuild = {
  binaryName: "emulators-embedded",
  packageName: "standins",
  features: ["dynamodb"],
  profile: "release",
};

/**
 * Builds what a local run needs: the Python environment, which contains cargo-lambda, then the variants' binaries and
 * the stand-ins that they call. A user's functions come built, so only their stand-ins are built, and no Python
 * version is returned. An installed package builds nothing.
 */
export async function buildForLocalRun(
  variants: readonly Variant[],
  options: LocalBuildOptions,
): Promise<{ readonly pythonVersion?: string }> {
  const isBuilt = options.services.length === 0 || !isRepository;
  // A user's function comes built.
  if (variants.every(({ source }) => source.kind === "artefact") && isBuilt) return {};
  const pythonVersion = await step("Python environment", options, preparePythonVenv);
  await step("Python packages", options, async () => prepareWheels(variants));
  await buildRustBinaries(localBuilds(variants, options), localTarget, options);
  return { pythonVersion };
}

/** Stand-ins come first: one of their crates takes longest, on one core, and others use the other cores. */
export function localBuilds(
  variants: readonly Variant[],
  { services, withFloor = true }: LocalParts,
): readonly CargoBuild[] {
  const floor = withFloor ? [noopBinary] : [];
  const standins = isRepository ? services.map(emulatedServiceBinary) : [];
  return [...standins, ...listCargoBuilds(variants), ...floor];
}

/** Returns whether the no-op function was built on this machine, by this run or an earlier one. */
export function isNoopBuilt(): boolean {
  return existsSync(rustBinaryPath(noopBinary));
}

function prepareWheels(variants: readonly Variant[]): void {
  for (const { source } of variants) if (source.kind === "python") localWheels(source);
}

export function listCargoBuilds(variants: readonly Variant[]): readonly CargoBuild[] {
  return variants.flatMap(({ source }) => (source.kind === "cargo" ? [source] : []));
}

/**
 * Builds the binaries, one chain per profile in parallel: profiles have separate build folders, so one can compile
 * while another links on one core. The first failure stops the other chains.
 */
export async function buildRustBinaries(
  builds: readonly CargoBuild[],
  target: RustTarget,
  options: BuildOptions = {},
): Promise<void> {
  const profiles = [...new Set(builds.map(({ profile }) => profile))];
  const chains = profiles.map((profile) => builds.filter((build) => build.profile === profile));
  const failure = new AbortController();
  const signals = options.signal === undefined ? [] : [options.signal];
  const signal = AbortSignal.any([failure.signal, ...signals]);
  // A process group ends cargo's compilers too. Without a signal, only the terminal could stop such a group.
  const isOwnGroup = options.signal !== undefined;
  const building = chains.map((chain) =>
    buildInTurn(chain, target, { ...options, signal, isOwnGroup }),
  );
  try {
    await Promise.all(building);
  } catch (error) {
    failure.abort();
    await Promise.allSettled(building);
    throw error;
  }
}

async function buildInTurn(
  chain: readonly CargoBuild[],
  target: RustTarget,
  options: BuildOptions & { readonly isOwnGroup: boolean },
): Promise<void> {
  const { isOwnGroup } = options;
  for (const build of chain) {
    const label = `${build.binaryName} (${build.profile})`;
    await step(label, options, (command) =>
      buildRustBinary(build, { ...command, isOwnGroup }, target),
    );
  }
}

async function step<Result>(
  label: string,
  { signal, onStep }: BuildOptions,
  work: (options: { onLine: (line: string) => void; signal?: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  onStep?.({ label, state: "started" });
  const onLine = (line: string) => onStep?.({ label, state: "working", detail: line.trim() });
  const result = await work({ onLine, ...(signal !== undefined && { signal }) });
  onStep?.({ label, state: "done" });
  return result;
}

/** Build times on one machine: lib/toolchain/build-seconds.json. */
export interface BuildSeconds {
  readonly machine: string;
  /** Result of `calibrationMs` on that machine. */
  readonly calibrationMs: number;
  /** CPU seconds of a profile's first binary, including its dependencies. */
  readonly first: Readonly<Record<string, number>>;
  /** CPU seconds of a further binary of the same profile. */
  readonly next: Readonly<Record<string, number>>;
}

export interface BuildForecast {
  readonly binaries: readonly string[];
  /** Absent if one of them was never timed. */
  readonly minutes?: number;
}

interface ForecastOptions {
  readonly cores: number;
  /** @default whether its file exists */
  readonly isBuilt?: (build: CargoBuild) => boolean;
  /** @default the recorded ones */
  readonly known?: BuildSeconds;
  /** Speed of this machine. @default measured */
  readonly calibrationMs?: number;
}

/** Lists the binaries that are still to be built, and estimates how long that takes on this machine. */
export function forecastBuild(
  builds: readonly CargoBuild[],
  { cores, isBuilt = isThere, known = recordedSeconds, ...given }: ForecastOptions,
): BuildForecast {
  const missing = builds.filter((build) => !isBuilt(build));
  const binaries = missing.map(({ binaryName }) => binaryName);
  if (missing.length === 0) return { binaries };
  const started = new Set(builds.filter(isBuilt).map(({ profile }) => profile));
  const cpuSeconds = missing.map(({ binaryName, profile }) => {
    const seconds = (started.has(profile) ? known.next : known.first)[binaryName];
    started.add(profile);
    return seconds ?? Number.NaN;
  });
  const slowness = (given.calibrationMs ?? calibrate()) / known.calibrationMs;
  const total = cpuSeconds.reduce((sum, seconds) => sum + seconds, 0) * slowness;
  // More cores do not help: crates wait for their dependencies, and linking is single-threaded.
  const minutes = Math.max(1, total / (Math.min(cores, 4) * 0.9) / 60);
  return { binaries, ...(Number.isFinite(minutes) && { minutes }) };
}

function isThere(build: CargoBuild): boolean {
  return existsSync(rustBinaryPath(build));
}

/** Measures the CPU time, ms, of work like a compiler's: creating, looking up and dropping many small objects. */
function calibrate(): number {
  calibratedMs ??= measureCalibration();
  return calibratedMs;
}

/** Cached: one command forecasts its builds several times on the same machine. */
let calibratedMs: number | undefined;

function measureCalibration(): number {
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
