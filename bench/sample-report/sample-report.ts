import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { costBasis } from "../../bin/run/cost-basis.ts";
import { renderRun } from "../../bin/run/report-run.ts";
import { openRun, verifyRun } from "../../bin/run/stored-run.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { packRun, unpackRun } from "./packed-run.ts";

export const sampleReport: string = join(projectPaths.root, "docs", "sample-report");

/** The folder of the samples that the report is made from. */
export const sampleRun: string = join(sampleReport, "run");

/** Files that readers open or scripts read. The others can be derived from the samples. */
export const sampleFiles = [
  "report.html",
  "report.md",
  "report-full.md",
  "series.csv",
  "summary.json",
] as const;

/** Renders the report of the packed run as `kelvin report` does, in a folder that exists while `use` runs. */
export async function withRenderedSample(
  use: (folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kelvin-sample-"));
  try {
    await unpackRun(sampleRun, folder);
    const { verification } = await renderRun(folder, costBasis({}));
    if (verification.kind !== "verified") throw new Error(`${sampleRun}: found no checksums`);
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the report's files from the samples stored beside them. */
export async function renderSampleReport(): Promise<void> {
  await withRenderedSample((folder) => {
    for (const name of sampleFiles) copyFileSync(join(folder, name), join(sampleReport, name));
  });
}

/** Stores another run's samples. Throws InvalidInput unless the run is complete and of the standard preset. */
export async function replaceSampleRun(folder: string): Promise<void> {
  const run = await openRun("run", folder);
  const { run: verification } = await verifyRun(run, folder);
  const [only, ...others] = run.experiments;
  const isWhole = verification.kind === "verified" && only?.manifest?.status === "complete";
  if (!isWhole || others.length > 0 || only.plan.preset !== "standard") {
    throw new InvalidInput("run", folder, "a complete run of one experiment, --preset standard");
  }
  rmSync(sampleRun, { recursive: true, force: true });
  await packRun(folder, sampleRun);
}
