import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { costBasis } from "../../bin/run/cost-basis.ts";
import { renderRun } from "../../bin/run/report-run.ts";
import { openRun } from "../../bin/run/stored-run.ts";
import { verifyRun } from "../../bin/run/verify-run.ts";
import { printedText } from "../../bin/run/write-report.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import type { RenderedReport } from "../../lib/report/experiment-report.ts";
import { checksumsPath } from "../../lib/sampler/checksums.ts";
import { samplesPath } from "../../lib/sampler/result-store.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

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

/**
 * Renders the report of the packed run as `kelvin report` does, in a folder that exists while `use` runs.
 * @param use also gets what the run printed
 */
export async function withRenderedSample(
  use: (folder: string, printed: string) => void | Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "kelvin-sample-"));
  try {
    await unpackRun(sampleRun, folder);
    const { run, verification, rendered } = await renderRun(folder, costBasis({}));
    if (verification.kind !== "verified") throw new Error(`${sampleRun}: found no checksums`);
    const [report] = rendered as [RenderedReport];
    await use(folder, printedText(report, join("runs", run.runId)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the report's files, and what the README shows of them, from the samples stored beside them. */
export async function renderSampleReport(): Promise<void> {
  const readme = join(projectPaths.root, "README.md");
  await withRenderedSample((folder, printed) => {
    for (const name of sampleFiles) copyFileSync(join(folder, name), join(sampleReport, name));
    const shown = readFileSync(readme, "utf8").replace(
      /(?<=```\n)DynamoDB: .*?(?=\n```)/s,
      () => printed,
    );
    writeFileSync(readme, shown);
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

/** Every sample of the run, one per line, in the order of its files. */
const packedSamples = "samples.jsonl.gz";
const wholeFiles = ["plan.json", "manifest.json", checksumsPath];

/** Copies a run to a folder, with its hundreds of sample files in one compressed file. */
async function packRun(runFolder: string, packedFolder: string): Promise<void> {
  const run = new DiskResultStore(runFolder);
  mkdirSync(packedFolder, { recursive: true });
  for (const name of wholeFiles) {
    writeFileSync(join(packedFolder, name), readFileSync(join(runFolder, name)));
  }
  const texts = (await run.list("samples")).map((path) => readFileSync(join(runFolder, path)));
  writeFileSync(join(packedFolder, packedSamples), gzipSync(Buffer.concat(texts), { level: 9 }));
}

/** Restores the run's files as they were before packing; their checksums can prove it. */
async function unpackRun(packedFolder: string, runFolder: string): Promise<void> {
  const run = new DiskResultStore(runFolder);
  for (const name of wholeFiles) {
    await run.writeText(name, readFileSync(join(packedFolder, name), "utf8"));
  }
  const text = gunzipSync(readFileSync(join(packedFolder, packedSamples))).toString("utf8");
  const texts = new Map<string, string>();
  for (const line of text.split("\n").slice(0, -1)) {
    const path = samplesPath(JSON.parse(line) as Sample);
    texts.set(path, `${texts.get(path) ?? ""}${line}\n`);
  }
  for (const [path, lines] of texts) await run.writeText(path, lines);
}
