import { delimiter } from "node:path";
import type { Architecture, CargoBuild } from "../experiment/experiment.ts";
import { projectPaths } from "./project-paths.ts";

/**
 * What follows the flags that the stack's construct chooses. One package a command, and the profile of
 * Cargo.toml alone: left to itself, cargo-lambda would change `release` and no other profile.
 */
export function cargoLambdaFlags({
  binaryName,
  packageName = binaryName,
}: CargoBuild): readonly string[] {
  return ["--package", packageName, "--locked", "--disable-optimizations"];
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
