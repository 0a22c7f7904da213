import { InvalidInput, inPlace } from "../contract/errors.ts";
import { parseJson } from "../contract/lines.ts";
import type { CellFailure, Manifest, Plan, Sample } from "../contract/types/contract.ts";
import { contractProblem } from "../contract/validate.ts";

/**
 * The store of an experiment's results, on disk or in S3, with the same names below its folder: plan.json,
 * samples/<cell>/<block>.jsonl, failures/<cell>/<block>.json, manifest.json, report.*, SHA256SUMS. In
 * S3 a trial continues in samples/<cell>/<block>_<sequence>.jsonl, each part named after its first sample.
 */
export interface ResultStore {
  writeText(path: string, text: string): Promise<void>;
  /** Returns the text; undefined if no file has that name. */
  readText(path: string): Promise<string | undefined>;
  /** Returns the paths below a folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  /**
   * Returns the lines of a file, one after the other. A remote store starts to read when it is called, not
   * when the first line is requested.
   */
  readLines(path: string): AsyncIterable<string>;
  /** Returns the SHA-256 of a file's bytes, in hex; undefined if no file has that name. */
  sha256(path: string): Promise<string | undefined>;
}

/**
 * Files that are read at the same time. S3 answers within some tens of ms: read one by one, ten thousand
 * files take minutes. https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html
 */
export const readsInFlight = 32;

/** The incomplete JSON of a sample that a killed writer left at the end of a file. */
export interface CutLine {
  readonly path: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly characters: number;
}

/** Path of a trial's samples, or of the part that starts at a sequence; the paths sort in the trial's order. */
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
 * Streams every sample of a run, those of a trial in order. A cut line is reported and skipped. Throws
 * InvalidInput naming file and line if any other line is not JSON.
 */
export async function* storedSamples(
  store: ResultStore,
  onCutLine: (cut: CutLine) => void = () => {},
): AsyncGenerator<Sample> {
  const open = (path: string): OpenFile => ({ path, lines: store.readLines(path) });
  for (const file of begunAhead(await store.list("samples"), readsInFlight, open)) {
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
    if (unread !== undefined) throw noSample(path, line, unread);
    line += 1;
    if (text === "") continue;
    const value = parseJson(text);
    if (value === undefined) unread = text;
    else yield sampleAt(path, line, value);
  }
  if (unread !== undefined) onCutLine({ path, line, characters: unread.length });
}

/** Throws InvalidInput naming file and line if the value is not a sample, or belongs in another file. */
function sampleAt(path: string, line: number, value: unknown): Sample {
  const place = `${path} line ${line}`;
  const problem = contractProblem("sample", value);
  if (problem !== undefined) throw inPlace(place, problem);
  const sample = value as Sample;
  // Imported samples have no trials and share a file.
  if (sample.target === "imported" || isTrialPart(samplesPath(sample), path)) return sample;
  throw new InvalidInput(place, samplesPath(sample), "a sample of the trial that this file is for");
}

/** Whether a file is the trial's, or one of its later parts. */
function isTrialPart(trialPath: string, path: string): boolean {
  return path.replace(/_\d+\.jsonl$/, ".jsonl") === trialPath;
}

function noSample(path: string, line: number, text: string): InvalidInput {
  return new InvalidInput(`${path} line ${line}`, text.slice(0, 60), "a sample as JSON");
}

/** Lists every line that was cut in the middle of a write. */
export async function cutLines(store: ResultStore): Promise<readonly CutLine[]> {
  const cut: CutLine[] = [];
  for await (const _ of storedSamples(store, (line) => cut.push(line)));
  return cut;
}

/** Reads every failed trial of a run. */
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

/**
 * Yields the result of `begin` for each item, in order: starts as many as may be in flight, and the next
 * one when the first of them is taken.
 */
function* begunAhead<Item, Begun>(
  items: Iterable<Item>,
  inFlight: number,
  begin: (item: Item) => Begun,
): Generator<Begun> {
  const begun: Begun[] = [];
  for (const item of items) {
    begun.push(begin(item));
    if (begun.length === inFlight) yield begun.shift() as Begun;
  }
  yield* begun;
}

/**
 * Does the work on every item, at most `lanes` at the same time. After a failure no further item is
 * started; work under way is completed, and then the failure is thrown.
 */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // One generator for all lanes: the loop that throws closes it, which ends the other loops too.
  const remaining = (function* () {
    yield* items;
  })();
  const lane = async () => {
    for (const item of remaining) await work(item);
  };
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** The fields that a run's manifest takes from its plan. */
export function manifestHead<Status extends Manifest["status"]>(plan: Plan, status: Status) {
  const { runId, experiment, target, createdAt: startedAt } = plan;
  return { schemaVersion: 1, runId, experiment, target, status, startedAt } as const;
}
