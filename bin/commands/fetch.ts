import { statSync } from "node:fs";
import { join, relative } from "node:path";
import type { S3Client } from "@aws-sdk/client-s3";
import { fetchRun, type RemoteFile, remoteFiles, remoteRuns } from "../../lib/aws/fetch-run.ts";
import {
  parseRunAddress,
  type RunAddress,
  resultsClient,
  s3Problem,
} from "../../lib/aws/results-bucket.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { readPlain, requirePlainFolder } from "../../lib/files/plain-file.ts";
import { checksumsPath } from "../../lib/sampler/checksums.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { exitCodes } from "../exit-codes.ts";
import { fileProgress, Progress, printable } from "../progress.ts";
import { type NeededSpace, requireWritable } from "./new-run.ts";
import {
  experimentFolders,
  isEnded,
  openRun,
  requireFolder,
  type StoredRun,
  type Verification,
  verifyRun,
} from "./stored-run.ts";
import { interruption, stoppingText } from "./until-ended.ts";

interface FetchOptions {
  readonly bucket?: string;
  readonly run?: string;
  readonly out?: string;
  readonly json?: true;
}

/** `kelvin fetch`: downloads a run from the results bucket; returns the exit code. */
export async function fetch(address: string | undefined, words: FetchOptions): Promise<number> {
  const where = parseAddress(address, words);
  const progress = new Progress();
  const { signal, release } = interruption(progress, stoppingText("what was fetched"));
  try {
    const fetched = await downloadRun(where, words.out, progress, signal);
    printFetched(fetched, progress, words.json === true);
    return fetched.status === "complete" ? exitCodes.complete : exitCodes.partial;
  } catch (error) {
    progress.end();
    if (!signal.aborted) throw s3Problem(error, where.bucket);
    progress.say("stopped; the same command fetches the rest");
    return exitCodes.interrupted;
  } finally {
    release();
  }
}

function parseAddress(address: string | undefined, { bucket, run }: FetchOptions): RunAddress {
  if (address === undefined) {
    if (bucket === undefined)
      throw new InvalidInput(
        "address",
        address,
        "s3://BUCKET/runs/<runId>, s3://BUCKET, or --bucket",
        "nothing to fetch: kelvin fetch s3://BUCKET/runs/<runId>, or --bucket NAME for the latest run",
      );
    return { bucket, ...(run !== undefined && { runId: run }) };
  }
  if (bucket === undefined && run === undefined) return parseRunAddress(address);
  throw new InvalidInput("address", address, "either an address or --bucket and --run");
}

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
  const folder = relative(process.cwd(), directory);
  return { bucket, runId, folder, files, brought, ...(await readState(directory, folder)) };
}

/** The space for files that are not here yet; a file whose content has changed is replaced. */
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

/** Undefined if there is no plan, or if it is damaged: it is then downloaded again. */
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

/** The overall status of all experiments: the worst that any of them has. */
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

interface FetchedRun {
  readonly bucket: string;
  readonly runId: string;
  readonly folder: string;
  readonly files: readonly RemoteFile[];
  /** Number of files that were not here already. */
  readonly brought: number;
  readonly status: Manifest["status"] | "unfinished";
  readonly verification: Verification;
}

/** Prints what was downloaded, how it was verified and where the report is; for scripts, one JSON line. */
function printFetched(fetched: FetchedRun, progress: Progress, asJson: boolean): void {
  const { folder, files, brought, status } = fetched;
  progress.say(`${brought} of ${files.length} files fetched, the rest were here already`);
  progress.say(verifiedBy(fetched));
  const reports = ["report.html", "report.md"].filter((name) =>
    files.some(({ path }) => path === name),
  );
  if (status === "unfinished") progress.say(unfinished(folder));
  else if (reports.length === 0) progress.say(`it has no report: kelvin report ${folder}`);
  const paths = reports.map((name) => join(folder, name));
  const text = asJson ? JSON.stringify(forScripts(fetched, paths)) : paths.join("\n");
  if (text !== "") process.stdout.write(`${printable(text)}\n`);
}

/** Says what the files were verified against, and how many could not be. */
export function verifiedBy({
  files,
  verification,
}: Pick<FetchedRun, "files" | "verification">): string {
  if (verification.kind === "verified") {
    return `${verification.files} files verified against ${checksumsPath}, the rest against S3's MD5`;
  }
  const without = files.filter(({ md5 }) => md5 === undefined).length;
  const but = without === 0 ? "" : `; S3 has no MD5 for ${without} files, which are not verified`;
  return `verified against S3's MD5 (the run has no ${checksumsPath})${but}`;
}

function unfinished(folder: string): string {
  return [
    "this run is unfinished: it is still running, or was stopped before its report was written",
    `  run the command again to fetch what is measured later; kelvin report ${folder} renders what is here`,
  ].join("\n");
}

function forScripts(fetched: FetchedRun, reports: readonly string[]): object {
  const { bucket, runId, folder, files, brought, status, verification } = fetched;
  const verifiedBy = verification.kind === "verified" ? "sha256" : "md5";
  return { bucket, runId, folder, status, files: files.length, brought, verifiedBy, reports };
}
