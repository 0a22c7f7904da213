import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";
import { outputOf } from "./run-command.ts";

// Lambda's Python runtimes since 3.12 run on Amazon Linux 2023, whose OpenSSL is 3.2.2 since release 2023.7 of
// 2025-03-31 (https://github.com/amazonlinux/amazon-linux-2023/issues/512). OpenSSL 3.0, as in Debian 12 and Ubuntu
// 24.04, takes four times as long to read the public roots (https://github.com/python/cpython/issues/95031). That is
// most of the CPU time of a Python function's first HTTPS request, and was so on Lambda too until then
// (https://github.com/aws/aws-lambda-base-images/issues/154).

/** The first version that reads certificates as fast as Lambda's. */
const quickFrom = [3, 2] as const;

type Variables = Readonly<Record<string, string>>;

interface Openssl {
  /** Version, for example 3.0.19. */
  readonly version: string;
  /** Default file of its root certificates. */
  readonly rootsFile: string;
  readonly rootsFolder: string;
}

/** Returns the version of OpenSSL that a Python uses, or undefined if it has none or does not run. */
export function opensslVersion(python: string, variables: Variables = {}): string | undefined {
  return readOpenssl(python, variables)?.version;
}

function readOpenssl(python: string, variables: Variables = {}): Openssl | undefined {
  const program =
    "import ssl; paths = ssl.get_default_verify_paths(); " +
    "print(ssl.OPENSSL_VERSION, paths.openssl_cafile, paths.openssl_capath, sep='\\n')";
  const environment = { ...commandEnvironment("python"), ...variables };
  const output = outputOf(python, ["-c", program], environment) ?? "";
  const [name = "", rootsFile = "", rootsFolder = ""] = output.split("\n");
  const version = /^OpenSSL (\d+\.\d+\.\d+)/.exec(name)?.[1];
  return version === undefined ? undefined : { version, rootsFile, rootsFolder };
}

/** Returns whether this OpenSSL reads the public roots more slowly than Lambda's. */
export function isSlowOpenssl(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === quickFrom[0] && minor < quickFrom[1];
}

/**
 * Returns variables that make a Python's functions load an OpenSSL as fast as Lambda's, with the Python's own root
 * certificates. Empty if its own is fast, if it is linked statically, or if the project's environment, which contains
 * the other one, is missing.
 */
export function opensslVariables(python: string, venv: string = projectPaths.venv): Variables {
  const own = readOpenssl(python);
  if (own === undefined || !isSlowOpenssl(own.version)) return {};
  const folder = linkLibraries(venv);
  if (folder === undefined) return {};
  const roots = { SSL_CERT_FILE: own.rootsFile, SSL_CERT_DIR: own.rootsFolder };
  const variables = { LD_LIBRARY_PATH: folder, ...roots };
  const found = opensslVersion(python, variables);
  return found === undefined || isSlowOpenssl(found) ? {} : variables;
}

/**
 * Returns a folder with links to the libraries of psycopg2-binary's wheel, under the names that Python loads:
 * libssl.so.3 is libssl-81ffa89e.so.3 there. Undefined if the wheel is not installed.
 */
function linkLibraries(venv: string): string | undefined {
  const wheel = findWheelLibraries(venv);
  const libraries = wheel === undefined ? [] : readdirSync(wheel).filter(isOpenssl);
  if (wheel === undefined || libraries.length < 2) return undefined;
  const folder = join(venv, "openssl");
  mkdirSync(folder, { recursive: true });
  for (const library of libraries) {
    link(join(wheel, library), join(folder, library));
    link(join(wheel, library), join(folder, library.replace(/-[0-9a-f]+/, "")));
  }
  return folder;
}

function findWheelLibraries(venv: string): string | undefined {
  const lib = join(venv, "lib");
  if (!existsSync(lib)) return undefined;
  return readdirSync(lib)
    .map((python) => join(lib, python, "site-packages", "psycopg2_binary.libs"))
    .find((folder) => existsSync(folder));
}

function isOpenssl(library: string): boolean {
  return /^lib(?:ssl|crypto)-[0-9a-f]+\.so\.3$/.test(library);
}

/**
 * Links relatively, since functions may see the folder elsewhere. Tolerates concurrent runs: another one may create
 * the link first, or be using it.
 */
function link(to: string, path: string): void {
  const target = relative(dirname(path), to);
  if (existsSync(path) && readlinkSync(path) === target) return;
  rmSync(path, { force: true });
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
