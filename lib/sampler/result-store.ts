import { currentSample } from "../contract/earlier-schemas.ts";
import { InvalidInput, inPlace } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import type { CellFailure, Manifest, Plan, Sample } from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";

/**
 * The files of an experiment's results, on disk or in S3, under the same names: plan.json,
 * samples/<cell>/<block>.jsonl, failures/<cell>/<block>.json, manifest.json, report.*, SHA256SUMS. In S3 a trial
 * continues in samples/<cell>/<block>_<sequence>.jsonl; each part is named after its first sample.
 */
export interface ResultStore {
  writeText(path: string, text: string): Promise<void>;
  /** Returns the text; undefined if the file does not exist. */
  readText(path: string): Promise<string | undefined>;
  /** Returns the paths below a folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  /** Yields the lines of a file. A remote store starts to read when this is called, not at the first line. */
  readLines(path: string): AsyncIterable<string>;
  /** Returns the SHA-256 of a file's bytes, in hex; undefined if the file does not exist. */
  sha256(path: string): Promise<string | undefined>;
}

/**
 * Number of files read at the same time. S3 answers within tens of ms: one by one, ten thousand files would take
 * minutes. https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html
 */
export const readsInFlight = 32;

/** Incomplete JSON at the end of a file, left by a writer that was killed. */
export interface CutLine {
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly characters: number;
}

/** Returns the path of a trial's samples, or of the part that starts at a sequence; paths sort in the trial's order. */
export function samplesPath(
  { cell, block, attempt }: Pick<Sample, "cell" | "block" | "attempt">,
  sequence = 0,
): string {
  const suffix = attempt === undefined ? "" : `.${attempt}`;
  const part = sequence === 0 ? "" : `_${String(sequence).padStart(6, "0")}`;
  return `samples/${cell.id}/${String(block).padStart(4, "0")}${suffix}${part}.jsonl`;
}

export function failurePath(failure: Pick<CellFailure, "cellId" | "block">): string {
  return `failures/${failure.cellId}/${String(failure.block).padStart(4, "0")}.json`;
}

/**
 * Streams all samples of a run; those of a trial are in order. An incomplete line at the end of a file is reported
 * and skipped. Throws InvalidInput, naming file and line, if any other line is not JSON.
 */
export async function* storedSamples(
  store: ResultStore,
  onCutLine: (cut: CutLine) => void = () => {},
): AsyncGenerator<Sample> {
  const open = (path: string): OpenFile => ({ path, lines: store.readLines(path) });
  for (const file of startedAhead(await store.list("samples"), readsInFlight, open)) {
    yield* samplesOfFile(file, onCutLine);
  }
}

interface OpenFile {
  readonly path: string;
  readonly lines: AsyncIterable<string>;
}

async function* samplesOfFile(
  { path, lines }: OpenFile,
  onCutLine: (cut: CutLine) => void,
): AsyncGenerator<Sample> {
  let line = 0;
  let unread: string | undefined;
  for await (const text of lines) {
    if (unread !== undefined) {
      throw new InvalidInput(`${path} line ${line}`, unread.slice(0, 60), "a sample as JSON");
    }
    line += 1;
    if (text === "") continue;
    const value = parseJson(text);
    if (value === undefined) unread = text;
    else yield sampleAt(path, line, value);
  }
  if (unread !== undefined) onCutLine({ path, line, characters: unread.length });
}

/** Throws InvalidInput, naming file and line, if the value is not a sample, or belongs in another file. */
function sampleAt(path: string, line: number, value: unknown): Sample {
  const place = `${path} line ${line}`;
  const current = currentSample(value);
  const problem = contractProblem("sample", current);
  if (problem !== undefined) throw inPlace(place, problem);
  const sample = current as Sample;
  // Imported samples have no trials and share a file.
  if (sample.target === "imported" || isTrialPart(samplesPath(sample), path)) return sample;
  throw new InvalidInput(place, samplesPath(sample), "a sample of the trial that this file is for");
}

/** Returns whether a file contains the trial, or a later part of it. */
function isTrialPart(trialPath: string, path: string): boolean {
  return path.replace(/_\d+\.jsonl$/, ".jsonl") === trialPath;
}

/** Lists the incomplete lines at the end of files. */
export async function cutLines(store: ResultStore): Promise<readonly CutLine[]> {
  const cut: CutLine[] = [];
  for await (const _ of storedSamples(store, (line) => cut.push(line)));
  return cut;
}

/** Reads all failed trials of a run. */
export async function storedFailures(store: ResultStore): Promise<readonly CellFailure[]> {
  const failures = new Map<string, CellFailure>();
  const paths = await store.list("failures");
  await forEachConcurrently(paths, readsInFlight, async (path) => {
    const text = await store.readText(path);
    if (text !== undefined) failures.set(path, failureAt(path, parseJson(text)));
  });
  return paths.flatMap((path) => failures.get(path) ?? []);
}

function failureAt(path: string, value: unknown): CellFailure {
  const { cellId, block, type, message } = Object(value) as Partial<CellFailure>;
  const texts = [cellId, type, message];
  if (texts.every((text) => typeof text === "string") && typeof block === "number") {
    return value as CellFailure;
  }
  throw new InvalidInput(path, value, "a failed trial: cellId, block, type and message");
}

/** Yields the result of `start` for each item, in order; `inFlight` items are started ahead of the one taken. */
function* startedAhead<Item, Started>(
  items: Iterable<Item>,
  inFlight: number,
  start: (item: Item) => Started,
): Generator<Started> {
  const started: Started[] = [];
  for (const item of items) {
    started.push(start(item));
    if (started.length === inFlight) yield started.shift() as Started;
  }
  yield* started;
}

/**
 * Runs `work` on every item, at most `lanes` at the same time. After a failure it starts no further item, completes
 * those in progress, and throws the failure.
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // All lanes share one generator: the loop that throws closes it, which ends the other loops too.
  const remaining = (function* () {
    yield* items;
  })();
  const lane = async () => {
    for (const item of remaining) await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Returns the fields of a run's manifest that come from its plan. */
export function manifestHead<Status extends Manifest["status"]>(plan: Plan, status: Status) {
  const { runId, experiment, target, createdAt: startedAt } = plan;
  return { schemaVersion: 1, runId, experiment, target, status, startedAt } as const;
}
