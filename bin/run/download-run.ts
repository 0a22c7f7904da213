import { statSync } from "node:fs";
import { join } from "node:path";
import type { S3Client } from "@aws-sdk/client-s3";
import { fetchRun, type RemoteFile, remoteFiles, remoteRuns } from "../../lib/aws/fetch-run.ts";
import { type RunAddress, resultsClient, s3Problem } from "../../lib/aws/results-bucket.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { readPlain, requirePlainFolder } from "../../lib/files/plain-file.ts";
import { checksumsPath } from "../../lib/sampler/checksums.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { fileProgress, type Progress } from "../progress.ts";
import { type NeededSpace, requireWritable } from "./run-folder.ts";
import { shownPath } from "./shown-path.ts";
import {
  experimentFolders,
  isEnded,
  openRun,
  requireFolder,
  type StoredRun,
} from "./stored-run.ts";
import { interruption, stoppingText } from "./until-ended.ts";
import { type Verification, verifyRun } from "./verify-run.ts";

const longestList = 20;

/** Downloads the run, or the files of it that are missing here, and verifies it. */
export async function downloadRun(
  { bucket, runId: asked }: RunAddress,
  out: string | undefined,
  progress: Progress,
  signal: AbortSignal,
  given?: S3Client,
): Promise<FetchedRun> {
  const client = given ?? (await resultsClient());
  const runId = asked ?? (await latestRun(client, bucket));
  const files = await listFiles(client, bucket, runId);
  const directory = out ?? join(projectPaths.runs, runId);
  await checkFolder(directory, runId, out);
  requireWritable({ option: "out", directory }, spaceOfFiles(files, directory));
  let brought = 0;
  const show = fileProgress(progress, files.length);
  const onFile = (_: RemoteFile, isBrought: boolean) => {
    brought += Number(isBrought);
    show(brought);
  };
  await fetchRun(client, bucket, files, directory, { signal, onFile }).catch((error: unknown) => {
    progress.end();
    if (!signal.aborted)
      progress.say(`failed after ${brought} files; run the command again to fetch the rest`);
    throw error;
  });
  progress.end();
  const folder = shownPath(directory);
  return { bucket, runId, folder, files, brought, ...(await readState(directory, folder)) };
}

/**
 * Downloads a run until Ctrl-C stops it. If so, prints how to go on and returns undefined.
 * @param goOn completes the sentence "stopped; ..."
 */
export async function downloadUnlessStopped(
  address: RunAddress,
  out: string | undefined,
  progress: Progress,
  goOn: string,
  client?: S3Client,
): Promise<FetchedRun | undefined> {
  const { signal, release } = interruption(progress, stoppingText("what was fetched"));
  try {
    return await downloadRun(address, out, progress, signal, client);
  } catch (error) {
    if (!signal.aborted) throw s3Problem(error, address.bucket);
    return void progress.say(`stopped; ${goOn}`);
  } finally {
    release();
  }
}

/** Returns the space for files that are missing here or have another size. */
function spaceOfFiles(files: readonly RemoteFile[], directory: string): NeededSpace {
  const sizeHere = ({ path }: RemoteFile) =>
    statSync(join(directory, path), { throwIfNoEntry: false })?.size;
  const missing = files.filter((file) => sizeHere(file) !== file.bytes);
  const bytes = missing.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  return { bytes, what: `${missing.length} files` };
}

async function latestRun(client: S3Client, bucket: string): Promise<string> {
  const latest = (await remoteRuns(client, bucket)).at(-1);
  if (latest === undefined) {
    throw new InvalidInput(
      "bucket",
      bucket,
      "a results bucket that holds a run; this one has none yet",
    );
  }
  return latest;
}

async function listFiles(
  client: S3Client,
  bucket: string,
  runId: string,
): Promise<readonly RemoteFile[]> {
  const files = await remoteFiles(client, bucket, runId);
  if (files.length > 0) return files;
  const runs = await remoteRuns(client, bucket);
  const shown = runs.slice(-longestList).reverse().join(", ");
  const more = runs.length > longestList ? `, and ${runs.length - longestList} earlier ones` : "";
  throw new InvalidInput("run", runId, shown === "" ? "none: the bucket has no run" : shown + more);
}

/** Throws InvalidInput if the folder holds another run: their files have the same names. */
async function checkFolder(
  directory: string,
  runId: string,
  out: string | undefined,
): Promise<void> {
  requireFolder("out", directory);
  requirePlainFolder(directory);
  const present = await runIdIn(directory);
  if (present === undefined || present === runId) return;
  const found = out ?? directory;
  throw new InvalidInput(
    "out",
    found,
    `a folder that holds no other run; this one holds ${present}`,
  );
}

/** Returns undefined if there is no plan, or if it is damaged: it is then downloaded again. */
async function runIdIn(directory: string): Promise<string | undefined> {
  try {
    const [folder = ""] = experimentFolders(directory);
    const plan = await readPlain(directory, join(folder, "plan.json"));
    return plan && (JSON.parse(plan.toString("utf8")) as Plan).runId;
  } catch {
    return undefined;
  }
}

async function readState(
  directory: string,
  folder: string,
): Promise<Pick<FetchedRun, "status" | "verification">> {
  const run = await openRun("run", directory);
  const { run: verification } = await verifyRun(run, folder);
  return { verification, status: overallStatus(run) };
}

/** Returns the worst status of all experiments. */
function overallStatus({ experiments }: StoredRun): FetchedRun["status"] {
  const statuses = experiments.map(({ manifest }) =>
    isEnded(manifest) ? manifest.status : "unfinished",
  );
  return (
    statuses.find((status) => status === "unfinished") ??
    statuses.find((status) => status !== "complete") ??
    "complete"
  );
}

export interface FetchedRun {
  readonly bucket: string;
  readonly runId: string;
  readonly folder: string;
  readonly files: readonly RemoteFile[];
  /** Number of files that were not here already. */
  readonly brought: number;
  readonly status: Manifest["status"] | "unfinished";
  readonly verification: Verification;
}

/** Describes what the files were verified against, and how many could not be. */
export function verifiedBy({
  files,
  verification,
}: Pick<FetchedRun, "files" | "verification">): string {
  if (verification.kind === "verified") {
    return `${verification.files} files verified against ${checksumsPath}, the rest against S3's MD5`;
  }
  const unhashed = files.filter(({ md5 }) => md5 === undefined).length;
  const but = unhashed === 0 ? "" : `; S3 has no MD5 for ${unhashed} files, which are not verified`;
  return `verified against S3's MD5 (the run has no ${checksumsPath})${but}`;
}
