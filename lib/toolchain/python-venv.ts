import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { findPython, versionOf } from "./find-python.ts";
import { projectPaths } from "./project-paths.ts";
import { type CommandOptions, runCommand } from "./run-command.ts";

/** A virtual environment and exactly what it holds. */
export interface PythonVenv {
  readonly folder: string;
  /** Lock files, installed in turn. A lock names everything: nothing is resolved. */
  readonly locks: readonly string[];
  /**
   * Packages that have no wheel; an earlier lock brings what builds them.
   * @default none
   */
  readonly fromSource?: readonly string[];
  /**
   * Folder of a package of the project's own, installed in place.
   * @default none
   */
  readonly ownPackage?: string;
  /**
   * True to have a module compiled when it is first imported, and not all at once, which is ten seconds of
   * a core for what mostly nobody imports. Not where a start is measured.
   * @default false
   */
  readonly isCompiledLater?: boolean;
}

export const venvPython: string = join(projectPaths.venvBin, "python");

const projectVenv: PythonVenv = {
  folder: projectPaths.venv,
  locks: [join(projectPaths.python, "requirements.txt")],
};

/**
 * Makes a virtual environment, the project's own if none is named, hold exactly what its locks name;
 * does nothing when it does already. Returns the version of its Python.
 */
export async function preparePythonVenv(
  options: CommandOptions = {},
  venv: PythonVenv = projectVenv,
): Promise<string> {
  const python = findPython();
  const stampPath = join(venv.folder, "kelvin-lock.sha256");
  const stamp = stampOf(venv, python.version);
  const isCurrent = existsSync(stampPath) && readFileSync(stampPath, "utf8") === stamp;
  const own = pythonOf(venv);
  if (!isCurrent || versionOf(own) !== python.version) {
    rmSync(venv.folder, { recursive: true, force: true });
    await runCommand(python.command, ["-m", "venv", venv.folder], {
      ...options,
      env: commandEnvironment("python"),
    });
    for (const args of installations(venv)) {
      const quiet = ["--disable-pip-version-check", "--progress-bar", "off"];
      const install = ["-m", "pip", "install", "--no-deps", ...quiet, ...args];
      await runCommand(own, install, { ...options, env: commandEnvironment("pip") });
    }
    writeFileSync(stampPath, stamp);
  }
  return python.version;
}

export function pythonOf(venv: PythonVenv): string {
  return join(venv.folder, "bin", "python");
}

function stampOf({ locks, ownPackage }: PythonVenv, version: string): string {
  const hash = createHash("sha256");
  for (const lock of locks) hash.update(readFileSync(lock));
  if (ownPackage !== undefined) hash.update(readFileSync(join(ownPackage, "pyproject.toml")));
  return hash.update(version).digest("hex");
}

function installations(venv: PythonVenv): string[][] {
  const { locks, fromSource = [], ownPackage, isCompiledLater = false } = venv;
  const compiled = isCompiledLater ? ["--no-compile"] : [];
  const wheels = ["--require-hashes", "--only-binary", ":all:"];
  const sources = fromSource.flatMap((name) => ["--no-binary", name, "--no-build-isolation"]);
  const locked = locks.map((lock) => [...compiled, ...wheels, ...sources, "-r", lock]);
  if (ownPackage === undefined) return locked;
  return [...locked, ["--no-index", "--no-build-isolation", "--editable", ownPackage]];
}
