import { join, relative } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { fetchFile, remoteFiles, remoteRuns } from "../../lib/aws/fetch-run.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";

export interface FetchWords {
  readonly bucket: string;
  readonly run?: string;
  readonly out?: string;
}

/** `kelvin fetch`: brings a run from the results bucket to disk; returns the exit code. */
export async function fetch(words: FetchWords): Promise<number> {
  const client = new S3Client({});
  const runs = await remoteRuns(client, words.bucket);
  const runId = words.run ?? runs.at(-1);
  if (runId === undefined || !runs.includes(runId)) {
    throw new InvalidInput("run", runId, runs.join(", ") || "a run in the bucket; it has none yet");
  }
  const directory = words.out ?? join(projectPaths.runs, runId);
  const files = await remoteFiles(client, words.bucket, runId);
  const progress = new Progress();
  let fetched = 0;
  for (const [index, file] of files.entries()) {
    fetched += Number(await fetchFile(client, words.bucket, file, directory));
    progress.show(`${index + 1} of ${files.length} files`);
  }
  progress.end();
  progress.say(`${fetched} of ${files.length} files fetched, the others were here already`);
  const folder = relative(process.cwd(), directory);
  process.stdout.write(
    `${["report.html", "report.md"].map((name) => join(folder, name)).join("\n")}\n`,
  );
  return exitCodes.complete;
}
