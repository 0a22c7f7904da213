import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { runCommand } from "./run-command.ts";

/** An npm package pinned by the hash of its archive. */
export interface PinnedPackage {
  readonly package: string;
  readonly version: string;
  /** Subresource Integrity of the package's archive. */
  readonly integrity: string;
}

interface Unpacking {
  /** Number of leading folders to strip from each path. */
  readonly strip: number;
  /** The only file to unpack. @default all files */
  readonly file?: string;
}

/**
 * Fetches a package's archive from npm's configured registry and unpacks it into a folder, without running its
 * scripts. Throws if npm cannot fetch it, or if it is not the pinned archive.
 */
export async function unpackPinned(
  pinned: PinnedPackage,
  folder: string,
  { strip, file }: Unpacking,
): Promise<void> {
  const archive = join(folder, archiveName(pinned));
  const pack = ["pack", `${pinned.package}@${pinned.version}`, "--pack-destination", folder];
  await runCommand("npm", [...pack, "--loglevel", "error"], { env: commandEnvironment("npm") });
  requireIntegrity(archive, pinned);
  const members = file === undefined ? [] : [file];
  const unpack = ["-xzf", archive, "-C", folder, `--strip-components=${strip}`, ...members];
  await runCommand("tar", unpack, { env: commandEnvironment("tool") });
  rmSync(archive);
}

/** Returns the file name that `npm pack` gives an archive: `@scope/name` becomes `scope-name`. */
export function archiveName({
  package: name,
  version,
}: Pick<PinnedPackage, "package" | "version">): string {
  return `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;
}

/** Returns the hash that pins an archive: https://developer.mozilla.org/docs/Web/Security/Subresource_Integrity */
export function archiveIntegrity(archive: string): string {
  const digest = createHash("sha512").update(readFileSync(archive)).digest("base64");
  return `sha512-${digest}`;
}

function requireIntegrity(archive: string, { integrity }: PinnedPackage): void {
  const found = archiveIntegrity(archive);
  if (found === integrity) return;
  throw new Error(`the archive that npm brought is ${found}, and not the pinned ${integrity}`);
}
