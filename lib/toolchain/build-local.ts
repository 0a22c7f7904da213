import { existsSync } from "node:fs";
import type { CargoBuild, Variant } from "../plan/experiment.ts";
import recordedSeconds from "./build-seconds.json" with { type: "json" };
import { isRepository } from "./project-paths.ts";
import { localWheels, preparePythonVenv } from "./python.ts";
import { buildRustBinary, localTarget, type RustTarget, rustBinaryPath } from "./rust-build.ts";

/** A step of the preparation, for the one who waits. */
export interface BuildStep {
  readonly label: string;
  readonly state: "started" | "working" | "done";
  readonly detail?: string;
}

interface BuildOptions {
  readonly signal?: AbortSignal;
  readonly onStep?: (step: BuildStep) => void;
}

/** LocalParts are what a local run builds beside its variants. */
interface LocalParts {
  /** Those that the functions call. */
  readonly services: readonly ServiceName[];
  /**
   * Whether to build the function that does nothing, which tells what the host itself costs.
   * @default true
   */
  readonly withFloor?: boolean;
}

interface LocalBuildOptions extends BuildOptions, LocalParts {}

/** A ServiceName is a service that a stand-in replaces. */
export type ServiceName = "dynamodb" | "s3";

export const noopBinary: CargoBuild = { binaryName: "noop", profile: "release" };

/** A service a binary: none is compiled for a run that does not call it. */
export function emulatedServiceBinary(service: ServiceName): CargoBuild {
  return {
    binaryName: `standin-${service}`,
    packageName: "standins",
    features: [service],
    profile: "release",
  };
}

/**
 * Everything that a local run needs: the Python environment, in which cargo-lambda lies, then the
 * variants' binaries and, where they call one, the stand-ins. Of a user's functions, which are built,
 * the stand-ins alone; no Python is then among what was built. An installed package builds nothing.
 */
export async function buildForLocalRun(
  variants: readonly Variant[],
  options: LocalBuildOptions,
): Promise<{ readonly pythonVersion?: string }> {
  const isBuilt = options.services.length === 0 || !isRepository;
  if (variants.every(isOwn) && isBuilt) return {};
  const pythonVersion = await step("Python environment", options, preparePythonVenv);
  await step("Python packages", options, async () => prepareWheels(variants));
  await buildRustBinaries(localBuilds(variants, options), localTarget, options);
  return { pythonVersion };
}

/** The stand-ins first: they have the crate that takes longest, on one core, while others fill the other ones. */
export function localBuilds(
  variants: readonly Variant[],
  { services, withFloor = true }: LocalParts,
): readonly CargoBuild[] {
  const floor = withFloor ? [noopBinary] : [];
  const standins = isRepository ? services.map(emulatedServiceBinary) : [];
  return [...standins, ...listCargoBuilds(variants), ...floor];
}

/** Whether it is a user's function, which comes built. */
function isOwn({ source }: Variant): boolean {
  return source.kind === "artefact";
}

/** Whether the function that does nothing was built here, by this run or an earlier one. */
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
 * Profiles have build folders of their own: one fills the cores while another links on one of them. The first build
 * that fails ends the others.
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
  // Cargo's compilers end with it. Without a signal, nobody but the terminal would end a group of its own.
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

/** BuildSeconds are the times of the builds on one machine: lib/toolchain/build-seconds.json. */
export interface BuildSeconds {
  readonly machine: string;
  /** Result of `calibrationMs` on that machine. */
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

interface ForecastOptions {
  readonly cores: number;
  /** @default whether its file is there */
  readonly isBuilt?: (build: CargoBuild) => boolean;
  /** @default those that were recorded */
  readonly known?: BuildSeconds;
  /** Speed of this machine. @default it is measured */
  readonly calibrationMs?: number;
}

/** Lists what is still to be built for a run on this machine, and estimates how long that takes here. */
export function forecastBuild(
  builds: readonly CargoBuild[],
  { cores, isBuilt = isThere, known = recordedSeconds, ...given }: ForecastOptions,
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

/** The compiler hardly fills more: a crate waits for those that it stands on, and the last step is one thread's. */
function usefulCores(cores: number): number {
  return Math.min(cores, 4) * 0.9;
}

/**
 * Measures this machine's CPU time in milliseconds for work like a compiler's: many small objects, made, looked up and
 * dropped.
 */
function calibrate(): number {
  calibratedMs ??= measureCalibration();
  return calibratedMs;
}

/** A command forecasts its builds more than once, and its machine is as fast each time. */
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
