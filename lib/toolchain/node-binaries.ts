import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeCachedFolder } from "./cached-folder.ts";
import recorded from "./node-binaries.json" with { type: "json" };
import { type PinnedPackage, unpackPinned } from "./npm-archive.ts";
import { projectPaths } from "./project-paths.ts";

/**
 * The npm packages with a Node.js for one platform, as npm's package `node` installs them. Keyed by major version,
 * then by platform and architecture as Node.js names them.
 */
type NodeBinaries = Readonly<Record<string, Readonly<Record<string, PinnedPackage>>>>;

const binaries: NodeBinaries = recorded;

/** Major versions that can be fetched. */
export const fetchedNodeMajors: readonly number[] = Object.keys(binaries).map(Number);

interface FetchOptions {
  readonly say: (line: string) => void;
  /** @default this machine's platform */
  readonly platform?: string;
  /** @default the pinned packages */
  readonly known?: NodeBinaries;
  /** @default the project's cache */
  readonly cache?: string;
}

/**
 * Fetches a Node.js of a major version from npm's configured registry, once: later calls find it in the cache. Throws
 * if there is none for this platform, if npm cannot fetch it, or if the archive is not the pinned one.
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
  await makeCachedFolder(folder, (unfinished) =>
    unpackPinned(binary, unfinished, { strip: 2, file: "package/bin/node" }),
  );
  return { command, version };
}

const thisPlatform = `${process.platform}-${process.arch}`;
