import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Architecture } from "../experiment/experiment.ts";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";
import { venvPython } from "./python-venv.ts";

/** What wheels are for: a Python of Lambda's Linux, or this machine's where that is no Linux. */
export type WheelTarget =
  | { readonly architecture: Architecture /** For example 3.13. */; readonly python: string }
  | "this machine";

/** Lambda's Python runs on Amazon Linux 2023, whose C library (2.34) takes wheels of all of these. */
const platforms = ["manylinux_2_28", "manylinux_2_17", "manylinux2014"] as const;

/**
 * A folder with exactly the packages that a lock names, for one platform, made when there is none.
 * Wheels alone are taken, so that nothing is compiled and no Docker is asked for. Throws where pip
 * fails: a package without such a wheel, another hash than the lock's, no project environment.
 */
export function pythonWheels(requirements: string, target: WheelTarget): string {
  const lock = join(projectPaths.python, requirements);
  const args = pipArguments(lock, target);
  const stamp = createHash("sha256").update(readFileSync(lock)).update(JSON.stringify(args));
  const name = [dirname(requirements).replaceAll("/", "-"), nameOf(target), stamp.digest("hex")];
  const folder = join(projectPaths.cache, "wheels", name.join("-").slice(0, 60));
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    pip([...args, "--target", unfinished]);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another run may have been quicker.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Without bytecode: an archive's times do not keep it valid, so that none would be read on Lambda. */
export function pipArguments(lock: string, target: WheelTarget): readonly string[] {
  const install = ["install", "--no-compile", "--no-deps", "--require-hashes", "-r", lock];
  const wheels = ["--only-binary", ":all:"];
  if (target === "this machine") return [...install, ...wheels];
  const machine = target.architecture === "arm64" ? "aarch64" : "x86_64";
  return [
    ...[...install, ...wheels, "--implementation", "cp", "--python-version", target.python],
    ...platforms.flatMap((platform) => ["--platform", `${platform}_${machine}`]),
  ];
}

function nameOf(target: WheelTarget): string {
  return target === "this machine" ? "native" : `${target.architecture}-${target.python}`;
}

function pip(args: readonly string[]): void {
  const quiet = ["--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"];
  if (!existsSync(venvPython)) {
    throw new Error(`${venvPython}: found nothing; npm run setup makes the project's environment`);
  }
  try {
    execFileSync(venvPython, ["-m", "pip", ...args, ...quiet], {
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
      env: commandEnvironment("pip"),
    });
  } catch (error) {
    throw new Error(
      `pip could not install what is locked:\n${(error as { stderr?: string }).stderr}`,
    );
  }
}
