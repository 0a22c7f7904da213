import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { GetObjectCommand, paginateListObjectsV2, type S3Client } from "@aws-sdk/client-s3";
import { defined } from "../contract/defined.ts";
import { InvalidInput } from "../contract/errors.ts";
import { digestPlain, largestFileBytes, readPlain, requireSize } from "../files/plain-file.ts";
import { replaceFile } from "../files/replace-file.ts";
import { type Checksums, checksumsPath, parseChecksums } from "../sampler/checksums.ts";
import { forEachConcurrently } from "../sampler/result-store.ts";

const lanes = 8;
/** The id becomes a folder's name, so it must not contain a slash or begin with a dot. */
const runIdPattern = /^[\w-][\w.-]*$/;

/** Returns the ids of the runs in the bucket, oldest first: an id begins with the time of its creation. */
export async function remoteRuns(client: S3Client, bucket: string): Promise<readonly string[]> {
  const runs = new Set<string>();
  const pages = paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: "runs/", Delimiter: "/" },
  );
  for await (const { CommonPrefixes } of pages) {
    for (const { Prefix } of CommonPrefixes ?? []) {
      const runId = Prefix?.split("/")[1];
      if (runId !== undefined && runIdPattern.test(runId)) runs.add(runId);
    }
  }
  return [...runs].sort();
}

/** Returns every file of a run; an empty list if there is no such run. */
export async function remoteFiles(
  client: S3Client,
  bucket: string,
  runId: string,
): Promise<readonly RemoteFile[]> {
  const prefix = `runs/${runId}/`;
  const files: RemoteFile[] = [];
  if (!runIdPattern.test(runId)) return files;
  for await (const { Contents } of paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: prefix },
  )) {
    for (const { Key, ETag, Size, LastModified } of Contents ?? []) {
      // The S3 console creates an empty object for a folder; its key ends with a slash.
      if (Key === undefined || Key.endsWith("/")) continue;
      const md5 = md5Of(ETag);
      const known = defined({ md5, bytes: Size, modifiedMs: LastModified?.getTime() });
      files.push({ path: Key.slice(prefix.length), key: Key, ...known });
    }
  }
  return files;
}

interface FetchOptions {
  readonly signal: AbortSignal;
  /** Called for each file. `isBrought` is false if the file was already on disk. */
  readonly onFile: (file: RemoteFile, isBrought: boolean) => void;
}

/**
 * Downloads the files of a run to a folder, and skips those that are already there. After an interruption or a
 * failure, only complete files are left, and the call can be repeated.
 */
export async function fetchRun(
  client: S3Client,
  bucket: string,
  files: readonly RemoteFile[],
  directory: string,
  { signal, onFile }: FetchOptions,
): Promise<void> {
  for (const file of files) requireFetchable(file, directory);
  const source = { client, bucket, signal };
  const fetchOne = async (file: RemoteFile, checksums: Checksums) =>
    onFile(file, await fetchFile(source, file, { directory, checksums }));
  // The checksums come first, so that an incomplete folder shows which files are missing.
  const sums = files.find(({ path }) => path === checksumsPath);
  if (sums !== undefined) await fetchOne(sums, new Map());
  const checksums = sums === undefined ? new Map() : await checksumsIn(directory);
  const others = files.filter((file) => file !== sums);
  await forEachConcurrently(others, lanes, async (file) => await fetchOne(file, checksums));
}

async function checksumsIn(directory: string): Promise<Checksums> {
  return parseChecksums((await readPlain(directory, checksumsPath))?.toString("utf8") ?? "");
}

/** A file of a run in S3. */
export interface RemoteFile {
  /** Path below runs/<runId>/. */
  readonly path: string;
  readonly key: string;
  /** MD5 in hex. Absent if S3 gives none. */
  readonly md5?: string;
  /** Size. Absent if S3 gives none. */
  readonly bytes?: number;
  /** Time of its last change, since 1970. */
  readonly modifiedMs?: number;
}

interface FetchFrom {
  readonly client: S3Client;
  readonly bucket: string;
  readonly signal?: AbortSignal;
}

interface FetchTo {
  readonly directory: string;
  /** SHA-256 by path; a file that matches its entry is not downloaded again. */
  readonly checksums: Checksums;
}

/** Throws InvalidInput if the object's path leads out of the run's folder or if the object is too large. */
function requireFetchable({ path, key, bytes = 0 }: RemoteFile, directory: string): void {
  // A path that changes when it is resolved could overwrite another file or leave the folder.
  const resolved = relative(resolve(directory), resolve(directory, path));
  if (resolved !== path || path.startsWith("..")) {
    throw new InvalidInput("bucket", key, "files below the run's own folder");
  }
  requireSize(key, bytes, largestFileBytes);
}

/**
 * Downloads one file unless it is already on disk; returns whether it did. The file gets its name only after its
 * bytes match the MD5 that S3 sends with them. Throws if they do not.
 */
export async function fetchFile(
  { client, bucket, signal }: FetchFrom,
  file: RemoteFile,
  { directory, checksums }: FetchTo,
): Promise<boolean> {
  requireFetchable(file, directory);
  if (await isHere(directory, file, checksums.get(file.path))) return false;
  const options = signal === undefined ? {} : { abortSignal: signal };
  const get = new GetObjectCommand({ Bucket: bucket, Key: file.key });
  const { Body, ETag, ServerSideEncryption, ContentLength = 0 } = await client.send(get, options);
  const body = Body as Readable | undefined;
  // An abort before the first read emits an error event. The reader throws the error in any case.
  body?.on("error", () => {});
  try {
    // The listed size and MD5 may be stale: a running experiment may have rewritten the file since.
    requireSize(file.key, ContentLength, largestFileBytes);
    if (signal !== undefined && body !== undefined) addAbortSignal(signal, body);
    await replaceFile(directory, file.path, async (target) => {
      const found = await copied(body ?? [], target);
      const expected = (hasMd5(ServerSideEncryption) ? md5Of(ETag) : undefined) ?? found;
      if (found === expected) return;
      throw new Error(`${file.key}: found MD5 ${found}, expected ${expected}; fetch it again`);
    });
  } finally {
    body?.destroy();
  }
  return true;
}

/** Writes the bytes as they arrive, and returns their MD5. */
async function copied(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  target: FileHandle,
): Promise<string> {
  const hash = createHash("md5");
  for await (const some of bytes) {
    hash.update(some);
    await target.writeFile(some);
  }
  return hash.digest("hex");
}

/**
 * Returns the MD5 in an ETag. Returns undefined for an object uploaded in parts, whose ETag is no MD5.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */
function md5Of(etag: string | undefined): string | undefined {
  return /^"([0-9a-f]{32})"$/.exec(etag ?? "")?.[1];
}

/**
 * Returns whether the ETag of an object with this encryption is its MD5. With a KMS key it is not.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */
function hasMd5(encryption: string | undefined): boolean {
  return encryption === undefined || encryption === "AES256";
}

async function isHere(
  directory: string,
  { path, md5 }: RemoteFile,
  sha256: string | undefined,
): Promise<boolean> {
  const [algorithm, expected] =
    sha256 === undefined ? ["md5" as const, md5] : ["sha256" as const, sha256];
  const found = await digestPlain(directory, path, algorithm);
  return found !== undefined && found === expected;
}
