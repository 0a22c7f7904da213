import { execFileSync } from "node:child_process";
import { InvalidInput } from "../contract/errors.ts";
import { commandEnvironment } from "./command-environment.ts";
import { isRepository, projectPaths } from "./project-paths.ts";
import { findPython, venvPython } from "./python.ts";

/** What runs handlers of a language on this machine. */
export interface Interpreter {
  readonly command: string;
  /** As it says itself: 3.13.0, 20.19.1. */
  readonly version: string;
}

/** AWS's own runtime client is built for Linux alone; elsewhere the project's stands in for it. */
export const pythonRuntimeClient = process.platform === "linux" ? "awslambdaric" : "local_runtime";

/** Where the project's own runtime client lies; undefined where AWS's is taken, which pip installed. */
export const pythonClientFolder: string | undefined =
  pythonRuntimeClient === "awslambdaric" ? undefined : projectPaths.python;

/** The minor version of Python that the project's environment has, or will have: 3.13. */
export function ownPythonMinor(): string {
  return minorOf(pythonVersion(venvPython) ?? findPython().version);
}

/** The first two numbers: 3.13 of 3.13.0. */
export function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/**
 * The Python for a runtime such as python3.12: the one that is named, else one of that minor version,
 * else the project's. All need Lambda's runtime client. Throws InvalidInput where the named one lacks it.
 */
export function findPythonFor(runtime: string, named: string | undefined): Interpreter {
  if (named !== undefined) {
    const version = pythonVersion(named);
    if (version !== undefined && hasClient(named)) return { command: named, version };
    const found = version === undefined ? named : `${named}, Python ${version} without the client`;
    const install = `${named} -m pip install awslambdaric`;
    throw new InvalidInput("python", found, `one that has Lambda's runtime client (${install})`);
  }
  const own = pythonVersion(venvPython);
  if (own !== undefined && runtime === `python${minorOf(own)}`) {
    return { command: venvPython, version: own };
  }
  const version = pythonVersion(runtime);
  if (version !== undefined && hasClient(runtime)) return { command: runtime, version };
  if (own !== undefined) return { command: venvPython, version: own };
  const client =
    "a Python with Lambda's runtime client by --python (PYTHON -m pip install awslambdaric)";
  const allowed = isRepository ? `npm run setup, or ${client}` : client;
  throw new InvalidInput("python", version ?? `no ${runtime}`, allowed);
}

/** The Node.js that is named, else the one that runs Kelvin. Throws InvalidInput where it does not run. */
export function findNode(named: string | undefined): Interpreter {
  if (named === undefined) return { command: process.execPath, version: process.versions.node };
  const version = run(named, ["--version"])?.replace(/^v/, "");
  if (version !== undefined) return { command: named, version };
  throw new InvalidInput("node", named, "a Node.js that runs here");
}

function pythonVersion(command: string): string | undefined {
  return run(command, ["-c", "import platform; print(platform.python_version())"]);
}

function hasClient(command: string): boolean {
  return (
    run(command, ["-c", `import ${pythonRuntimeClient}.bootstrap; print("there")`]) === "there"
  );
}

function run(command: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(command, args, {
      encoding: "utf8",
      env: {
        ...commandEnvironment("python"),
        ...(pythonClientFolder !== undefined && { PYTHONPATH: pythonClientFolder }),
      },
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
