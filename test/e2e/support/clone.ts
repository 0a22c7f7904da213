import { execFileSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";

/** Copies the files that a clone has. They keep their dates, by which cargo tells whether to compile them again. */
export function cloneRepository(folder: string): void {
  const options = { cwd: projectPaths.root, encoding: "utf8" } as const;
  const files = execFileSync("git", ["ls-files", "-z"], options).split("\0").filter(Boolean);
  for (const path of files) {
    cpSync(join(projectPaths.root, path), join(folder, path), { preserveTimestamps: true });
  }
}

/** Gives a clone folders that the repository has already made. */
export function shareFolders(folder: string, ...names: readonly string[]): void {
  for (const name of names) symlinkSync(join(projectPaths.root, name), join(folder, name));
}

/** Makes a clone's commands use the Rust builds of the repository, most of which take minutes. */
export const sharedRustBuilds = {
  CARGO_TARGET_DIR: process.env.CARGO_TARGET_DIR ?? join(projectPaths.rust, "target"),
} as const;
