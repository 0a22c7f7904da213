import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "../../../lib/toolchain/command-environment.ts";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";
import { preparePythonVenv } from "../../../lib/toolchain/python.ts";
import { type CommandOptions, runCommand } from "../../../lib/toolchain/run-command.ts";

/** An engine that is ready to be started. */
export interface InstalledEngine {
  readonly folder: string;
  readonly version: string;
  /** Size of its files without the runtime (JVM, Node.js, Python). Absent if unknown. */
  readonly sizeBytes?: number;
  /** Size of its download. Absent if unknown. */
  readonly downloadBytes?: number;
}

/** Files that pin the engines, and their installation folders in the project's cache. */
const enginePaths = {
  pinned: (name: string) => join(import.meta.dirname, "pinned", name),
  installed: (name: string) => join(projectPaths.cache, "engines", name),
} as const;

/** Reinstalls a folder that is incomplete (it has no stamp) or whose pins have changed. */
async function installOnce(
  folder: string,
  pins: readonly string[],
  install: () => Promise<void>,
): Promise<void> {
  const hash = createHash("sha256");
  for (const pin of pins) hash.update(readFileSync(pin));
  const stamp = hash.digest("hex");
  const stampPath = join(folder, "kelvin-pins.sha256");
  if (existsSync(stampPath) && readFileSync(stampPath, "utf8") === stamp) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install();
  writeFileSync(stampPath, stamp);
}

/** Returns the total size of the files below a folder. A file that is deleted meanwhile counts 0 bytes. */
export function folderBytes(folder: string): number {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + sizeOf(join(entry.parentPath, entry.name)), 0);
}

const dynamodbLocalName = "dynamodb-local";

/** Its class files require Java 17. */
const oldestJava = 17;

/** Returns why DynamoDB Local is not available on this machine, or undefined if it is. */
export function missingForDynamodbLocal(): string | undefined {
  const java = javaVersion();
  if (java === undefined) return `no java on PATH; it needs Java ${oldestJava} or later`;
  const major = Number(java.split(".")[0]);
  if (major < oldestJava) return `found Java ${java}; it needs ${oldestJava} or later`;
  const maven = spawnSync("mvn", ["--version"], {
    stdio: "ignore",
    env: commandEnvironment("maven"),
  });
  return maven.status === 0 ? undefined : "no mvn on PATH, which downloads it from Maven Central";
}

/** Returns the version of the java on PATH, for example 17.0.15, or undefined if there is none. */
export function javaVersion(): string | undefined {
  const { stderr, status } = spawnSync("java", ["-version"], {
    encoding: "utf8",
    env: commandEnvironment("java"),
  });
  return status === 0 ? /version "([^"]+)"/.exec(stderr)?.[1] : undefined;
}

/** Installs the Maven artifacts of the pinned pom. Throws if a file does not match its checksum. */
export async function installDynamodbLocal(options: CommandOptions = {}): Promise<InstalledEngine> {
  const folder = enginePaths.installed(dynamodbLocalName);
  const pom = join(enginePaths.pinned(dynamodbLocalName), "pom.xml");
  const sums = join(enginePaths.pinned(dynamodbLocalName), "SHA256SUMS");
  const lib = join(folder, "lib");
  await installOnce(folder, [pom, sums], async () => {
    copyFileSync(pom, join(folder, "pom.xml"));
    const copy = ["-B", "-q", "dependency:copy-dependencies", "-DincludeScope=runtime"];
    await runCommand("mvn", [...copy, `-DoutputDirectory=${lib}`], {
      ...options,
      cwd: folder,
      env: commandEnvironment("maven"),
    });
    verifyListed(lib, readFileSync(sums, "utf8"));
  });
  const bytes = folderBytes(lib);
  const version = /<version>(\d[\d.]+)<\/version>\s*<\/dependency>/.exec(readFileSync(pom, "utf8"));
  // The files are run as downloaded: nothing is unpacked.
  return { folder, version: version?.[1] ?? "unknown", sizeBytes: bytes, downloadBytes: bytes };
}

/** Throws if a file is not listed or does not match its checksum: every file is on Java's class path. */
export function verifyListed(folder: string, sums: string): void {
  const listed = new Set(
    sums
      .trim()
      .split("\n")
      .map((line) => line.split(/ [ *]/)[1]),
  );
  const unlisted = readdirSync(folder).filter((file) => !listed.has(file));
  if (unlisted.length > 0) {
    const found = unlisted.join(", ");
    throw new Error(`DynamoDB Local: found ${found}; expected the files of SHA256SUMS alone`);
  }
  for (const line of sums.trim().split("\n")) {
    const [expected = "", file = ""] = line.split(/ [ *]/);
    const found = createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
    if (found === expected) continue;
    throw new Error(`DynamoDB Local: ${file}: found SHA-256 ${found}; expected ${expected}`);
  }
}

/** LocalStack's CLI sends this token to its vendor, who may refuse it. It is passed only through the environment. */
const tokenVariable = "LOCALSTACK_AUTH_TOKEN";

/** The first start pulls the image. */
const patienceSeconds = 600;

/** Returns why LocalStack is not available, or undefined if it is. Its CLI starts nothing without a token. */
export function missingForLocalstack(): string | undefined {
  if (version() === undefined) return "cannot start: no localstack on PATH (its CLI, with Docker)";
  return localstackToken() === undefined
    ? `cannot start: no ${tokenVariable}, without which its CLI starts nothing`
    : undefined;
}

export function localstackToken(): string | undefined {
  return process.env[tokenVariable] || undefined;
}

/**
 * Returns LocalStack's settings: one service, on loopback, in a container with its own name, so that no other
 * LocalStack on this machine is stopped or measured.
 * https://docs.localstack.cloud/aws/customization/configuration-options/
 */
function localstackSettings(port: number): readonly string[] {
  return [
    `GATEWAY_LISTEN=127.0.0.1:${port}`,
    `MAIN_CONTAINER_NAME=kelvin-localstack-${port}`,
    "SERVICES=dynamodb",
    "DNS_ADDRESS=0",
    "DISABLE_EVENTS=1",
  ];
}

/** Returns a command of LocalStack's CLI with these settings. */
export function localstackCommand(port: number, ...args: readonly string[]): readonly string[] {
  return ["env", ...localstackSettings(port), "localstack", ...args];
}

/** Starts LocalStack once and stops it, which pulls the image and checks the token. */
export async function installLocalstack(
  port: number,
  options: CommandOptions = {},
): Promise<InstalledEngine> {
  const { onLine } = options;
  const hidden = (text: string) => withoutSecret(text, localstackToken());
  const run = async (...args: readonly string[]) => {
    const [program = "", ...programArgs] = localstackCommand(port, ...args);
    const env = commandEnvironment("container");
    const shown = {
      ...options,
      env,
      ...(onLine && { onLine: (line: string) => onLine(hidden(line)) }),
    };
    await runCommand(program, programArgs, shown);
  };
  try {
    await run("start", "-d");
    await run("wait", "-t", String(patienceSeconds));
  } catch (error) {
    throw new Error(hidden((error as Error).message));
  } finally {
    const [program = "", ...args] = localstackCommand(port, "stop");
    spawnSync(program, args, { stdio: "ignore", env: commandEnvironment("container") });
  }
  return { folder: projectPaths.cache, version: version() ?? "unknown" };
}

function version(): string | undefined {
  const { status, stdout } = spawnSync("localstack", ["--version"], {
    encoding: "utf8",
    env: commandEnvironment("container"),
  });
  return status === 0 ? stdout.trim() : undefined;
}

const motoName = "moto";

/** Installs moto's server in its own virtual environment, from a lock file with hashes. */
export async function installMoto(options: CommandOptions = {}): Promise<InstalledEngine> {
  const folder = enginePaths.installed(motoName);
  const lock = join(enginePaths.pinned(motoName), "requirements.txt");
  await preparePythonVenv(options, { folder, locks: [lock] });
  const version = /^moto==(\S+)/m.exec(readFileSync(lock, "utf8"))?.[1] ?? "unknown";
  return { folder, version, sizeBytes: folderBytes(join(folder, "lib")) };
}

const dynaliteName = "dynalite";
const pinnedFiles = ["package.json", "package-lock.json"];

/** Installs dynalite in its own folder, from its own lock file. */
export async function installDynalite(options: CommandOptions = {}): Promise<InstalledEngine> {
  const folder = enginePaths.installed(dynaliteName);
  const pins = pinnedFiles.map((file) => join(enginePaths.pinned(dynaliteName), file));
  await installOnce(folder, pins, async () => {
    for (const file of pinnedFiles) {
      copyFileSync(join(enginePaths.pinned(dynaliteName), file), join(folder, file));
    }
    // Install scripts are not needed: its native part is only for tables on disk, and is prebuilt.
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];
    await runCommand("npm", ["ci", ...quiet], {
      ...options,
      cwd: folder,
      env: commandEnvironment("npm"),
    });
  });
  const installed = join(folder, "node_modules");
  const manifest = readFileSync(join(installed, dynaliteName, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return { folder, version, sizeBytes: folderBytes(installed) };
}

/** Replaces the secret in a text. */
export function withoutSecret(text: string, secret: string | undefined): string {
  return secret === undefined ? text : text.replaceAll(secret, "(hidden)");
}
