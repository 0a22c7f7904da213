import { join } from "node:path";
import { parseRunAddress, type RunAddress } from "../../lib/aws/results-bucket.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress, printable } from "../progress.ts";
import { downloadUnlessStopped, type FetchedRun, verifiedBy } from "../run/download-run.ts";

interface FetchOptions {
  readonly bucket?: string;
  readonly run?: string;
  readonly out?: string;
  readonly json?: true;
}

/** `kelvin fetch`: downloads a run from the results bucket; returns the exit code. */
export async function fetch(address: string | undefined, options: FetchOptions): Promise<number> {
  const where = parseAddress(address, options);
  const progress = new Progress();
  const goOn = "the same command fetches the rest";
  const fetched = await downloadUnlessStopped(where, options.out, progress, goOn);
  if (fetched === undefined) return exitCodes.interrupted;
  printFetched(fetched, progress, options.json === true);
  return fetched.status === "complete" ? exitCodes.complete : exitCodes.partial;
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
