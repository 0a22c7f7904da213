import { join } from "node:path";
import type { RenderedReport } from "../../lib/report/render-report.ts";

/** The headline tables and where the report lies; or, for scripts, the manifest as one JSON line. */
export function printReport(report: RenderedReport, folder: string, asJson: boolean): void {
  const files = ["report.html", "report.md"].map((name) => join(folder, name));
  const text = asJson
    ? JSON.stringify({ folder, files, manifest: report.manifest })
    : `${report.headline}\n\n${files.join("\n")}`;
  process.stdout.write(`${text}\n`);
}
