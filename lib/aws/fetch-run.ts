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
/** Nothing that a path could climb by: the id becomes a folder's name. */
const runIdPattern = /^[\w-][\w.-]*$/;

/** Ids of the runs in the bucket, oldest first: they begin with the minute they were made. */
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

/** Every file of a run; none where there is no such run. */
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
    for (const { Key, ETag, Size } of Contents ?? []) {
      // The console makes an object of no bytes for a folder: its key ends with a slash.
      if (Key === undefined || Key.endsWith("/")) continue;
      const md5 = md5Of(ETag);
      files.push({
        path: Key.slice(prefix.length),
        key: Key,
        ...defined({ md5, bytes: Size }),
      });
    }
  }
  return files;
}

interface FetchOptions {
  readonly signal: AbortSignal;
  /** Told of each file, and whether it was brought or was here already. */
  readonly onFile: (file: RemoteFile, isBrought: boolean) => void;
}

/**
 * Brings the files of a run to a folder, those that are there left alone. Interrupted or failed, it
 * leaves whole files only, and can be called again.
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
  // First: until the last file has come, the folder itself then tells what is missing.
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
  /** Below runs/<runId>/. */
  readonly path: string;
  readonly key: string;
  /** MD5 in hex; absent where S3 gives none. */
  readonly md5?: string;
  /** Its size; absent where S3 gives none. */
  readonly bytes?: number;
}

interface FetchFrom {
  readonly client: S3Client;
  readonly bucket: string;
  readonly signal?: AbortSignal;
}

interface FetchTo {
  readonly directory: string;
  /** Checksums by path; a file that matches its entry is not downloaded again. */
  readonly checksums: Checksums;
}

/** Throws InvalidInput of an object that has no place below a run's folder, or is too large for a file of one. */
function requireFetchable({ path, key, bytes = 0 }: RemoteFile, directory: string): void {
  // A name that is another one's when it is resolved could take that one's place, or lead out.
  const resolved = relative(resolve(directory), resolve(directory, path));
  if (resolved !== path || path.startsWith("..")) {
    throw new InvalidInput("bucket", key, "files below the run's own folder");
  }
  requireSize(key, bytes, largestFileBytes);
}

/**
 * Brings one file to disk unless it is there already; true when it was brought. Its bytes are held
 * against the MD5 that S3 sends with them before they get their name. Throws when they differ.
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
  // Aborted before the first byte is asked for: who reads it then is told all the same.
  body?.on("error", () => {});
  try {
    // The listed size and MD5 may be stale: a run that is going on may have written the file again since.
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

/** Writes the bytes as they come; their MD5. */
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
 * The MD5 of an object that was put whole, with the encryption that the stack's bucket has, from its
 * ETag; undefined of one put in parts. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */
function md5Of(etag: string | undefined): string | undefined {
  return /^"([0-9a-f]{32})"$/.exec(etag ?? "")?.[1];
}

/**
 * Whether an ETag of 32 digits is the MD5: under a key of AWS KMS it is not.
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
