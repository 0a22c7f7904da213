import { remoteFiles } from "../../lib/aws/fetch-run.ts";
import type { DriverPorts } from "./ports.ts";
import type { EarlierRun } from "./take-run-lock.ts";

/** Returns a notice if the previous run has samples but no report, with the commands that create one. */
export async function unreportedRun(
  { runId, ending }: EarlierRun,
  { s3, bucketName }: DriverPorts,
): Promise<readonly string[]> {
  if (ending === "SUCCEEDED") return [];
  const files = await remoteFiles(s3, bucketName, runId);
  const hasSamples = files.some(({ path }) => /(^|\/)samples\//.test(path));
  const hasReport = files.some(({ path }) => path === "report.md");
  if (!hasSamples || hasReport) return [];
  const fetch = `npm run kelvin -- fetch --bucket ${bucketName} --run ${runId}`;
  const problem = `the previous run, ${runId}, ended as ${ending} and has samples but no report`;
  return [`${problem}; to get one: ${fetch}, then npm run kelvin -- report runs/${runId}`];
}
