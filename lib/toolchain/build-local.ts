import type { Variant } from "../experiment/experiment.ts";
import { preparePythonVenv } from "./python-venv.ts";
import { buildRustBinary, type RustBinary } from "./rust-build.ts";

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

export const noopBinary: RustBinary = { name: "noop", profile: "release" };
export const standinsBinary: RustBinary = { name: "standins", profile: "release" };

/** Everything that a local run needs: the Python environment, the variants' binaries, the stand-ins. */
export async function buildForLocalRun(
  variants: readonly Variant[],
  options: BuildOptions = {},
): Promise<{ readonly pythonVersion: string }> {
  const binaries = [...variants.flatMap(rustBinaryOf), noopBinary, standinsBinary];
  const [pythonVersion] = await Promise.all([
    step("Python environment", options, (commandOptions) => preparePythonVenv(commandOptions)),
    ...byProfile(binaries).map((chain) => buildInTurn(chain, options)),
  ]);
  return { pythonVersion };
}

export function rustBinaryOf(variant: Variant): readonly RustBinary[] {
  const { source } = variant;
  return source.kind === "cargo" ? [{ name: source.binaryName, profile: source.profile }] : [];
}

/** Profiles have build folders of their own: one fills the cores while another links on one of them. */
function byProfile(binaries: readonly RustBinary[]): readonly (readonly RustBinary[])[] {
  const profiles = [...new Set(binaries.map((binary) => binary.profile))];
  return profiles.map((profile) => binaries.filter((binary) => binary.profile === profile));
}

async function buildInTurn(chain: readonly RustBinary[], options: BuildOptions): Promise<void> {
  for (const binary of chain) {
    const label = `${binary.name} (${binary.profile})`;
    await step(label, options, (commandOptions) => buildRustBinary(binary, commandOptions));
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
