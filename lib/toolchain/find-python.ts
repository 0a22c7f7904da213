import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";

export interface PythonInterpreter {
  readonly command: string;
  readonly version: string;
}

/** The version of Lambda's python runtime that the experiments deploy. */
const lambdaVersion = "3.13";
const oldest = [3, 11] as const;

/**
 * The Python to measure with: the Lambda runtime's own version where it is found, else the default.
 * A candidate counts only if it runs: pyenv's shims stand on PATH and may still refuse.
 */
export function findPython(): PythonInterpreter {
  const candidates = [`python${lambdaVersion}`, ...pyenvPythons(), "python3", "python"];
  for (const command of candidates) {
    const version = versionOf(command);
    if (version !== undefined && isNewEnough(version)) return { command, version };
  }
  throw new Error(
    `Python: found none of ${candidates.join(", ")} that runs at ${oldest.join(".")} or later; ` +
      `install Python ${lambdaVersion} (Lambda's own version) with its venv module`,
  );
}

/** The version that the command reports, or undefined when it does not run. */
export function versionOf(command: string): string | undefined {
  try {
    const program = "import platform, venv; print(platform.python_version())";
    return execFileSync(command, ["-c", program], {
      encoding: "utf8",
      env: commandEnvironment("python"),
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}

function pyenvPythons(): readonly string[] {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), ".pyenv"), "versions");
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .filter((name) => name.startsWith(`${lambdaVersion}.`))
    .map((name) => join(versions, name, "bin", "python3"));
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === oldest[0] && minor >= oldest[1];
}
