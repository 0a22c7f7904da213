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
import { commandEnvironment } from "../toolchain/command-environment.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { preparePythonVenv } from "../toolchain/python.ts";
import { type CommandOptions, runCommand } from "../toolchain/run-command.ts";

/** An engine that is ready to be started. */
export interface InstalledEngine {
  readonly folder: string;
  readonly version: string;
  /** Size of its files, without what runs them (a JVM, Node.js, Python); absent if not known. */
  readonly sizeBytes?: number;
  /** Size of its download; absent if not known. */
  readonly downloadBytes?: number;
}

/** `enginePaths` name the files that pin the engines, and what is made of them in the project's cache. */
const enginePaths = {
  pinned: (name: string) => join(projectPaths.root, "lib", "engines", "pinned", name),
  installed: (name: string) => join(projectPaths.cache, "engines", name),
} as const;

/**
 * Makes the folder anew when the files that pin its content have changed, and does nothing otherwise. A
 * folder that was left half made has no stamp and is made anew.
 */
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

/** Bytes of every file below a folder. One that is gone meanwhile has none. */
export function folderBytes(folder: string): number {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + sizeOf(join(entry.parentPath, entry.name)), 0);
}

const dynamodbLocalName = "dynamodb-local";

/** Its classes are of Java 17. */
const oldestJava = 17;

/** Why it cannot be had on this machine; undefined where it can. */
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

/** The version of the java on PATH, for example 17.0.15; undefined where there is none. */
export function javaVersion(): string | undefined {
  const { stderr, status } = spawnSync("java", ["-version"], {
    encoding: "utf8",
    env: commandEnvironment("java"),
  });
  return status === 0 ? /version "([^"]+)"/.exec(stderr)?.[1] : undefined;
}

/** Its Maven artifacts by the pinned pom, each file held against its checksum. Throws where one differs. */
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
  // Maven's files are run as they are: nothing is unpacked.
  return { folder, version: version?.[1] ?? "unknown", sizeBytes: bytes, downloadBytes: bytes };
}

/** Everything in the folder is on Java's class path: what is not listed must not be there. Throws. */
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

/**
 * `tokenVariable` is sent by its command line to its maker, who may refuse to start it. A process gets it only by its
 * environment.
 */
const tokenVariable = "LOCALSTACK_AUTH_TOKEN";

/** A first start pulls its image. */
const patienceSeconds = 600;

/** Its command line starts nothing without a token of its maker's. */
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
 * Returns the settings of its command line: one service, on loopback, and a container of its own name, so that no
 * other LocalStack of this machine is stopped or measured.
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

/** A command of its command line with its settings. */
export function localstackCommand(port: number, ...words: readonly string[]): readonly string[] {
  return ["env", ...localstackSettings(port), "localstack", ...words];
}

/** Starts it once and stops it again: its image is then here, and its token is known to be good. */
export async function installLocalstack(
  port: number,
  options: CommandOptions = {},
): Promise<InstalledEngine> {
  const { onLine } = options;
  const hidden = (text: string) => withoutSecret(text, localstackToken());
  const run = async (...words: readonly string[]) => {
    const [program = "", ...args] = localstackCommand(port, ...words);
    const env = commandEnvironment("container");
    const shown = {
      ...options,
      env,
      ...(onLine && { onLine: (line: string) => onLine(hidden(line)) }),
    };
    await runCommand(program, args, shown);
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

/** moto's server in a virtual environment of its own, by a lock with hashes. */
export async function installMoto(options: CommandOptions = {}): Promise<InstalledEngine> {
  const folder = enginePaths.installed(motoName);
  const lock = join(enginePaths.pinned(motoName), "requirements.txt");
  await preparePythonVenv(options, { folder, locks: [lock] });
  const version = /^moto==(\S+)/m.exec(readFileSync(lock, "utf8"))?.[1] ?? "unknown";
  return { folder, version, sizeBytes: folderBytes(join(folder, "lib")) };
}

const dynaliteName = "dynalite";
const pinnedFiles = ["package.json", "package-lock.json"];

/** dynalite by its own lockfile, in a folder of its own. */
export async function installDynalite(options: CommandOptions = {}): Promise<InstalledEngine> {
  const folder = enginePaths.installed(dynaliteName);
  const pins = pinnedFiles.map((file) => join(enginePaths.pinned(dynaliteName), file));
  await installOnce(folder, pins, async () => {
    for (const file of pinnedFiles) {
      copyFileSync(join(enginePaths.pinned(dynaliteName), file), join(folder, file));
    }
    // Its native part is for tables on disk, and comes built.
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

/** The text with a mark where the secret was. */
export function withoutSecret(text: string, secret: string | undefined): string {
  return secret === undefined ? text : text.replaceAll(secret, "(hidden)");
}
