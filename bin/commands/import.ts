import { createHash, type Hash } from "node:crypto";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { defined } from "../../lib/contract/defined.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { ImportedSource } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { unfinishedName } from "../../lib/files/replace-file.ts";
import { unreadableText } from "../../lib/functions/artefact.ts";
import type { FunctionOptions } from "../../lib/import/imported-cells.ts";
import { type ImportedRun, importedRun } from "../../lib/import/imported-run.ts";
import { type FileFormat, SourceReader } from "../../lib/import/read-source.ts";
import { TextDecoding } from "../../lib/import/text-decoding.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import type { RenderedReport } from "../../lib/report/experiment-report.ts";
import { samplesPath } from "../../lib/sampler/result-store.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { type CostBasis, costBasis } from "../run/cost-basis.ts";
import {
  type Ending,
  type HashedSource,
  type LogGroupOptions,
  readLogGroup,
} from "../run/log-group-source.ts";
import { newRunName } from "../run/new-run.ts";
import { newRunFolder, requireWritable, spaceOfSamples } from "../run/run-folder.ts";
import { unpackedBytes } from "../run/unpacked-bytes.ts";
import { interruption } from "../run/until-ended.ts";
import { printReport, writeReport } from "../run/write-report.ts";

/** The options of the command line, as commander passes them. */
export interface ImportOptions extends Omit<FunctionOptions, "memoryMb">, Partial<LogGroupOptions> {
  readonly memory?: number;
  readonly from?: FileFormat;
  readonly out?: string;
  readonly prices?: string;
  readonly json?: true;
}

/**
 * `kelvin import`: stores measurements from other sources as a run; returns the exit code. Everything is read and
 * checked first, so the folder appears complete or not at all.
 */
export async function importRun(paths: readonly string[], options: ImportOptions): Promise<number> {
  const costs = costBasis(options);
  const name = newRunName();
  const folder = requireNew(newRunFolder(options.out, name.runId), options.out);
  // The run is written beside the folder first, and renamed once it is complete.
  const place = { option: "out", directory: dirname(folder) } as const;
  requireWritable(place, spaceOfSamples(0));
  const progress = new Progress();
  const { read, ending } = await readAll(paths, options, progress);
  const sha256 = read.map((each) => each.sha256);
  const stamp = { ...name, pricesDate: costs.prices.date, sha256 };
  const sources = read.map(({ source }) => source);
  const { memory } = options;
  const described = { ...options, ...defined({ memoryMb: memory }) };
  const run = importedRun(sources, described, stamp);
  requireWritable(place, spaceOfSamples(run.samples.length));
  const interrupted = interruption(progress, "stopping: nothing is imported");
  const rendered = await writeWhole(folder, run, costs, interrupted.signal).finally(
    interrupted.release,
  );
  if (rendered === undefined) return exitCodes.interrupted;
  for (const source of rendered.manifest.imported?.sources ?? []) progress.say(counted(source));
  for (const warning of rendered.manifest.warnings) progress.say(warning);
  if (rendered.manifest.region === undefined) progress.say(withoutRegion);
  const printed = { ...rendered, manifests: [rendered.manifest], isMultiExperiment: false };
  printReport(printed, folder, options.json === true);
  return endings[ending];
}

const endings: Readonly<Record<Ending, number>> = {
  whole: exitCodes.complete,
  cut: exitCodes.partial,
  interrupted: exitCodes.interrupted,
};

/** Samples per file. A file is built in memory before it is written: some MB. */
const samplesPerFile = 20_000;
const withoutRegion = "no source tells the region, and without --region nothing can be priced";

function requireNew(folder: string, out: string | undefined): string {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return folder;
  throw new InvalidInput("out", out, "a folder that is empty or not there yet");
}

/** Returns undefined if the signal came before the folder had its name: then nothing of it is left. */
async function writeWhole(
  folder: string,
  { plan, manifest, samples }: ImportedRun,
  costs: CostBasis,
  signal: AbortSignal,
): Promise<RenderedReport | undefined> {
  const unfinished = unfinishedName(folder);
  const store = new DiskResultStore(unfinished);
  try {
    await store.writeText("plan.json", `${JSON.stringify(validated("plan", plan), null, 2)}\n`);
    for (const cell of plan.cells) {
      const own = samples.filter((sample) => sample.cell === cell);
      for (let first = 0; first < own.length; first += samplesPerFile) {
        if (signal.aborted) return undefined;
        const lines = own.slice(first, first + samplesPerFile).map(sampleLine);
        await store.writeText(samplesPath({ cell, block: first / samplesPerFile }), lines.join(""));
      }
    }
    const rendered = await writeReport({ store, plan, manifest, costs });
    validated("manifest", rendered.manifest);
    if (signal.aborted) return undefined;
    await mkdir(dirname(folder), { recursive: true });
    await rename(unfinished, folder);
    return rendered;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

function sampleLine(sample: ImportedRun["samples"][number]): string {
  return `${JSON.stringify(validated("sample", sample))}\n`;
}

function counted({ name, format, read, taken, notTaken }: ImportedSource): string {
  const skipped = Object.entries(notTaken).map(([reason, n]) => `${n} ${reason}`);
  const rest = skipped.length === 0 ? "" : `; skipped: ${skipped.join(", ")}`;
  return `${name} (${format}): ${read} read, ${taken} imported${rest}`;
}

/** Reads the log group, or the files. Throws InvalidInput. */
async function readAll(
  paths: readonly string[],
  { logGroup, since, region, from }: ImportOptions,
  progress: Progress,
): Promise<{ readonly read: readonly HashedSource[]; readonly ending: Ending }> {
  if (logGroup === undefined) {
    if (since !== undefined) throw new InvalidInput("since", since, "with --log-group alone");
    if (paths.length === 0) {
      throw new InvalidInput(
        "source",
        undefined,
        "files, - for the standard input, or --log-group",
        "nothing to import: kelvin import name.log, or --log-group /aws/lambda/NAME",
      );
    }
    return { read: await readSources(paths, from), ending: "whole" };
  }
  const unused = [...paths, ...(from === undefined ? [] : [`--from ${from}`])];
  if (unused.length > 0) throw new InvalidInput("source", unused, "nothing beside --log-group");
  const options = { logGroup, ...defined({ since }), ...(region && { region }) };
  const { ending, ...source } = await readLogGroup(options, progress);
  return { read: [source], ending };
}

/** Reads the sources at the paths in chunks; `-` is stdin. Throws InvalidInput. */
async function readSources(
  paths: readonly string[],
  format: FileFormat | undefined,
): Promise<readonly HashedSource[]> {
  if (new Set(paths).size !== paths.length) {
    throw new InvalidInput("source", paths, "each file once, and - (standard input) once");
  }
  const sources: HashedSource[] = [];
  for (const path of paths) sources.push(await readOne(path, format));
  return sources;
}

async function readOne(path: string, format: FileFormat | undefined): Promise<HashedSource> {
  const reader = new SourceReader(path === "-" ? "stdin" : path, format);
  const hash = createHash("sha256");
  const decoding = new TextDecoding();
  const stored = hashedBytes(bytesOf(path), hash);
  for await (const bytes of requireUnpacked(path, unpackedBytes(stored))) {
    reader.add(decoding.add(bytes));
  }
  reader.add(decoding.end());
  return { source: reader.end(), sha256: hash.digest("hex") };
}

/** Passes on the bytes of a file as they are stored, and hashes them. */
async function* hashedBytes(bytes: AsyncIterable<Uint8Array>, hash: Hash) {
  for await (const each of bytes) {
    hash.update(each);
    yield each;
  }
}

/** Throws InvalidInput for gzip that cannot be unpacked, for example because it is cut off. */
async function* requireUnpacked(path: string, bytes: AsyncIterable<Uint8Array>) {
  try {
    yield* bytes;
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    const { message } = describeError(error);
    throw new InvalidInput("source", path, `whole gzip, or a file that is none (${message})`);
  }
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* path === "-" ? process.stdin : createReadStream(path);
  } catch (error) {
    const allowed = `a readable file, or - for standard input (${describeError(error).message})`;
    throw new InvalidInput("source", path, allowed, unreadableText(path, error));
  }
}
