import { createHash } from "node:crypto";
import { relative, resolve } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { GetObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { InvalidInput } from "../contract/errors.ts";
import { readPlain } from "../files/plain-file.ts";
import { replaceFile } from "../files/replace-file.ts";
import type { Checksums } from "../protocol/checksums.ts";

/** A file of a run in S3. */
export interface RemoteFile {
  /** Below runs/<runId>/. */
  readonly path: string;
  readonly key: string;
  /** In hex; absent where S3 gives none. */
  readonly md5?: string;
}

export interface FetchFrom {
  readonly client: S3Client;
  readonly bucket: string;
  readonly signal?: AbortSignal;
}

export interface FetchTo {
  readonly directory: string;
  /** By path; a file that is as it is listed here is not brought again. */
  readonly checksums: Checksums;
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
  const target = resolve(directory, file.path);
  if (relative(resolve(directory), target).startsWith("..")) {
    throw new InvalidInput("bucket", file.key, "files below the run's own folder");
  }
  const present = await readPlain(directory, file.path);
  if (isSame(present, file.md5, checksums.get(file.path))) return false;
  const options = signal === undefined ? {} : { abortSignal: signal };
  const get = new GetObjectCommand({ Bucket: bucket, Key: file.key });
  const { Body, ETag } = await client.send(get, options);
  if (signal !== undefined && Body !== undefined) addAbortSignal(signal, Body as Readable);
  const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
  // Not the MD5 that was listed: a run that is going on may have written the object again since.
  const expected = md5Of(ETag);
  const found = digest("md5", bytes);
  if (expected !== undefined && found !== expected) {
    throw new Error(`${file.key}: found MD5 ${found}, expected ${expected}; fetch it again`);
  }
  await replaceFile(directory, file.path, bytes);
  return true;
}

/**
 * The MD5 of an object that was put whole, with the encryption that the stack's bucket has, from its
 * ETag; undefined of one put in parts. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */
export function md5Of(etag: string | undefined): string | undefined {
  return /^"([0-9a-f]{32})"$/.exec(etag ?? "")?.[1];
}

function isSame(
  present: Uint8Array | undefined,
  md5: string | undefined,
  sha256: string | undefined,
): boolean {
  if (present === undefined) return false;
  return sha256 === undefined
    ? digest("md5", present) === md5
    : digest("sha256", present) === sha256;
}

function digest(algorithm: "md5" | "sha256", bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest("hex");
}
