import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeCachedFolder } from "./cached-folder.ts";
import { commandEnvironment } from "./command-environment.ts";
import recorded from "./node-binaries.json" with { type: "json" };
import { projectPaths } from "./project-paths.ts";
import { runCommand } from "./run-command.ts";

/** A package of npm's with one Node.js for one platform, as npm's package `node` installs it. */
interface NodeBinary {
  readonly package: string;
  readonly version: string;
  /** Subresource Integrity of the package's archive. */
  readonly integrity: string;
}

/** NodeBinaries are keyed by the major version, then by platform and architecture as Node.js names them. */
type NodeBinaries = Readonly<Record<string, Readonly<Record<string, NodeBinary>>>>;

const binaries: NodeBinaries = recorded;

/** The major versions that can be fetched. */
export const fetchedNodeMajors: readonly number[] = Object.keys(binaries).map(Number);

interface FetchOptions {
  readonly say: (line: string) => void;
  /** @default this machine's */
  readonly platform?: string;
  /** @default the packages that are pinned */
  readonly known?: NodeBinaries;
  /** @default the project's cache */
  readonly cache?: string;
}

/**
 * Fetches the Node.js of a major version from the registry that npm is configured for, once: the next call
 * finds it in the cache. Throws where there is none for this platform, and where npm cannot fetch it or
 * brings another archive than the pinned one.
 */
export async function fetchNode(
  major: number,
  { say, platform = thisPlatform, known = binaries, cache = projectPaths.cache }: FetchOptions,
): Promise<{ readonly command: string; readonly version: string }> {
  const binary = known[major]?.[platform];
  if (binary === undefined) throw new Error(`there is no Node.js ${major} for ${platform}`);
  const { version } = binary;
  const folder = join(cache, "node", `${binary.package}-${version}`);
  const command = join(folder, "node");
  if (!existsSync(folder)) say(`fetching Node.js ${version} (npm's ${binary.package}), once`);
  await makeCachedFolder(folder, (unfinished) => unpackNode(binary, unfinished));
  return { command, version };
}

const thisPlatform = `${process.platform}-${process.arch}`;

async function unpackNode(binary: NodeBinary, folder: string): Promise<void> {
  const archive = join(folder, `${binary.package}-${binary.version}.tgz`);
  const pack = ["pack", `${binary.package}@${binary.version}`, "--pack-destination", folder];
  await runCommand("npm", [...pack, "--loglevel", "error"], { env: commandEnvironment("npm") });
  requireIntegrity(archive, binary);
  const unpack = ["-xzf", archive, "-C", folder, "--strip-components=2", "package/bin/node"];
  await runCommand("tar", unpack, { env: commandEnvironment("tool") });
  rmSync(archive);
}

/** https://developer.mozilla.org/docs/Web/Security/Subresource_Integrity */
function requireIntegrity(archive: string, { integrity }: NodeBinary): void {
  const digest = createHash("sha512").update(readFileSync(archive)).digest("base64");
  const found = `sha512-${digest}`;
  if (found === integrity) return;
  throw new Error(`the archive that npm brought is ${found}, and not the pinned ${integrity}`);
}
