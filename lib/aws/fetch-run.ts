import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { GetObjectCommand, paginateListObjectsV2, type S3Client } from "@aws-sdk/client-s3";
import { InvalidInput } from "../contract/errors.ts";

/** A file of a run in S3. */
export interface RemoteFile {
  /** Below runs/<runId>/. */
  readonly path: string;
  readonly key: string;
  /** MD5 in hex, as S3 gives it for an object that was put whole. */
  readonly md5?: string;
}

/** Ids of the runs in the bucket, oldest first: they begin with the minute they were made. */
export async function remoteRuns(client: S3Client, bucket: string): Promise<readonly string[]> {
  const runs = new Set<string>();
  const pages = paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: "runs/", Delimiter: "/" },
  );
  for await (const { CommonPrefixes } of pages) {
    for (const { Prefix } of CommonPrefixes ?? []) runs.add(Prefix?.split("/")[1] ?? "");
  }
  return [...runs].sort();
}

/** Every file of a run. */
export async function remoteFiles(
  client: S3Client,
  bucket: string,
  runId: string,
): Promise<readonly RemoteFile[]> {
  const prefix = `runs/${runId}/`;
  const files: RemoteFile[] = [];
  for await (const { Contents } of paginateListObjectsV2(
    { client },
    { Bucket: bucket, Prefix: prefix },
  )) {
    for (const { Key, ETag } of Contents ?? []) {
      if (Key === undefined) continue;
      const md5 = /^"([0-9a-f]{32})"$/.exec(ETag ?? "")?.[1];
      files.push({ path: Key.slice(prefix.length), key: Key, ...(md5 !== undefined && { md5 }) });
    }
  }
  return files;
}

/**
 * Brings one file to disk unless the same bytes are there already; true when it was brought. The
 * bytes are held against S3's MD5 before they get their name. Throws when they differ.
 */
export async function fetchFile(
  client: S3Client,
  bucket: string,
  file: RemoteFile,
  directory: string,
): Promise<boolean> {
  const target = resolve(directory, file.path);
  if (relative(resolve(directory), target).startsWith("..")) {
    throw new InvalidInput("bucket", file.key, "files below the run's own folder");
  }
  const present = await readFile(target).catch(() => undefined);
  if (present !== undefined && file.md5 === md5Of(present)) return false;
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: file.key }));
  const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
  if (file.md5 !== undefined && file.md5 !== md5Of(bytes)) {
    throw new Error(`${file.key}: found MD5 ${md5Of(bytes)}, expected ${file.md5}; fetch it again`);
  }
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.part`, bytes);
  await rename(`${target}.part`, join(target));
  return true;
}

function md5Of(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}
