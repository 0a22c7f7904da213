import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Architecture, CargoBuild } from "../plan/experiment.ts";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";
import { type CommandOptions, type CommandSurroundings, runCommand } from "./run-command.ts";
import { installedRust } from "./rust-toolchain.ts";

/** What a binary is built for: Lambda, or a machine that cannot run Lambda's binaries. */
export type RustTarget = Architecture | "this machine";

/** Target of a local run's processes: on Linux, the same files that the stack deploys. */
export const localTarget: RustTarget = findTarget(process.platform, process.arch);

export function findTarget(platform: string, arch: string): RustTarget {
  if (platform !== "linux") return "this machine";
  if (arch === "arm64") return "arm64";
  return arch === "x64" ? "x86_64" : "this machine";
}

/** Returns the path of the built binary. */
export function rustBinaryPath(build: CargoBuild, target: RustTarget = localTarget): string {
  const { binaryName, profile } = build;
  return target === "this machine"
    ? join(targetFolder(), profile, binaryName)
    : join(targetFolder(), "lambda", target, profile, binaryName);
}

/**
 * Builds one binary with the lock file. Each has its own command: cargo unites the features of everything that a
 * command builds, and a measured variant must have only its own.
 */
export async function buildRustBinary(
  build: CargoBuild,
  options: CommandOptions = {},
  target: RustTarget = localTarget,
): Promise<string> {
  const env = { ...commandEnvironment("rust"), ...build.environment, PATH: pathWithVenv() };
  const path = rustBinaryPath(build, target);
  if (target === "this machine") await cargo(cargoArguments(build), { ...options, env });
  else await buildForLambda(build, target, path, { ...options, env: { ...env, ...zigLookups() } });
  return path;
}

/** Returns the facts about a build that a report's reader must know. */
export function buildRecord(
  { profile, environment = {} }: CargoBuild,
  target: RustTarget = localTarget,
): Readonly<Record<string, string>> {
  const isForLambda = target !== "this machine";
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return {
    tool: isForLambda ? "cargo lambda, as deployed" : "cargo",
    profile,
    target: isForLambda ? `Linux, ${target}` : target,
    ...(variables.length > 0 && { environment: variables.join(" ") }),
  };
}

/** Maximum attempts if a concurrent build interferes. */
const mostAttempts = 5;

/**
 * Builds with the stack's command into a temporary folder, then moves the binary into place, because another run may
 * be executing the old one. The command moves the binary out of cargo's folder, where a concurrent build may miss it;
 * the next attempt finds it again.
 */
async function buildForLambda(
  build: CargoBuild,
  architecture: Architecture,
  path: string,
  options: CommandSurroundings,
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  removeLeftovers(dirname(path));
  const folder = mkdtempSync(`${path}-`);
  try {
    const built = join(folder, "bootstrap");
    for (let attempt = 1; attempt <= mostAttempts && !existsSync(built); attempt += 1) {
      const building = cargo(cargoLambdaArguments(build, architecture, folder), options);
      await building.catch((error: unknown) => {
        if (attempt === mostAttempts || !isRace(error)) throw error;
      });
    }
    if (!existsSync(built)) {
      throw new Error(
        `cargo lambda left no ${built}: is another build of ${build.profile} running?`,
      );
    }
    renameSync(built, path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Matches the output of a command that failed because of a concurrent one:
 * - On a machine without cargo-zigbuild's cache, both link zig's wrapper there, and the second one fails before
 * compiling. Its next attempt finds the wrapper. `symlink_wrapper` in
 *   https://github.com/rust-cross/cargo-zigbuild/blob/main/src/zig/wrapper.rs
 * - Both see the binary in cargo's folder, and the second one can no longer move it.
 */
const racePattern = /File exists \(os error 17\)|error moving the binary/;

function isRace(error: unknown): boolean {
  return error instanceof Error && racePattern.test(error.message);
}

/** Removes the folders of killed builds: a build is no longer running after a day. */
function removeLeftovers(place: string): void {
  const dayMs = 24 * 60 * 60_000;
  for (const entry of readdirSync(place, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = join(place, entry.name);
    // Another build may remove it at the same time.
    const changedMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
    if (Date.now() - changedMs > dayMs) rmSync(folder, { recursive: true, force: true });
  }
}

function cargoArguments(build: CargoBuild): readonly string[] {
  const chosen = [...chosenPackage(build), "--bin", build.binaryName];
  return ["build", "--locked", ...chosen, "--profile", build.profile];
}

async function cargo(args: readonly string[], options: CommandSurroundings): Promise<void> {
  await runCommand("cargo", args, { ...options, cwd: projectPaths.rust }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      throw new Error(
        "cargo: found nothing on PATH; install Rust 1.94.1 or later (https://rustup.rs)",
      );
    },
  );
}

function targetFolder(): string {
  return resolve(projectPaths.rust, process.env.CARGO_TARGET_DIR ?? "target");
}

/**
 * Returns the flags that follow those of the stack's construct. A command builds one package with Cargo.toml's
 * profile: by default cargo-lambda would change the profile `release`, and no other.
 */
export function cargoLambdaFlags(build: CargoBuild): readonly string[] {
  return [...chosenPackage(build), "--locked", "--disable-optimizations"];
}

/** Returns the arguments that select a package and its features, for any cargo command. */
export function chosenPackage({
  binaryName,
  packageName = binaryName,
  manifestPath,
  features = [],
}: CargoBuild): readonly string[] {
  const manifest = manifestPath === undefined ? [] : ["--manifest-path", manifestPath];
  const chosen = [...manifest, "--package", packageName];
  return features.length === 0 ? chosen : [...chosen, "--features", features.join(",")];
}

/**
 * Returns exactly the arguments with which the stack's construct (cargo-lambda-cdk) builds a function, so that each
 * finds the other's output. The command writes `bootstrap` to the folder.
 */
export function cargoLambdaArguments(
  build: CargoBuild,
  architecture: Architecture,
  folder: string,
): readonly string[] {
  const { binaryName, profile } = build;
  return [
    ...["lambda", "build", "--lambda-dir", folder],
    ...(profile === "release" ? ["--release"] : ["--profile", profile]),
    architecture === "arm64" ? "--arm64" : "--x86-64",
    ...["--bin", binaryName, "--flatten", binaryName],
    ...cargoLambdaFlags(build),
  ];
}

/** Returns PATH with the project's virtual environment first, which contains cargo-lambda and zig. */
export function pathWithVenv(): string {
  return [projectPaths.venvBin, process.env.PATH ?? ""].join(delimiter);
}

/**
 * Returns variables that tell cargo-lambda where zig is and which rustc is used. Otherwise it asks Python and rustc
 * for each of the hundreds of C files that zig compiles, which is half of the time of a small one. Empty if one is
 * not found. They do not change any output.
 * https://github.com/rust-cross/cargo-zigbuild/blob/main/src/zig/locate.rs
 */
export function zigLookups(venv: string = projectPaths.venv): Readonly<Record<string, string>> {
  const zig = findZig(venv);
  const rustc = installedRust();
  if (zig === undefined || rustc === undefined) return {};
  return {
    // It always asks this first; `false` fails, so it uses the path.
    CARGO_ZIGBUILD_PYTHON_PATH: "false",
    CARGO_ZIGBUILD_ZIG_PATH: zig,
    CARGO_ZIGBUILD_RUSTC_VERSION: rustc,
  };
}

function findZig(venv: string): string | undefined {
  const lib = join(venv, "lib");
  const pythons = existsSync(lib) ? readdirSync(lib) : [];
  const places = pythons.map((python) => join(lib, python, "site-packages", "ziglang", "zig"));
  return places.find((place) => existsSync(place));
}
