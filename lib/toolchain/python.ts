import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Architecture, PythonSource } from "../plan/experiment.ts";
import { makeCachedFolderSync } from "./cached-folder.ts";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";
import { type CommandOptions, outputOf, runCommand } from "./run-command.ts";
import { localTarget } from "./rust-build.ts";

/** A virtual environment and its exact content. */
export interface PythonVenv {
  readonly folder: string;
  /** Lock files, installed in order. They list all packages: nothing is resolved. */
  readonly locks: readonly string[];
  /**
   * Packages without a wheel. An earlier lock file contains their build tools.
   * @default none
   */
  readonly fromSource?: readonly string[];
  /**
   * Folder of a package of this project, installed in place.
   * @default none
   */
  readonly ownPackage?: string;
  /**
   * Whether modules are compiled at their first import rather than all at once, which takes ten seconds of a core.
   * Must be false where a start is measured.
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
 * Installs exactly the content of the lock files into a virtual environment, by default the project's. Does nothing
 * if it is up to date. Returns the version of its Python.
 */
export async function preparePythonVenv(
  options: CommandOptions = {},
  venv: PythonVenv = projectVenv,
): Promise<string> {
  const python = findPython();
  const stampPath = join(venv.folder, "kelvin-lock.sha256");
  const stamp = makeStamp(venv, python.version);
  const isCurrent = existsSync(stampPath) && readFileSync(stampPath, "utf8") === stamp;
  const own = pythonPath(venv);
  if (!isCurrent || readVersion(own) !== python.version) {
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

export function pythonPath(venv: PythonVenv): string {
  return join(venv.folder, "bin", "python");
}

function makeStamp({ locks, ownPackage }: PythonVenv, version: string): string {
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

interface PythonInterpreter {
  readonly command: string;
  readonly version: string;
}

/** Python version of the runtime that the experiments deploy. */
const lambdaVersion = "3.13";
const oldest = [3, 11] as const;

/**
 * Returns the Python to measure with: Lambda's version if found, else the default. A candidate must run: pyenv's
 * shims are on PATH but may refuse.
 */
export function findPython(): PythonInterpreter {
  const candidates = [
    `python${lambdaVersion}`,
    ...pyenvPythons(lambdaVersion),
    "python3",
    "python",
  ];
  for (const command of candidates) {
    const version = readVersion(command);
    if (version !== undefined && isNewEnough(version)) return { command, version };
  }
  throw new Error(
    `Python: found none of ${candidates.join(", ")} at version ${oldest.join(".")} or later that runs; ` +
      `install Python ${lambdaVersion} (Lambda's own version) with its venv module`,
  );
}

/** Returns the version that the command reports, or undefined if it does not run. */
function readVersion(command: string): string | undefined {
  const program = "import platform, venv; print(platform.python_version())";
  return outputOf(command, ["-c", program], commandEnvironment("python"));
}

/** Lists pyenv's interpreters, because its shims refuse versions that are not selected. */
export function pyenvPythons(minor: string): readonly string[] {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), ".pyenv"), "versions");
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .filter((name) => name.startsWith(`${minor}.`))
    .map((name) => join(versions, name, "bin", "python3"));
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === oldest[0] && minor >= oldest[1];
}

/** The Python that wheels are for: Lambda's on Linux, or this machine's if that is not Linux. */
type WheelTarget =
  | { readonly architecture: Architecture /** For example 3.13. */; readonly python: string }
  | "this machine";

/** Amazon Linux 2023, on which Lambda's Python runs, has a C library (2.34) that supports wheels of all of these. */
const platforms = ["manylinux_2_28", "manylinux_2_17", "manylinux2014"] as const;

/**
 * Returns a cached folder with exactly the packages of a lock file, for one platform. Only wheels are used, so
 * nothing is compiled and no Docker is needed. Throws if pip fails: no such wheel, a hash mismatch, or no project
 * environment.
 */
export function pythonWheels(requirements: string, target: WheelTarget): string {
  const lock = join(projectPaths.python, requirements);
  const args = pipArguments(lock, target);
  const stamp = createHash("sha256").update(readFileSync(lock)).update(JSON.stringify(args));
  const name = [
    dirname(requirements).replaceAll("/", "-"),
    targetName(target),
    stamp.digest("hex"),
  ];
  const folder = join(projectPaths.cache, "python-packages", name.join("-").slice(0, 60));
  makeCachedFolderSync(folder, (unfinished) => pip([...args, "--target", unfinished]));
  return folder;
}

/** Omits bytecode: an archive's file times would invalidate it, so Lambda would not use it. */
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

function targetName(target: WheelTarget): string {
  return target === "this machine" ? "native" : `${target.architecture}-${target.python}`;
}

function pip(args: readonly string[]): void {
  const quiet = ["--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"];
  if (!existsSync(venvPython)) {
    throw new Error(
      `${venvPython}: found nothing; npm run setup creates the project's environment`,
    );
  }
  try {
    execFileSync(venvPython, ["-m", "pip", ...args, ...quiet], {
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
      env: commandEnvironment("pip"),
    });
  } catch (error) {
    throw new Error(
      `pip could not install the locked packages:\n${(error as { stderr?: string }).stderr}`,
    );
  }
}

/** Returns a variant's packages for this machine's Python, or undefined if it has none. */
export function localWheels({ requirements }: PythonSource): string | undefined {
  return requirements === undefined ? undefined : pythonWheels(requirements, wheelTarget());
}

/** Returns the target of wheels: on Linux, the ones that the stack deploys if the Python is Lambda's. */
export function wheelTarget(): WheelTarget {
  if (localTarget === "this machine") return localTarget;
  const [major, minor] = (readVersion(venvPython) ?? "3.13").split(".");
  return { architecture: localTarget, python: `${major}.${minor}` };
}
