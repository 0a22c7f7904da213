import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What instruction counts depend on besides the repository. They repeat if it is the same. */
export interface CountingPlace {
  /** Processor that valgrind presents to programs: cryptography chooses its code by it. */
  readonly processor: string;
  readonly valgrind: string;
  /** The C library's version: the dynamic linker is a part of Init. */
  readonly glibc: string;
  readonly rustc: string;
}

/** Medians of counts by variant and quantity. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The quantities of each variant that have a baseline: counts are reproducible, times are not. */
export const guardedIds = ["initInstructions", "firstInstructions", "warmInstructions"] as const;

/** The last accepted medians of a place, by variant and quantity. */
export interface Baseline {
  readonly place: CountingPlace;
  /** Locked versions of the counted software, shown with a change. */
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: string;
  readonly measuredAt: string;
  readonly instructions: Counts;
}

/** A guarded count and its baseline. */
export interface Change {
  readonly variant: string;
  readonly quantity: string;
  readonly before: number;
  readonly now: number;
  /** now / before - 1 */
  readonly share: number;
  readonly isTooLarge: boolean;
}

export interface Comparison {
  readonly baseline: Baseline;
  readonly changes: readonly Change[];
  /** Differences between this place and the baseline's: counts of two places are not compared. */
  readonly differences: readonly string[];
}

/** A count repeats within 1%; a larger change than this comes from the code. */
export const largestShare = 0.03;

/**
 * Compares the counts with the baseline of this place or, if there is none, of another one with the same processor.
 * Returns undefined without any. Throws RangeError if the baseline lacks a count.
 */
export function compareWithBaseline(
  baselines: readonly Baseline[],
  place: CountingPlace,
  counts: Counts,
): Comparison | undefined {
  const nearest = nearestBaseline(
    baselines.filter((baseline) => baseline.place.processor === place.processor),
    place,
  );
  if (nearest === undefined) return undefined;
  const changes = Object.entries(counts).flatMap(([variant, ofVariant]) =>
    guardedIds.map((quantity) => changeOf(nearest.baseline, variant, quantity, ofVariant)),
  );
  return { ...nearest, changes };
}

/** The baseline of this place or else of the most similar one, with how they differ; undefined without any. */
export function nearestBaseline(baselines: readonly Baseline[], place: CountingPlace) {
  const [nearest] = baselines
    .map((baseline) => ({ baseline, differences: differencesOf(baseline.place, place) }))
    .sort((one, other) => one.differences.length - other.differences.length);
  return nearest;
}

/** Changes of counts, and how the place differs from the baseline's. */
interface Judged extends Pick<Comparison, "differences"> {
  readonly changes: readonly Pick<Change, "isTooLarge">[];
}

/** Returns whether the counts must not be accepted. */
export function isBroken({ changes, differences }: Judged): boolean {
  return differences.length === 0 && changes.some(({ isTooLarge }) => isTooLarge);
}

/** The baseline's place, a row per count, and the conclusion with how to renew the baseline. */
export function judgedText(
  judged: Judged,
  rows: readonly string[],
  { measuredAt, share, bench }: Pick<Baseline, "measuredAt"> & { share: number; bench: string },
): string {
  const { differences } = judged;
  const limit = `${share * 100}%`;
  const place =
    differences.length === 0
      ? "counted in a place like this one"
      : `counted elsewhere, so that no change counts: here ${differences.join("; ")}`;
  const end = isBroken(judged)
    ? `A count changed by more than ${limit}: find out why, or accept it.\n${renewal(bench)}`
    : `${differences.length === 0 ? "accepted" : "not enforced"}: the limit is ${limit} up or down`;
  return [`baseline of ${measuredAt}, ${place}`, ...rows, end].join("\n");
}

export function renewal(bench: string): string {
  return `To renew the baseline: npm run bench:${bench} -- --update-baseline`;
}

/** The accepted counts in a file of bench/, one baseline for each place. */
export function readBaselines(name: string): readonly Baseline[] {
  const path = join(import.meta.dirname, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as readonly Baseline[]) : [];
}

/** Replaces the baseline of the same place in that file. */
export function storeBaseline(name: string, baseline: Baseline): void {
  const all = withBaseline(readBaselines(name), baseline);
  writeFileSync(join(import.meta.dirname, name), `${JSON.stringify(all, null, 2)}\n`);
}

/** Adds a baseline, replacing an older one of the same place. */
export function withBaseline(
  baselines: readonly Baseline[],
  renewed: Baseline,
): readonly Baseline[] {
  const others = baselines.filter(({ place }) => differencesOf(place, renewed.place).length > 0);
  return [...others, renewed];
}

/** Lists the differences between two places; empty if their counts are comparable. */
function differencesOf(before: CountingPlace, now: CountingPlace): readonly string[] {
  return (["processor", "valgrind", "glibc", "rustc"] as const)
    .filter((part) => before[part] !== now[part])
    .map((part) => `${part} ${now[part]}, and not ${before[part]}`);
}

function changeOf(
  { instructions }: Baseline,
  variant: string,
  quantity: string,
  counts: Readonly<Record<string, number>>,
): Change {
  const before = instructions[variant]?.[quantity];
  if (before === undefined) throw new RangeError(`the baseline has no ${quantity} of ${variant}`);
  const now = counts[quantity];
  if (now === undefined) throw new RangeError(`no ${quantity} of ${variant} was counted`);
  const share = now / before - 1;
  return { variant, quantity, before, now, share, isTooLarge: Math.abs(share) > largestShare };
}

/** Compares the counts of `npm run bench:first-request` with the baseline and explains how to renew it. */
export function comparisonText(comparison: Comparison | undefined, processor: string): string {
  const bench = "first-request";
  if (comparison === undefined) {
    return `baseline: none for this processor (${processor}), so nothing was compared\n${renewal(bench)}`;
  }
  const { baseline, changes } = comparison;
  const limit = `${largestShare * 100}%`;
  const rows = changes.map(({ variant, quantity, before, now, share, isTooLarge }) => {
    const sign = share < 0 ? "" : "+";
    const change = `${sign}${(share * 100).toFixed(2)}%`;
    const verdict = isTooLarge ? `  more than ${limit}` : "";
    return `  ${variant} ${quantity}: ${millions(before)} -> ${millions(now)}  ${change}${verdict}`;
  });
  const { measuredAt } = baseline;
  return judgedText(comparison, rows, { measuredAt, share: largestShare, bench });
}

function millions(value: number): string {
  return `${(value / 1_000_000).toFixed(value < 10_000_000 ? 3 : 1)} M`;
}
