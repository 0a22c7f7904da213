import type { Figures } from "./figures.ts";
import { guardedIds } from "./quantities.ts";

/** What instruction counts depend on beside the repository: they repeat where it is the same. */
export interface CountingPlace {
  /** What valgrind shows a program of the processor: cryptography chooses its code by it. */
  readonly processor: string;
  readonly valgrind: string;
  /** The C library's version: the dynamic linker is a part of Init. */
  readonly glibc: string;
  readonly rustc: string;
}

/** The medians that were last accepted in a place, by variant and quantity. */
export interface Baseline {
  readonly place: CountingPlace;
  /** Of what the counts are: versions that the repository locks. For the reader of a change. */
  readonly versions: Readonly<Record<string, string>>;
  readonly machine: string;
  readonly measuredAt: string;
  readonly instructions: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A guarded count beside its baseline's. */
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
  /** How this place is not the baseline's: counts of two places are not held against each other. */
  readonly differences: readonly string[];
}

/** A count repeats within 1 %; a change of more than this is one of the code. */
export const largestShare = 0.03;

/**
 * The counts beside the baseline of this place, or else of another one with the same processor;
 * undefined where there is none. Throws RangeError where the baseline lacks a count.
 */
export function compareWithBaseline(
  baselines: readonly Baseline[],
  place: CountingPlace,
  figures: Readonly<Record<string, Figures>>,
): Comparison | undefined {
  const nearest = baselines
    .filter((baseline) => baseline.place.processor === place.processor)
    .map((baseline) => ({ baseline, differences: differencesOf(baseline.place, place) }))
    .sort((one, other) => one.differences.length - other.differences.length)[0];
  if (nearest === undefined) return undefined;
  const changes = Object.entries(figures).flatMap(([variant, ofVariant]) =>
    guardedIds.map((quantity) => changeOf(nearest.baseline, variant, quantity, ofVariant)),
  );
  return { ...nearest, changes };
}

/** True where the counts must not be accepted as they are. */
export function isBroken({ changes, differences }: Comparison): boolean {
  return differences.length === 0 && changes.some((change) => change.isTooLarge);
}

/** The baselines with this one in the place of an older one of the same place. */
export function withBaseline(
  baselines: readonly Baseline[],
  renewed: Baseline,
): readonly Baseline[] {
  const others = baselines.filter(({ place }) => differencesOf(place, renewed.place).length > 0);
  return [...others, renewed];
}

/** The guarded counts of the figures, as a baseline holds them. */
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

/** How a place is not another, part by part; nothing where counts of both repeat. */
export function differencesOf(before: CountingPlace, now: CountingPlace): readonly string[] {
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
