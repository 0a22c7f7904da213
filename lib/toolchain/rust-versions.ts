import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";

/** Of the compiler that builds the workspace; undefined where it does not say one. Throws where there is none. */
export function rustcVersion(): string | undefined {
  const line = execFileSync("rustc", ["--version"], {
    cwd: projectPaths.rust,
    encoding: "utf8",
    env: commandEnvironment("rust"),
  });
  return line.split(" ")[1];
}

/** The first version that the workspace's lockfile has of a crate; undefined where it has none. */
export function lockedVersion(crate: string): string | undefined {
  return lockedVersions(crate)[0];
}

/** All of them: two dependencies may ask for a crate in two versions. */
export function lockedVersions(crate: string): readonly string[] {
  const lock = readFileSync(join(projectPaths.rust, "Cargo.lock"), "utf8");
  const packages = lock.matchAll(new RegExp(`name = "${crate}"\\nversion = "([^"]+)"`, "g"));
  return [...packages].map(([, version = ""]) => version);
}
