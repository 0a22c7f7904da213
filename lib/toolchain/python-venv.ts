import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPython, versionOf } from "./find-python.ts";
import { projectPaths } from "./project-paths.ts";
import { type CommandOptions, runCommand } from "./run-command.ts";

const stampPath = join(projectPaths.venv, "kelvin-lock.sha256");

export const venvPython: string = join(projectPaths.venvBin, "python");

/**
 * Makes the project's virtual environment hold exactly what lambdas/python/requirements.txt locks;
 * does nothing when it does already. Returns the version of its Python.
 */
export async function preparePythonVenv(options: CommandOptions = {}): Promise<string> {
  const lockPath = join(projectPaths.python, "requirements.txt");
  const python = findPython();
  const stamp = createHash("sha256")
    .update(readFileSync(lockPath))
    .update(python.version)
    .digest("hex");
  const isCurrent = existsSync(stampPath) && readFileSync(stampPath, "utf8") === stamp;
  if (!isCurrent || versionOf(venvPython) !== python.version) {
    rmSync(projectPaths.venv, { recursive: true, force: true });
    await runCommand(python.command, ["-m", "venv", projectPaths.venv], options);
    const install = ["-m", "pip", "install", "--require-hashes", "--only-binary", ":all:"];
    const quiet = ["--disable-pip-version-check", "--progress-bar", "off"];
    await runCommand(venvPython, [...install, ...quiet, "-r", lockPath], options);
    writeFileSync(stampPath, stamp);
  }
  return python.version;
}
