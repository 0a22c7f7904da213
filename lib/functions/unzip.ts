import { createWriteStream, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join, posix, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { InvalidInput } from "../contract/errors.ts";

/**
 * Lambda's limit for a function with its layers, unpacked:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const largestUnpackedBytes = 250 * 1024 * 1024;

/** Mask of the file type in the Unix mode, which is in the upper half of an entry's attributes. */
const fileTypeMask = 0o170000;
const symlinkType = 0o120000;

interface SymbolicLink {
  readonly path: string;
  readonly target: string;
}

/**
 * Unpacks a zip into an empty folder, with the executable bits and links that Lambda would create. Throws
 * InvalidInput if it is not a zip, exceeds Lambda's limit, or would write or point outside the folder.
 */
export async function unpackZip(zip: string, folder: string): Promise<void> {
  const opened = await openZip(zip);
  try {
    await unpackEntries(opened, zip, folder);
  } catch (error) {
    throw isOfZip(error) ? notZip(zip, error) : error;
  } finally {
    opened.close();
  }
}

/** Returns whether the error is caused by the zip, not by this machine, and has no message for the user yet. */
function isOfZip(error: unknown): boolean {
  const { code } = Object(error) as NodeJS.ErrnoException;
  const isMachines = code !== undefined && ["ENOSPC", "EDQUOT", "EIO", "EMFILE"].includes(code);
  return !(error instanceof InvalidInput) && !isMachines;
}

async function unpackEntries(opened: ZipFile, zip: string, folder: string): Promise<void> {
  const links: SymbolicLink[] = [];
  let bytes = 0;
  const names = new Set<string>();
  for await (const entry of opened.eachEntry()) {
    requireReadable(entry, names);
    bytes += entry.uncompressedSize;
    if (bytes > largestUnpackedBytes) throw tooLarge(zip);
    if (entry.fileName.endsWith("/")) {
      mkdirSync(join(folder, entry.fileName), { recursive: true });
    } else if ((unixMode(entry) & fileTypeMask) === symlinkType) {
      links.push({ path: entry.fileName, target: await readTarget(opened, entry) });
    } else {
      await writeEntry(opened, entry, join(folder, entry.fileName));
    }
  }
  // Links are created after all files, so that no file is written through one.
  for (const link of links) makeLink(zip, folder, link);
}

export function tooLarge(path: string): InvalidInput {
  const allowed = `${largestUnpackedBytes / 1024 / 1024} MB unpacked, which is Lambda's limit`;
  return new InvalidInput("artefact", path, `at most ${allowed}`);
}

async function openZip(zip: string): Promise<ZipFile> {
  try {
    return await openPromise(zip, { autoClose: false, strictFileNames: false });
  } catch (error) {
    throw notZip(zip, error);
  }
}

/** Throws for an entry that this reader or Lambda would refuse; the zip library refuses names that point outside. */
function requireReadable(entry: Entry, names: Set<string>): void {
  const { fileName } = entry;
  if (entry.isEncrypted()) throw new Error(`${fileName} is encrypted`);
  if (!readMethods.has(entry.compressionMethod)) {
    throw new Error(
      `${fileName} is compressed by method ${entry.compressionMethod}, and not by deflate`,
    );
  }
  if (names.has(fileName)) throw new Error(`${fileName} is in it twice`);
  names.add(fileName);
}

/** Stored and deflated: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const readMethods = new Set([0, 8]);

function notZip(zip: string, error: unknown): InvalidInput {
  const reason = error instanceof Error ? error.message : String(error);
  const isOther = /end of central directory/i.test(reason);
  const message = isOther
    ? `${zip} is not a zip, or only the beginning of one`
    : `${zip} is not a zip that Lambda accepts: ${reason}`;
  return new InvalidInput("artefact", zip, "a zip that Lambda accepts, or a folder", message);
}

function unixMode({ externalFileAttributes }: Entry): number {
  return externalFileAttributes >>> 16;
}

async function writeEntry(opened: ZipFile, entry: Entry, path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const mode = 0o644 | (unixMode(entry) & 0o111);
  const from = await opened.openReadStreamPromise(entry);
  let sum = 0;
  const summed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  };
  await pipeline(from, summed, createWriteStream(path, { mode, flags: "wx" }));
  if (sum !== entry.crc32) throw new Error(`${entry.fileName} is damaged: its checksum is another`);
}

async function readTarget(opened: ZipFile, entry: Entry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await opened.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Refuses a link that points outside the folder, directly or through another link. */
function makeLink(zip: string, folder: string, { path, target }: SymbolicLink): void {
  const refused = new InvalidInput(
    "artefact",
    `${zip}: ${path} -> ${target}`,
    "links to files inside the zip",
  );
  const led = posix.normalize(posix.join(posix.dirname(path), target));
  if (posix.isAbsolute(target) || led === ".." || led.startsWith("../")) throw refused;
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place);
  const root = realpathSync.native(folder);
  const real = realpathOf(place);
  if (real !== undefined && real !== root && !real.startsWith(root + sep)) throw refused;
}

/** Undefined for a link whose target is missing: Lambda creates such a link too. */
function realpathOf(path: string): string | undefined {
  try {
    // realpathSync resolves `link/..` to the folder that contains the link.
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
