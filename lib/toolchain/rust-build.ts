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
import { rustcVersion } from "./rust-toolchain.ts";

/** A RustTarget is what a binary is built for: Lambda, or a machine on which Lambda's binaries do not run. */
export type RustTarget = Architecture | "this machine";

/** `localTarget` is what the processes of a local run are built for: on Linux the very files that the stack deploys. */
export const localTarget: RustTarget = findTarget(process.platform, process.arch);

export function findTarget(platform: string, arch: string): RustTarget {
  if (platform !== "linux") return "this machine";
  if (arch === "arm64") return "arm64";
  return arch === "x64" ? "x86_64" : "this machine";
}

/** Returns the path of the binary once it is built. */
export function rustBinaryPath(build: CargoBuild, target: RustTarget = localTarget): string {
  const { binaryName, profile } = build;
  return target === "this machine"
    ? join(targetFolder(), profile, binaryName)
    : join(targetFolder(), "lambda", target, profile, binaryName);
}

/**
 * Builds one binary by the lockfile. One command a binary: cargo unites the features of everything
 * that one command builds, and a measured variant must have its own and no others.
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

/** Records what a reader of a report must know about how a binary was built. */
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

/** `mostAttempts` limits how often a build is tried again because another one at the same time is in the way. */
const mostAttempts = 5;

/**
 * Builds with the stack's command, which copies into the given folder. Another run may be executing what is
 * there, so the binary is moved to its place afterwards. The command moves it out of cargo's folder, where a
 * build that ends at the same moment misses it; the next attempt finds it again.
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
 * `racePattern` matches what a command prints that failed because of another one at the same moment:
 * - On a machine without cargo-zigbuild's cache, both link zig's wrapper there, and the second one ends before it has
 *   compiled anything. At its next attempt the wrapper is there. `symlink_wrapper` in
 *   https://github.com/rust-cross/cargo-zigbuild/blob/main/src/zig/wrapper.rs
 * - Both see the binary in cargo's folder, and the second one cannot move it any more.
 */
const racePattern = /File exists \(os error 17\)|error moving the binary/;

function isRace(error: unknown): boolean {
  return error instanceof Error && racePattern.test(error.message);
}

/** Builds that were killed leave their folder; one that is this old is no longer going. */
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
 * Returns the flags that follow those that the stack's construct chooses. A command builds one package, with the
 * profile of Cargo.toml alone: left to itself, cargo-lambda would change `release` and no other profile.
 */
export function cargoLambdaFlags(build: CargoBuild): readonly string[] {
  return [...chosenPackage(build), "--locked", "--disable-optimizations"];
}

/** One package, and what of it: words that every command of cargo takes. */
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
 * The command by which the stack's construct (cargo-lambda-cdk) builds a function, word by word: the
 * same command finds everything built. It leaves `bootstrap` in the folder.
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

/** PATH with the project's virtual environment first: cargo-lambda and zig live there. */
export function pathWithVenv(): string {
  return [projectPaths.venvBin, process.env.PATH ?? ""].join(delimiter);
}

/**
 * Answers to what cargo-lambda asks Python and rustc anew at each of the hundreds of C files that zig
 * compiles for it, which is half of the time of a small one: where zig lies, and which rustc this is.
 * Nothing where a part is not to be found. No file that is built depends on them.
 * https://github.com/rust-cross/cargo-zigbuild/blob/main/src/zig/locate.rs
 */
export function zigLookups(venv: string = projectPaths.venv): Readonly<Record<string, string>> {
  const zig = findZig(venv);
  const rustc = rustcOrNone();
  if (zig === undefined || rustc === undefined) return {};
  return {
    // Asked first, and always: `false` says no, so that the path is taken.
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

function rustcOrNone(): string | undefined {
  try {
    return rustcVersion();
  } catch {
    return undefined;
  }
}
