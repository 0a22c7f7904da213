import { join } from "node:path";
import type { RemoteFile } from "../../lib/aws/fetch-file.ts";
import type { Manifest } from "../../lib/contract/types/contract.ts";
import { checksumsPath } from "../../lib/protocol/checksums.ts";
import { printable } from "../printable.ts";
import type { Progress } from "../progress.ts";
import type { Verification } from "./verify-run.ts";

export interface FetchedRun {
  readonly bucket: string;
  readonly runId: string;
  readonly folder: string;
  readonly files: readonly RemoteFile[];
  /** How many of the files were not here already. */
  readonly brought: number;
  readonly status: Manifest["status"] | "unfinished";
  readonly verification: Verification;
}

/** What came, against what it was verified, and where the report is; or, for scripts, one JSON line. */
export function printFetched(fetched: FetchedRun, progress: Progress, asJson: boolean): void {
  const { folder, files, brought, status } = fetched;
  progress.say(`${brought} of ${files.length} files fetched, the others were here already`);
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

function verifiedBy({ files, verification }: FetchedRun): string {
  if (verification.kind === "verified") {
    return `${verification.files} files verified against ${checksumsPath}, the others against S3's MD5`;
  }
  const without = files.filter(({ md5 }) => md5 === undefined).length;
  const but = without === 0 ? "" : `; S3 gives none of ${without} files, which are not verified`;
  return `verified against S3's MD5 (the run has no ${checksumsPath})${but}`;
}

function unfinished(folder: string): string {
  return [
    "this run is unfinished: it is going on, or was stopped before its report was written",
    `  the same command brings what is measured later; kelvin report ${folder} renders what is here`,
  ].join("\n");
}

function forScripts(fetched: FetchedRun, reports: readonly string[]): object {
  const { bucket, runId, folder, files, brought, status, verification } = fetched;
  const verifiedBy = verification.kind === "verified" ? "sha256" : "md5";
  return { bucket, runId, folder, status, files: files.length, brought, verifiedBy, reports };
}
