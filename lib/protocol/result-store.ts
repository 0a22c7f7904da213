import type { CellFailure, Sample } from "../contract/types/contract.ts";

/**
 * Where a run's results lie, on disk or in S3, with the same names below runs/<runId>/:
 * plan.json, samples/<cell>/<block>.jsonl, failures/<cell>/<block>.json, manifest.json, report.*.
 */
export interface ResultStore {
  writeText(path: string, text: string): Promise<void>;
  /** The text, or undefined when there is none of that name. */
  readText(path: string): Promise<string | undefined>;
  /** Paths below a folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  /** Lines of a file, one after the other, never the whole file at once. */
  readLines(path: string): AsyncIterable<string>;
}

export function samplesPath(cellId: string, block: number, attempt?: number): string {
  const suffix = attempt === undefined ? "" : `.${attempt}`;
  return `samples/${cellId}/${String(block).padStart(4, "0")}${suffix}.jsonl`;
}

export function failurePath(failure: Pick<CellFailure, "cellId" | "block">): string {
  return `failures/${failure.cellId}/${String(failure.block).padStart(4, "0")}.json`;
}

/** Every sample of a run, streamed. */
export async function* storedSamples(store: ResultStore): AsyncGenerator<Sample> {
  for (const path of await store.list("samples")) {
    for await (const line of store.readLines(path)) {
      if (line !== "") yield JSON.parse(line) as Sample;
    }
  }
}

/** Every failed visit of a run. */
export async function storedFailures(store: ResultStore): Promise<readonly CellFailure[]> {
  const failures: CellFailure[] = [];
  for (const path of await store.list("failures")) {
    const text = await store.readText(path);
    if (text !== undefined) failures.push(JSON.parse(text) as CellFailure);
  }
  return failures;
}
