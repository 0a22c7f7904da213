import { statSync } from "node:fs";
import { join, relative } from "node:path";
import type { S3Client } from "@aws-sdk/client-s3";
import type { RemoteFile } from "../../lib/aws/fetch-file.ts";
import { fetchRun, remoteFiles, remoteRuns } from "../../lib/aws/fetch-run.ts";
import { resultsClient } from "../../lib/aws/results-client.ts";
import type { RunAddress } from "../../lib/aws/run-address.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { readPlain, requirePlainFolder } from "../../lib/files/plain-file.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { fileProgress, type Progress } from "../progress.ts";
import type { FetchedRun } from "./print-fetched.ts";
import { type NeededSpace, requireWritable } from "./require-writable.ts";
import {
  experimentFolders,
  isEnded,
  openRun,
  requireFolder,
  type StoredRun,
} from "./stored-run.ts";
import { verifyRun } from "./verify-run.ts";

const longestList = 20;

/** Brings the run, or what is not here yet of it, and verifies it. */
export async function bringRun(
  { bucket, runId: asked }: RunAddress,
  out: string | undefined,
  progress: Progress,
  signal: AbortSignal,
): Promise<FetchedRun> {
  const client = await resultsClient();
  const runId = asked ?? (await latestRun(client, bucket));
  const files = await filesOf(client, bucket, runId);
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
    if (!signal.aborted) progress.say(`failed after ${brought} files; try again for the rest`);
    throw error;
  });
  progress.end();
  const folder = relative(process.cwd(), directory);
  return { bucket, runId, folder, files, brought, ...(await stateOf(directory, folder)) };
}

/** Of those that are not here yet; one that has another content by now is replaced in its place. */
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
    throw new InvalidInput("bucket", bucket, "a results bucket with a run in it; it has none yet");
  }
  return latest;
}

async function filesOf(
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

/** A folder holds one run: the files of two have the same names. */
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
  throw new InvalidInput("out", found, `a folder without another run; ${present} is there`);
}

/** Undefined where there is no plan, or one that is damaged: it is brought again. */
async function runIdIn(directory: string): Promise<string | undefined> {
  try {
    const [folder = ""] = experimentFolders(directory);
    const plan = await readPlain(directory, join(folder, "plan.json"));
    return plan && (JSON.parse(plan.toString("utf8")) as Plan).runId;
  } catch {
    return undefined;
  }
}

async function stateOf(
  directory: string,
  folder: string,
): Promise<Pick<FetchedRun, "status" | "verification">> {
  const run = await openRun("run", directory);
  const { run: verification } = await verifyRun(run, folder);
  return { verification, status: statusOf(run) };
}

/** Of several experiments the least that holds for all. */
function statusOf({ experiments }: StoredRun): FetchedRun["status"] {
  const statuses = experiments.map(({ manifest }) =>
    isEnded(manifest) ? manifest.status : "unfinished",
  );
  return (
    statuses.find((status) => status === "unfinished") ??
    statuses.find((status) => status !== "complete") ??
    "complete"
  );
}
