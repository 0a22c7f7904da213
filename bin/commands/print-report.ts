import { join } from "node:path";
import type { Manifest } from "../../lib/contract/types/contract.ts";
import { printable } from "../printable.ts";

/** A report to be told of: a run's of one experiment, or of several. */
export interface PrintedReport {
  readonly headline: string;
  /** Of each experiment that was reported. */
  readonly manifests: readonly Manifest[];
  /** Whether the run was of several experiments. */
  readonly isOfSeveral: boolean;
}

/** The headline tables and where the report lies; or, for scripts, the manifests as one JSON line. */
export function printReport(report: PrintedReport, folder: string, asJson: boolean): void {
  const { headline, manifests, isOfSeveral } = report;
  const files = ["report.html", "report.md"].map((name) => join(folder, name));
  const told = isOfSeveral ? { manifests } : { manifest: manifests[0] };
  const text = asJson
    ? JSON.stringify({ folder, files, ...told })
    : `${headline}\n\n${files.join("\n")}`;
  process.stdout.write(`${printable(text)}\n`);
}
