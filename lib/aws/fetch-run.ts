import { paginateListObjectsV2, type S3Client } from "@aws-sdk/client-s3";
import { readPlain } from "../files/plain-file.ts";
import { type Checksums, checksumsPath, parseChecksums } from "../protocol/checksums.ts";
import { inLanes } from "../protocol/in-lanes.ts";
import { fetchFile, md5Of, type RemoteFile, requireFetchable } from "./fetch-file.ts";

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
        ...(md5 !== undefined && { md5 }),
        ...(Size !== undefined && { bytes: Size }),
      });
    }
  }
  return files;
}

export interface FetchOptions {
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
  await inLanes(others, lanes, async (file) => await fetchOne(file, checksums));
}

async function checksumsIn(directory: string): Promise<Checksums> {
  return parseChecksums((await readPlain(directory, checksumsPath))?.toString("utf8") ?? "");
}
