import { describeError, InvalidInput } from "../contract/errors.ts";
import { commandEnvironment } from "./command-environment.ts";
import { fetchedNodeMajors, fetchNode } from "./node-binaries.ts";
import { findPython, pyenvPythons, venvPython } from "./python.ts";
import { oldestRuntimeMinor, type PythonRuntime, preparePythonRuntime } from "./python-runtime.ts";
import { outputOf } from "./run-command.ts";

/** An interpreter that runs handlers on this machine. */
export interface Interpreter {
  readonly command: string;
  /** Version that it reports, for example 3.13.0 or 20.19.1. */
  readonly version: string;
}

interface InterpreterOptions {
  /** Command given by the user. @default searched for */
  readonly named?: string | undefined;
  /** Whether another version is accepted if the requested one is missing. @default false */
  readonly isAnyVersion?: boolean;
  readonly say: (line: string) => void;
}

/** Returns the Python version, such as 3.13, that the project's environment has or will have. */
export function ownPythonMinor(): string {
  return minorOf(pythonVersion(venvPython) ?? findPython().version);
}

/** Returns the first two numbers: 3.13 for 3.13.0. */
export function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/** Returns the version of a Python given by the user. Throws InvalidInput if it does not run. */
export function namedPythonVersion(named: string): string {
  const version = pythonVersion(named);
  if (version !== undefined) return version;
  throw new InvalidInput("python", named, "a Python that runs here", notRunning("python", named));
}

/**
 * Returns a Python for a runtime such as python3.12, with the packages that the runtime adds to the standard library.
 * Throws InvalidInput if this machine has no Python of that version, or if Lambda's client does not support it.
 */
export async function findPythonFor(
  runtime: string,
  options: InterpreterOptions,
): Promise<PythonRuntime> {
  const base = choosePython(runtime, options);
  const [, minor = 0] = base.version.split(".").map(Number);
  if (minor < oldestRuntimeMinor) {
    const allowed = `python3.${oldestRuntimeMinor} or later, which Lambda's runtime client asks for`;
    throw new InvalidInput("runtime", runtime, allowed);
  }
  return await preparePythonRuntime(base, options.say);
}

function choosePython(
  runtime: string,
  { named, isAnyVersion = false }: InterpreterOptions,
): Interpreter {
  const minor = runtime.replace("python", "");
  if (named !== undefined) {
    const version = namedPythonVersion(named);
    if (isAnyVersion || minorOf(version) === minor) return { command: named, version };
    throw anotherVersion(runtime, `Python ${version} (${named})`, "another --python");
  }
  const found: Interpreter[] = [];
  for (const command of [venvPython, runtime, ...pyenvPythons(minor), "python3"]) {
    const version = pythonVersion(command);
    if (version === undefined) continue;
    if (minorOf(version) === minor) return { command, version };
    found.push({ command, version });
  }
  const [other] = found;
  if (other !== undefined && isAnyVersion) return other;
  const versions = [...new Set(found.map(({ version }) => version))].join(", ");
  const there = versions === "" ? "no Python" : `Python ${versions}`;
  throw anotherVersion(runtime, there, `Python ${minor} on PATH or by --python COMMAND`);
}

function anotherVersion(runtime: string, found: string, remedy: string): InvalidInput {
  const allowed = `a runtime whose version runs here; found ${found}. Use ${remedy}, or --any-version to measure on what was found`;
  return new InvalidInput("runtime", runtime, allowed);
}

/** Returns `22` for the runtime nodejs22.x; undefined for runtimes of other languages. */
export function nodeMajor(runtime: string): string | undefined {
  return /^nodejs(\d+)\.x$/.exec(runtime)?.[1];
}

/**
 * Returns a Node.js for a runtime such as nodejs22.x: the one that runs Kelvin if the version matches, else one
 * fetched with npm. Throws InvalidInput if there is none.
 */
export async function findNodeFor(
  runtime: string,
  { named, isAnyVersion = false, say }: InterpreterOptions,
): Promise<Interpreter> {
  const major = nodeMajor(runtime) ?? "";
  const own = named === undefined ? ownNode : namedNode(named);
  if (own.version.split(".")[0] === major || isAnyVersion) return own;
  if (named !== undefined) {
    throw anotherVersion(runtime, `Node.js ${own.version} (${named})`, "another --node");
  }
  if (!fetchedNodeMajors.includes(Number(major))) {
    const known = fetchedNodeMajors.map((each) => `nodejs${each}.x`).join(", ");
    throw new InvalidInput("runtime", runtime, `${known}, or --node COMMAND with --any-version`);
  }
  try {
    return await fetchNode(Number(major), { say });
  } catch (error) {
    const remedy = `--node COMMAND (npm could not bring one: ${describeError(error).message})`;
    throw anotherVersion(runtime, `Node.js ${own.version}`, remedy);
  }
}

const ownNode: Interpreter = { command: process.execPath, version: process.versions.node };

function namedNode(named: string): Interpreter {
  const version = run(named, ["--version"])?.replace(/^v/, "");
  if (version !== undefined) return { command: named, version };
  throw new InvalidInput("node", named, "a Node.js that runs here", notRunning("node", named));
}

function notRunning(option: string, command: string): string {
  return `--${option}: ${command} does not run here, or is no ${option === "node" ? "Node.js" : "Python"}`;
}

function pythonVersion(command: string): string | undefined {
  return run(command, ["-c", "import platform; print(platform.python_version())"]);
}

function run(command: string, args: readonly string[]): string | undefined {
  return outputOf(command, args, commandEnvironment("python"));
}
