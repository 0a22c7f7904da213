import { InvalidInput } from "../contract/errors.ts";
import { forEachConcurrently, type ResultStore, readsInFlight } from "./result-store.ts";

/**
 * The last file of a run, in the format of coreutils, so that `sha256sum -c SHA256SUMS` verifies it
 * without Kelvin: https://www.gnu.org/software/coreutils/manual/html_node/cksum-output-modes.html
 */
export const checksumsPath = "SHA256SUMS";

/** SHA-256 in hex by path below the run's folder. */
export type Checksums = ReadonlyMap<string, string>;

/** A file that is not as it is listed. */
export interface FileDifference {
  readonly path: string;
  /** Undefined: it is listed nowhere. */
  readonly expected: string | undefined;
  /** Undefined: there is none. */
  readonly found: string | undefined;
}

const recordedFiles = ["plan.json", "manifest.json"];
const recordedFolders = ["samples", "failures"];

/** Of what was measured and of what says how, as it lies in the store: what can be rendered again is left out. */
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
 * Of a run of several experiments: those that each left, its store by its folder, by their paths below
 * the run's. Undefined where one left none: the run was not left whole.
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

/** Throws InvalidInput naming the first line that is none of a checksum. */
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

/** What is missing, changed or not listed, sorted by path. */
export function differences(listed: Checksums, found: Checksums): readonly FileDifference[] {
  const paths = [...new Set([...listed.keys(), ...found.keys()])].sort();
  return paths
    .map((path) => ({ path, expected: listed.get(path), found: found.get(path) }))
    .filter(({ expected, found }) => expected !== found);
}

/** In words: `samples/a/0000.jsonl: found nothing, expected SHA-256 12ab...`. */
export function describeDifference({ path, expected, found }: FileDifference): string {
  const what = found === undefined ? "nothing" : `SHA-256 ${found}`;
  const wanted = expected === undefined ? "no such file" : `SHA-256 ${expected}`;
  return `${path}: found ${what}, expected ${wanted}`;
}
