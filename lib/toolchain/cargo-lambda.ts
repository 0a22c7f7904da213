import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Architecture, CargoBuild } from "../experiment/experiment.ts";
import { projectPaths } from "./project-paths.ts";
import { rustcVersion } from "./rust-versions.ts";

/**
 * What follows the flags that the stack's construct chooses. One package a command, and the profile of
 * Cargo.toml alone: left to itself, cargo-lambda would change `release` and no other profile.
 */
export function cargoLambdaFlags(build: CargoBuild): readonly string[] {
  return [...chosenPackage(build), "--locked", "--disable-optimizations"];
}

/** One package, and what of it: words that every command of cargo takes. */
export function chosenPackage({
  binaryName,
  packageName = binaryName,
  features = [],
}: CargoBuild): readonly string[] {
  const chosen = ["--package", packageName];
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
  const zig = zigOf(venv);
  const rustc = rustcOrNone();
  if (zig === undefined || rustc === undefined) return {};
  return {
    // Asked first, and always: `false` says no, so that the path is taken.
    CARGO_ZIGBUILD_PYTHON_PATH: "false",
    CARGO_ZIGBUILD_ZIG_PATH: zig,
    CARGO_ZIGBUILD_RUSTC_VERSION: rustc,
  };
}

function zigOf(venv: string): string | undefined {
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
