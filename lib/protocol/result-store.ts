import type { CellFailure, Sample } from "../contract/types/contract.ts";

/**
 * Where a run's results lie, on disk or in S3, with the same names below runs/<runId>/: plan.json,
 * samples/<cell>/<block>.jsonl, failures/<cell>/<block>.json, manifest.json, report.*. A visit that was
 * handed over goes on in samples/<cell>/<block>_<sequence>.jsonl, named for its first sample.
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

/** Where a visit's samples are, or from a sequence on go on; the paths sort in the visit's order. */
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

/** Every sample of a run, streamed; those of a visit in its order. */
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
