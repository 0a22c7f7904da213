import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";

// Lambda's Python runtimes since 3.12 run on Amazon Linux 2023, whose OpenSSL is 3.2.2 since release 2023.7 of
// 2025-03-31 (https://github.com/amazonlinux/amazon-linux-2023/issues/512). 3.0, which Debian 12 and Ubuntu 24.04
// have, takes four times as long to read the public roots (https://github.com/python/cpython/issues/95031): most
// of what the first HTTPS request of a function in Python computes, on Lambda as well until then
// (https://github.com/aws/aws-lambda-base-images/issues/154).

/** The oldest that reads certificates as quickly as Lambda's. */
const quickFrom = [3, 2] as const;

type Variables = Readonly<Record<string, string>>;

interface Openssl {
  /** Version, such as 3.0.19. */
  readonly version: string;
  /** File in which it looks for roots unless it is told otherwise. */
  readonly rootsFile: string;
  readonly rootsFolder: string;
}

/** The version of OpenSSL that a Python uses; undefined where it has none or does not run. */
export function opensslVersion(python: string, variables: Variables = {}): string | undefined {
  return readOpenssl(python, variables)?.version;
}

function readOpenssl(python: string, variables: Variables = {}): Openssl | undefined {
  const program =
    "import ssl; paths = ssl.get_default_verify_paths(); " +
    "print(ssl.OPENSSL_VERSION, paths.openssl_cafile, paths.openssl_capath, sep='\\n')";
  try {
    const said = execFileSync(python, ["-c", program], {
      encoding: "utf8",
      env: { ...commandEnvironment("python"), ...variables },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [name = "", rootsFile = "", rootsFolder = ""] = said.split("\n");
    const version = /^OpenSSL (\d+\.\d+\.\d+)/.exec(name)?.[1];
    return version === undefined ? undefined : { version, rootsFile, rootsFolder };
  } catch {
    return undefined;
  }
}

/** Whether an OpenSSL takes longer than Lambda's to read the public roots. */
export function isSlowOpenssl(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === quickFrom[0] && minor < quickFrom[1];
}

/**
 * The variables by which functions of a Python find an OpenSSL as quick as Lambda's, which looks for roots where
 * the Python's own did. None where it has a quick one by itself, where it is linked statically, and where the
 * project's environment, which brings another, is not there.
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
 * A folder of the environment with the libraries of psycopg2-binary's wheel under the names that Python asks
 * for: libssl.so.3 is libssl-81ffa89e.so.3 there. Undefined where the wheel is not installed.
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

/** Another run may be quicker, or may be using the link. */
function link(target: string, path: string): void {
  if (existsSync(path) && realpathSync(path) === realpathSync(target)) return;
  rmSync(path, { force: true });
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}
