import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Figures } from "./figures.ts";
import { guardedIds } from "./quantities.ts";

/** What instruction counts depend on besides the repository. They repeat if it is the same. */
export interface CountingPlace {
  /** Processor that valgrind presents to programs: cryptography chooses its code by it. */
  readonly processor: string;
  readonly valgrind: string;
  /** The C library's version: the dynamic linker is a part of Init. */
  readonly glibc: string;
  readonly rustc: string;
}

/** The last accepted medians of a place, by variant and quantity. */
export interface Baseline {
  readonly place: CountingPlace;
  /** Locked versions of the counted software, shown with a change. */
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: string;
  readonly measuredAt: string;
  readonly instructions: Readonly<Record<string, Readonly<Record<string, number>>>>;
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
  figures: Readonly<Record<string, Figures>>,
): Comparison | undefined {
  const nearest = nearestBaseline(
    baselines.filter((baseline) => baseline.place.processor === place.processor),
    place,
  );
  if (nearest === undefined) return undefined;
  const changes = Object.entries(figures).flatMap(([variant, ofVariant]) =>
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

/** Returns the guarded counts in a baseline's form. */
export function guardedCounts(
  figures: Readonly<Record<string, Figures>>,
): Baseline["instructions"] {
  return Object.fromEntries(
    Object.entries(figures).map(([variant, ofVariant]) => [
      variant,
      Object.fromEntries(guardedIds.map((id) => [id, medianOf(ofVariant, variant, id)])),
    ]),
  );
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
  figures: Figures,
): Change {
  const before = instructions[variant]?.[quantity];
  if (before === undefined) throw new RangeError(`the baseline has no ${quantity} of ${variant}`);
  const now = medianOf(figures, variant, quantity);
  const share = now / before - 1;
  return { variant, quantity, before, now, share, isTooLarge: Math.abs(share) > largestShare };
}

function medianOf(figures: Figures, variant: string, quantity: string): number {
  const figure = figures[quantity];
  if (figure === undefined) throw new RangeError(`no ${quantity} of ${variant} was counted`);
  return figure.median;
}
