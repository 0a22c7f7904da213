import { createHash } from "node:crypto";
import {
  closeSync,
  cpSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { describeError, InvalidInput } from "../contract/errors.ts";
import type { Architecture } from "../plan/experiment.ts";
import { imagesUnsupported } from "../plan/functions-subject.ts";
import { isImageReference } from "./container-image.ts";
import { largestUnpackedBytes, tooLarge, unpackZip } from "./unzip.ts";

/** A user's function as it would be uploaded, unpacked. */
export interface Artefact {
  /** Path as given by the user. */
  readonly path: string;
  /** Folder with its files. */
  readonly folder: string;
  /** Absolute path of the given zip; absent for a folder. */
  readonly zip?: string;
  /** Relative paths of its files, sorted. */
  readonly files: readonly string[];
  /** Hash, in hex, of the zip, or of a folder's files with their names. */
  readonly sha256: string;
  /** Unpacked size. */
  readonly sizeBytes: number;
  /** Size of the zip; absent for a folder. */
  readonly zipBytes?: number;
}

/**
 * Unpacks a zip, or copies a folder, into a new folder, so that later changes to the original do not affect what is
 * measured. Throws InvalidInput if Lambda would not accept it.
 */
export async function openArtefact(path: string, folder: string): Promise<Artefact> {
  const source = resolve(path);
  const stats = statsOf(path, source);
  if (stats.isDirectory()) {
    requireSize(path, source);
    copyFolder(path, source, folder);
  } else {
    mkdirSync(folder, { recursive: true });
    await unpackZip(source, folder);
  }
  const files = listFiles(folder);
  if (files.length === 0)
    throw new InvalidInput(
      "artefact",
      path,
      "a zip or a folder with files in it",
      `${path} has no files in it`,
    );
  const sizeBytes = files.reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
  if (sizeBytes > largestUnpackedBytes) throw tooLarge(path);
  const read = { path, folder, files, sizeBytes };
  if (stats.isDirectory()) return { ...read, sha256: hashFiles(folder, files) };
  const sha256 = createHash("sha256").update(readFileSync(source)).digest("hex");
  return { ...read, zip: source, sha256, zipBytes: stats.size };
}

function statsOf(path: string, source: string): Stats {
  if (isImageReference(path)) {
    throw new InvalidInput("artefact", path, `a zip or a folder. ${imagesUnsupported}`);
  }
  try {
    const stats = statSync(source);
    if (stats.isDirectory() || stats.isFile()) return stats;
  } catch (error) {
    const allowed = "a zip or a folder that can be read";
    throw new InvalidInput("artefact", path, allowed, unreadableText(path, error));
  }
  throw new InvalidInput("artefact", path, "a zip or a folder");
}

/** States that a file is missing, or why it cannot be read. */
export function unreadableText(path: string, error: unknown): string {
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
  return isMissing
    ? `no such file: ${path}`
    : `cannot read ${path}: ${describeError(error).message}`;
}

/** Throws InvalidInput if the folder is too large to copy. */
function requireSize(path: string, folder: string): void {
  let bytes = 0;
  for (const name of listFiles(folder)) {
    bytes += sizeOf(join(folder, name));
    if (bytes > largestUnpackedBytes) throw tooLarge(path);
  }
}

/** Lists regular files and links to files. Links to folders are not followed: they may point to a parent folder. */
function listFiles(folder: string): readonly string[] {
  const walk = (below: string): readonly string[] =>
    readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
      const name = join(below, entry.name);
      if (entry.isDirectory()) return walk(name);
      return isFile(join(folder, name)) ? [name] : [];
    });
  return walk("").toSorted();
}

/** Returns false for a link whose target is missing, or is the link itself. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Copies a folder with its links. A link that points outside the folder, as npm creates for a `file:` dependency, is
 * replaced by its target, as `zip -r` does. Throws InvalidInput for a link to a folder that contains the link.
 */
function copyFolder(path: string, source: string, target: string): void {
  const root = realpathSync(source);
  const outside: (readonly [from: string, to: string])[] = [];
  cpSync(source, target, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    filter: (from, to) => {
      const real = lstatSync(from).isSymbolicLink() ? realpathOf(from) : undefined;
      if (real === undefined || real === root || real.startsWith(root + sep)) return true;
      if (root.startsWith(real === sep ? sep : real + sep)) {
        const allowed = "no link to a folder that contains it: zip -r would not end";
        throw new InvalidInput(
          "artefact",
          `${path}: ${relative(source, from)} -> ${real}`,
          allowed,
        );
      }
      outside.push([real, to]);
      return false;
    },
  });
  for (const [from, to] of outside) {
    if (!statSync(from).isDirectory()) cpSync(from, to, { preserveTimestamps: true });
    else {
      requireSize(path, from);
      copyFolder(path, from, to);
    }
  }
}

/** Undefined for a link whose target is missing: zip -r leaves it out, and Lambda cannot read it. */
function realpathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function sizeOf(path: string): number {
  return statSync(path).size;
}

function hashFiles(folder: string, files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const name of files) {
    const content = readFileSync(join(folder, name));
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** Kind of a file at an artefact's root, as the kernel identifies it. */
type Executable =
  | { readonly kind: "elf"; readonly architecture: Architecture | "other" }
  | { readonly kind: "script" }
  | { readonly kind: "other" };

/** Architecture by e_machine of the ELF header: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html */
const machines: Readonly<Record<number, Architecture>> = { 62: "x86_64", 183: "arm64" };

/** Determines from the first bytes if a file is a 64-bit little-endian ELF, a script with an interpreter, or neither. */
export function readExecutable(path: string): Executable {
  const header = Buffer.alloc(20);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  if (header.toString("latin1", 0, 2) === "#!") return { kind: "script" };
  if (header.toString("latin1", 0, 4) !== "\x7fELF") return { kind: "other" };
  const isKnown = header[4] === 2 && header[5] === 1;
  const architecture = isKnown ? machines[header.readUInt16LE(18)] : undefined;
  return { kind: "elf", architecture: architecture ?? "other" };
}

/**
 * Throws InvalidInput for Linux programs and libraries among the files in some folders if this machine cannot run
 * them: a function would fail or, if it has a fallback, do other work than on Lambda.
 */
export function requireNoLinuxCode(
  name: string,
  folders: readonly string[],
  platform: string = process.platform,
): void {
  if (platform === "linux") return;
  const found = folders.flatMap((folder) =>
    listFiles(folder).filter((file) => readExecutable(join(folder, file)).kind === "elf"),
  );
  const [first] = found;
  if (first === undefined) return;
  const files = found.length === 1 ? `${first} is` : `${first} and ${found.length - 1} more are`;
  const remedy =
    "measure it on Linux (a virtual machine or a container will do), or on AWS: kelvin measure ARN";
  const message = `${name}: ${files} machine code for Linux, which this machine cannot run; ${remedy}`;
  throw new InvalidInput(`${name}: machine code`, found, remedy, message);
}
