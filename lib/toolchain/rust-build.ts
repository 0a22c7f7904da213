import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectPaths } from "./project-paths.ts";
import { type CommandOptions, runCommand } from "./run-command.ts";

export interface RustBinary {
  /** Package and binary have the same name. */
  readonly name: string;
  /** Cargo profile; profiles have folders of their own and can be built side by side. */
  readonly profile: string;
}

/** Where cargo leaves the binary. */
export function rustBinaryPath(binary: RustBinary): string {
  const target = process.env.CARGO_TARGET_DIR ?? join(projectPaths.rust, "target");
  return join(target, binary.profile, binary.name);
}

/**
 * Builds one binary for this machine by the lockfile. One command a binary: cargo unites the features
 * of everything that one command builds, and a measured variant must have its own and no others.
 */
export async function buildRustBinary(
  binary: RustBinary,
  options: CommandOptions = {},
): Promise<string> {
  const args = ["build", "--locked", "--package", binary.name, "--profile", binary.profile];
  await runCommand("cargo", args, { ...options, cwd: projectPaths.rust }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      throw new Error(
        "cargo: found nothing on PATH; install Rust 1.94.1 or later (https://rustup.rs)",
      );
    },
  );
  const path = rustBinaryPath(binary);
  if (!existsSync(path)) throw new Error(`cargo built no ${path}`);
  return path;
}
