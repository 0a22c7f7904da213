import { rm } from "node:fs/promises";
import { join } from "node:path";
import { InvalidInput } from "../contract/errors.ts";
import { LineSplitter } from "../contract/lines.ts";
import type { Cell, CellFailure, Plan, Sample } from "../contract/types/contract.ts";
import {
  digestPlain,
  listPlain,
  longestLineCharacters,
  openPlain,
  readPlain,
} from "../files/plain-file.ts";
import { appendText, replaceFile, unfinishedSuffix } from "../files/replace-file.ts";
import { countTrialCalls } from "../plan/trial-calls.ts";
import {
  failurePath,
  type ResultStore,
  samplesPath,
  storedFailures,
  storedSamples,
} from "../sampler/result-store.ts";
import { type EarlierTrial, findCell } from "../sampler/run-plan.ts";
import type { Recorder } from "../sampler/sample-trial.ts";

/** A DiskResultStore keeps a run's results in a folder. It replaces files atomically, so that none is half written. */
export class DiskResultStore implements ResultStore {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async writeText(path: string, text: string): Promise<void> {
    await replaceFile(this.directory, path, text);
  }

  async readText(path: string): Promise<string | undefined> {
    return (await readPlain(this.directory, path))?.toString("utf8");
  }

  async list(folder: string): Promise<readonly string[]> {
    const paths = await listPlain(this.directory, folder);
    return paths.filter((path) => !path.endsWith(unfinishedSuffix));
  }

  async *readLines(path: string): AsyncGenerator<string> {
    const file = await openPlain(this.directory, path);
    if (file === undefined) throw new Error(`${join(this.directory, path)} is gone`);
    let lines: string[] = [];
    let read = 0;
    const splitter = new LineSplitter(longestLineCharacters, (line) => {
      read += 1;
      if (line === undefined) throw tooLong(path, read);
      lines.push(line);
    });
    for await (const piece of file.createReadStream({ encoding: "utf8" })) {
      splitter.add(piece);
      yield* lines;
      lines = [];
    }
    splitter.end();
    yield* lines;
  }

  async sha256(path: string): Promise<string | undefined> {
    return await digestPlain(this.directory, path, "sha256");
  }

  /** Removes a file; does nothing if it does not exist. */
  async remove(path: string): Promise<void> {
    await rm(join(this.directory, path), { force: true });
  }
}

function tooLong(path: string, line: number): InvalidInput {
  const allowed = `at most ${longestLineCharacters} characters`;
  return new InvalidInput(`${path} line ${line}`, "a longer line", allowed);
}

/**
 * A DiskRecorder appends each sample to its trial's file as it arrives, so that an abort loses none. No sample is
 * recorded twice: a local invocation has its complete telemetry at once.
 */
export class DiskRecorder implements Recorder {
  readonly #store: DiskResultStore;
  readonly #onSample: (sample: Sample) => void;

  constructor(store: DiskResultStore, onSample: (sample: Sample) => void = () => {}) {
    this.#store = store;
    this.#onSample = onSample;
  }

  async sample(sample: Sample): Promise<void> {
    const line = `${JSON.stringify(sample)}\n`;
    await appendText(this.#store.directory, samplesPath(sample), line, sample.sequence === 0);
    this.#onSample(sample);
  }

  async failure(failure: CellFailure): Promise<void> {
    await this.#store.writeText(failurePath(failure), `${JSON.stringify(failure)}\n`);
  }
}

export interface EarlierTrials {
  /** Samples that the run already has. */
  readonly recorded: number;
  /** Blocks that have started. */
  readonly begunBlocks: number;
  /** Sum over trials of the time from first to last call, ms. */
  readonly measuredMs: number;
  readonly find: (cellId: string, block: number) => EarlierTrial | undefined;
}

/**
 * Reads what an interrupted run recorded of each trial. A trial is done if one of its attempts has every sample, or
 * if it failed; otherwise partial. A partial attempt keeps its samples, and the trial runs again.
 */
export async function earlierTrials(store: ResultStore, plan: Plan): Promise<EarlierTrials> {
  const { recorded, begunBlocks, measuredMs, counts } = await countRecorded(store);
  const files = new Set(await store.list("samples"));
  const failures = await storedFailures(store);
  const failed = new Set(failures.map(({ cellId, block }) => trialKey(cellId, block)));
  const find = (cellId: string, block: number): EarlierTrial | undefined => {
    if (failed.has(trialKey(cellId, block))) return { state: "done" };
    const attemptsMade = attemptsBegun(files, findCell(plan, { cellId }), block);
    if (attemptsMade === 0) return undefined;
    const trial = plan.blocks
      .find((candidate) => candidate.index === block)
      ?.trials.find((candidate) => candidate.cellId === cellId);
    const expected = trial === undefined ? 0 : countTrialCalls(plan, trial);
    const isDone = counts.get(trialKey(cellId, block))?.some((count) => count >= expected);
    return isDone ? { state: "done" } : { state: "partial", attempts: attemptsMade };
  };
  return { recorded, begunBlocks, measuredMs, find };
}

/** Reads every recorded sample once, and counts those of each attempt of a trial. */
async function countRecorded(store: ResultStore) {
  let recorded = 0;
  let begunBlocks = 0;
  const spans = new Map<string, CallSpan>();
  const counts = new Map<string, number[]>();
  for await (const sample of storedSamples(store)) {
    const { cell, block, attempt = 0 } = sample;
    recorded += 1;
    begunBlocks = Math.max(begunBlocks, block + 1);
    const trial = samplesPath(sample);
    if (sample.startedAt !== undefined) {
      spans.set(trial, wider(spans.get(trial), Date.parse(sample.startedAt)));
    }
    const attempts = counts.get(trialKey(cell.id, block)) ?? [];
    attempts[attempt] = (attempts[attempt] ?? 0) + 1;
    counts.set(trialKey(cell.id, block), attempts);
  }
  const measuredMs = [...spans.values()].reduce((sum, { first, last }) => sum + last - first, 0);
  return { recorded, begunBlocks, measuredMs, counts };
}

function trialKey(cellId: string, block: number): string {
  return `${cellId}/${block}`;
}

/** Wall-clock times, ms. */
interface CallSpan {
  readonly first: number;
  readonly last: number;
}

function wider(span: CallSpan | undefined, at: number): CallSpan {
  const { first, last } = span ?? { first: at, last: at };
  return { first: Math.min(first, at), last: Math.max(last, at) };
}

/** Counts attempts by their files: an attempt that was killed during its first write has a file but no sample. */
function attemptsBegun(files: ReadonlySet<string>, cell: Cell, block: number): number {
  const fileOf = (attempt: number) => samplesPath({ cell, block, ...(attempt > 0 && { attempt }) });
  let attempts = 0;
  while (files.has(fileOf(attempts))) attempts += 1;
  return attempts;
}
