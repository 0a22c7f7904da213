import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../contract/errors.ts";
import { fetchIntoCache, makeCachedFolder } from "./cached-folder.ts";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";
import { venvPython } from "./python.ts";
import { runCommand } from "./run-command.ts";

/** A Python that runs users' functions. */
export interface PythonRuntime {
  readonly command: string;
  readonly version: string;
  /** Folder of the runtime's packages. */
  readonly packages: string;
}

/** AWS's runtime client is built only for Linux; elsewhere the project's own is used. */
export const pythonRuntimeClient = process.platform === "linux" ? "awslambdaric" : "local_runtime";

/** Folder of the project's own client; "" if AWS's is used, which pip installs. */
const ownClient =
  pythonRuntimeClient === "awslambdaric" ? "" : join(projectPaths.python, pythonRuntimeClient);

/** The script in the folder of the runtime's packages that starts the runtime client, with Lambda's name for it. */
export const pythonBootstrap = "bootstrap.py";

/**
 * Text of that script. On Lambda the last word of the runtime's command line is a script, which reads the handler from
 * the environment: wrapper scripts insert options of the interpreter before it.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-modify.html#runtime-wrapper
 */
const bootstrapText = `import os
import runpy
import sys

sys.argv = [sys.argv[0], os.environ["_HANDLER"]]
sys.path[0] = os.getcwd()
runpy.run_module("${pythonRuntimeClient}", run_name="__main__", alter_sys=True)
`;

/** Oldest supported minor version of Python 3: the locked client and SDK require it. */
export const oldestRuntimeMinor = 10;

/**
 * What Lambda's Python runtimes add to the standard library: the SDK with its dependencies, and the runtime client.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-python.html#python-sdk-included
 */
const runtimePackages = [
  ...["boto3", "botocore", "jmespath", "python-dateutil", "s3transfer", "six", "urllib3"],
  ...["awslambdaric", "simplejson", "snapshot-restore-py"],
] as const;

/**
 * Creates a virtual environment with only the runtime's packages, once per version, so that functions cannot import
 * the project's. For the project's own Python, the packages are copied from its environment. For another one, pip
 * fetches them with the hashes of the project's lock.
 */
export async function preparePythonRuntime(
  base: Omit<PythonRuntime, "packages">,
  say: (line: string) => void,
): Promise<PythonRuntime> {
  const lock = runtimeLock(readFileSync(join(projectPaths.python, "requirements.txt"), "utf8"));
  const key = createHash("sha256").update(
    `${lock}\0${base.command}\0${base.version}\0${bootstrapText}\0${ownClient}`,
  );
  const name = `${base.version}-${key.digest("hex").slice(0, 16)}`;
  const folder = join(projectPaths.cache, "python-runtime", name);
  if (base.command === venvPython) await makeCachedFolder(folder, copyFromProject);
  else {
    const packages = `boto3 and Lambda's runtime client for Python ${base.version}`;
    await fetchIntoCache(folder, packages, say, (unfinished) =>
      installLocked(base, lock, unfinished),
    );
  }
  const command = join(folder, "bin", "python");
  return { command, version: base.version, packages: sitePackages(folder) };
}

/** Returns the lines of a lock file that pin the runtime's packages, with their hashes. */
function runtimeLock(lock: string): string {
  const pins = lock.split(/^(?=[A-Za-z0-9])/m);
  return runtimePackages
    .map((name) => {
      const pin = pins.find((each) => each.startsWith(`${name}==`));
      if (pin === undefined) throw new Error(`the lock of the Python packages has no ${name}`);
      return pin;
    })
    .join("");
}

async function installLocked(
  { command, version }: Omit<PythonRuntime, "packages">,
  lock: string,
  folder: string,
): Promise<void> {
  const path = join(folder, "requirements.txt");
  const quiet = ["--quiet", "--disable-pip-version-check", "--progress-bar", "off"];
  const locked = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", path];
  try {
    await runCommand(command, ["-m", "venv", folder], { env: commandEnvironment("python") });
    writeFileSync(path, lock);
    const install = ["-m", "pip", "install", ...quiet, ...locked];
    await runCommand(join(folder, "bin", "python"), install, { env: commandEnvironment("pip") });
    writeBootstrap(folder);
  } catch (error) {
    const { message } = describeError(error);
    throw new Error(`Python ${version} could not be given the packages of its runtime: ${message}`);
  }
}

/** Copies the files that pip recorded. Preserved times keep the compiled files valid. */
async function copyFromProject(folder: string): Promise<void> {
  const create = ["-m", "venv", "--without-pip", folder];
  await runCommand(venvPython, create, { env: commandEnvironment("python") });
  const from = sitePackages(projectPaths.venv);
  const to = sitePackages(folder);
  for (const file of runtimePackages.flatMap((name) => recordedFiles(from, name))) {
    cpSync(join(from, file), join(to, file), { preserveTimestamps: true });
  }
  writeBootstrap(folder);
}

function writeBootstrap(folder: string): void {
  const packages = sitePackages(folder);
  writeFileSync(join(packages, pythonBootstrap), bootstrapText);
  if (ownClient !== "") symlinkSync(ownClient, join(packages, pythonRuntimeClient));
}

/** Returns the site-packages folder of a virtual environment. */
export function sitePackages(venv: string): string {
  const lib = join(venv, "lib");
  const [python = ""] = readdirSync(lib).filter((name) => name.startsWith("python3"));
  return join(lib, python, "site-packages");
}

/**
 * Lists the files that pip recorded, without programs. Empty if the package is not installed: AWS's client is built
 * only for Linux.
 * https://packaging.python.org/en/latest/specifications/recording-installed-packages/
 */
function recordedFiles(packages: string, name: string): readonly string[] {
  const prefix = `${name.replaceAll("-", "_")}-`;
  const info = readdirSync(packages).find(
    (entry) => entry.startsWith(prefix) && /^\d.*\.dist-info$/.test(entry.slice(prefix.length)),
  );
  if (info === undefined) return [];
  return readFileSync(join(packages, info, "RECORD"), "utf8")
    .split(/\r?\n/)
    .map((line) => line.split(",")[0] ?? "")
    .filter((file) => file !== "" && !file.startsWith("..") && existsSync(join(packages, file)));
}
