import { basename, dirname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { OneRun } from "../../lib/analysis/compare-runs.ts";
import { seriesViews } from "../../lib/analysis/series-view.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { replaceFile } from "../../lib/files/replace-file.ts";
import { bencherMetrics } from "../../lib/report/render/bencher.ts";
import { samplesCsv } from "../../lib/report/render/csv.ts";
import { storedSamples } from "../../lib/sampler/result-store.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress, printable } from "../progress.ts";
import { readRun } from "../run/read-run.ts";
import { openRun, type StoredRun } from "../run/stored-run.ts";
import { verifyRun } from "../run/verify-run.ts";

interface ExportOptions {
  readonly format: keyof typeof formats | "bencher";
  readonly out?: string;
}

const formats = { csv: samplesCsv, jsonl: jsonLines };

/** `kelvin export`: prints every sample of a run, or its means for a dashboard; returns the exit code. */
export async function exportRun(folder: string, options: ExportOptions): Promise<number> {
  const run = await openRun("folder", folder);
  const text = await exported(run, folder, options.format);
  if (options.out === undefined) await print(text);
  else await writeWhole(resolve(options.out), text);
  return exitCodes.complete;
}

async function exported(
  run: StoredRun,
  folder: string,
  format: ExportOptions["format"],
): Promise<AsyncIterable<string>> {
  if (format === "bencher") return bencherJson(await readRun(run, folder));
  await verifyRun(run, folder);
  return formats[format](samplesOf(run, new Progress()));
}

async function* bencherJson(runs: readonly OneRun[]): AsyncGenerator<string> {
  const metrics = runs.map(({ plan, samples }) =>
    bencherMetrics(plan.experiment, seriesViews(plan, samples, [])),
  );
  yield `${JSON.stringify(Object.assign({}, ...metrics), null, 2)}\n`;
}

async function* samplesOf(run: StoredRun, progress: Progress): AsyncGenerator<Sample> {
  let count = 0;
  for (const { store } of run.experiments) {
    for await (const sample of storedSamples(store, ({ path, line }) =>
      progress.say(`${path} line ${line}: cut off in the middle of a write; not a sample`),
    )) {
      count += 1;
      yield sample;
    }
  }
  progress.say(`${count} samples`);
}

async function* jsonLines(samples: AsyncIterable<Sample>): AsyncGenerator<string> {
  for await (const sample of samples) yield `${JSON.stringify(sample)}\n`;
}

/** Prints the lines. It ignores EPIPE: a reader such as head may close the pipe early. */
async function print(lines: AsyncIterable<string>): Promise<void> {
  try {
    const shown = process.stdout.isTTY ? printableLines(lines) : lines;
    await pipeline(Readable.from(shown), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}

/** Escapes control characters for a terminal. A file gets the lines unchanged. */
async function* printableLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield printable(line);
}

async function writeWhole(path: string, lines: AsyncIterable<string>): Promise<void> {
  await replaceFile(dirname(path), basename(path), async (file) => {
    for await (const chunk of inChunks(lines)) await file.appendFile(chunk);
  });
}

/** Groups lines into chunks, so that a million samples do not take a million writes. */
async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < 65_536) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}
