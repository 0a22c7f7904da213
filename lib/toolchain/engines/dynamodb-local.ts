import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "../command-environment.ts";
import { type CommandOptions, runCommand } from "../run-command.ts";
import { enginePaths, folderBytes, type InstalledEngine, installOnce } from "./installed-engine.ts";

const name = "dynamodb-local";

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
  const folder = enginePaths.installed(name);
  const pom = join(enginePaths.pinned(name), "pom.xml");
  const sums = join(enginePaths.pinned(name), "SHA256SUMS");
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
  // What Maven brings is what is run: nothing is unpacked.
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
