import { InvalidInput } from "../contract/errors.ts";
import { forEachConcurrently, type ResultStore, readsInFlight } from "./result-store.ts";

/**
 * Last file written in a run, in the format of coreutils, so that `sha256sum -c SHA256SUMS` verifies it without
 * Kelvin: https://www.gnu.org/software/coreutils/manual/html_node/cksum-output-modes.html
 */
export const checksumsPath = "SHA256SUMS";

/** SHA-256 in hex, by path relative to the run's folder. */
export type Checksums = ReadonlyMap<string, string>;

/** A file that differs from the list. */
export interface FileDifference {
  readonly path: string;
  /** Undefined if the file is not in the list. */
  readonly expected: string | undefined;
  /** Undefined if the file does not exist. */
  readonly found: string | undefined;
}

const recordedFiles = ["plan.json", "manifest.json"];
const recordedFolders = ["samples", "failures"];

/** Computes the checksums of measurements, plan and manifest, but not of files that can be rendered again. */
export async function computeChecksums(store: ResultStore): Promise<Checksums> {
  const folders = await Promise.all(recordedFolders.map((folder) => store.list(folder)));
  const found = new Map<string, string>();
  await forEachConcurrently([...recordedFiles, ...folders.flat()], readsInFlight, async (path) => {
    const sha256 = await store.sha256(path);
    if (sha256 !== undefined) found.set(path, sha256);
  });
  return found;
}

/**
 * Merges the checksums of a run's experiments, by path relative to the run's folder; `stores` is keyed by folder.
 * Returns undefined if an experiment has none, because the run is then incomplete.
 */
export async function checksumsOfAll(
  stores: ReadonlyMap<string, ResultStore>,
): Promise<Checksums | undefined> {
  const all = new Map<string, string>();
  for (const [folder, store] of stores) {
    const text = await store.readText(checksumsPath);
    if (text === undefined) return undefined;
    for (const [path, sha256] of parseChecksums(text)) all.set(`${folder}/${path}`, sha256);
  }
  return all;
}

export function formatChecksums(checksums: Checksums): string {
  const sorted = [...checksums].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([path, sha256]) => `${sha256}  ${path}\n`).join("");
}

/** Parses a list of checksums. Throws InvalidInput naming the first line that is not one. */
export function parseChecksums(text: string): Checksums {
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line, index) => {
      const [, sha256, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
      if (sha256 !== undefined && path !== undefined) return [path, sha256];
      const allowed = "64 hex digits, two spaces, a path";
      throw new InvalidInput(`${checksumsPath} line ${index + 1}`, line, allowed);
    }),
  );
}

/** Returns the files that are missing, changed or not listed, sorted by path. */
export function differences(listed: Checksums, found: Checksums): readonly FileDifference[] {
  const paths = [...new Set([...listed.keys(), ...found.keys()])].sort();
  return paths
    .map((path) => ({ path, expected: listed.get(path), found: found.get(path) }))
    .filter(({ expected, found }) => expected !== found);
}

/** Describes a difference: `samples/a/0000.jsonl: found nothing, expected SHA-256 12ab...`. */
export function describeDifference({ path, expected, found }: FileDifference): string {
  const foundText = found === undefined ? "nothing" : `SHA-256 ${found}`;
  const expectedText = expected === undefined ? "no such file" : `SHA-256 ${expected}`;
  return `${path}: found ${foundText}, expected ${expectedText}`;
}
