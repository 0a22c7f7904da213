import type { CargoBuild, Variant } from "../experiment/experiment.ts";
import { localWheels } from "./local-wheels.ts";
import { preparePythonVenv } from "./python-venv.ts";
import { buildRustBinary, localTarget, type RustTarget } from "./rust-build.ts";

/** A step of the preparation, for the one who waits. */
export interface BuildStep {
  readonly label: string;
  readonly state: "started" | "working" | "done";
  readonly detail?: string;
}

export interface BuildOptions {
  readonly signal?: AbortSignal;
  readonly onStep?: (step: BuildStep) => void;
}

export interface LocalBuildOptions extends BuildOptions {
  /** Those that the functions call. */
  readonly services: readonly StandinService[];
}

/** What a stand-in is there for. */
export type StandinService = "dynamodb" | "s3";

export const noopBinary: CargoBuild = { binaryName: "noop", profile: "release" };

/** A service a binary: none is compiled for a run that does not call it. */
export function standinBinary(service: StandinService): CargoBuild {
  return {
    binaryName: `standin-${service}`,
    packageName: "standins",
    features: [service],
    profile: "release",
  };
}

/**
 * Everything that a local run needs: the Python environment, in which cargo-lambda lies, then the
 * variants' binaries and, where they call one, the stand-ins.
 */
export async function buildForLocalRun(
  variants: readonly Variant[],
  options: LocalBuildOptions,
): Promise<{ readonly pythonVersion: string }> {
  const pythonVersion = await step("Python environment", options, preparePythonVenv);
  await step("Python packages", options, async () => prepareWheels(variants));
  await buildRustBinaries(localBuilds(variants, options.services), localTarget, options);
  return { pythonVersion };
}

/** The stand-ins first: they have the crate that takes longest, on one core, while others fill the other ones. */
export function localBuilds(
  variants: readonly Variant[],
  services: readonly StandinService[],
): readonly CargoBuild[] {
  return [...services.map(standinBinary), ...cargoBuildsOf(variants), noopBinary];
}

function prepareWheels(variants: readonly Variant[]): void {
  for (const { source } of variants) if (source.kind === "python") localWheels(source);
}

export function cargoBuildsOf(variants: readonly Variant[]): readonly CargoBuild[] {
  return variants.flatMap(({ source }) => (source.kind === "cargo" ? [source] : []));
}

/** Profiles have build folders of their own: one fills the cores while another links on one of them. */
export async function buildRustBinaries(
  builds: readonly CargoBuild[],
  target: RustTarget,
  options: BuildOptions = {},
): Promise<void> {
  const profiles = [...new Set(builds.map(({ profile }) => profile))];
  const chains = profiles.map((profile) => builds.filter((build) => build.profile === profile));
  await Promise.all(chains.map((chain) => buildInTurn(chain, target, options)));
}

async function buildInTurn(
  chain: readonly CargoBuild[],
  target: RustTarget,
  options: BuildOptions,
): Promise<void> {
  for (const build of chain) {
    const label = `${build.binaryName} (${build.profile})`;
    await step(label, options, (command) => buildRustBinary(build, command, target));
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
