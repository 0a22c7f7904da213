import { type Baseline, type CountingPlace, differencesOf } from "./baseline.ts";
import { embeddedEngine } from "./embedded-calls.ts";

/** A count and its baseline; `before` is absent for a call that the baseline does not have. */
export interface CallChange {
  readonly call: string;
  readonly before?: number;
  readonly now: number;
  /** now / before - 1 */
  readonly share?: number;
  readonly isTooLarge: boolean;
}

export interface CallComparison {
  readonly measuredAt: string;
  /** Differences between this place and the baseline's: counts of two places are not compared. */
  readonly differences: readonly string[];
  readonly changes: readonly CallChange[];
}

/** A call has changed if its count differs by a fifth, for example because of a new version of the crate. */
export const largestCallShare = 0.2;

/** Compares counts by call with the baseline of this place or the most similar one. Undefined without any. */
export function compareCalls(
  baselines: readonly Baseline[],
  place: CountingPlace,
  counts: Readonly<Record<string, number>>,
): CallComparison | undefined {
  const [nearest] = baselines
    .map((baseline) => ({ baseline, differences: differencesOf(baseline.place, place) }))
    .sort((one, other) => one.differences.length - other.differences.length);
  if (nearest === undefined) return undefined;
  const { baseline, differences } = nearest;
  const before = baseline.instructions[embeddedEngine] ?? {};
  return {
    measuredAt: baseline.measuredAt,
    differences,
    changes: Object.entries(counts).map(([call, now]) => changeOf(call, before[call], now)),
  };
}

function changeOf(call: string, before: number | undefined, now: number): CallChange {
  if (before === undefined) return { call, now, isTooLarge: false };
  const share = now / before - 1;
  return { call, before, now, share, isTooLarge: Math.abs(share) > largestCallShare };
}

/** Returns whether the counts must not be accepted. */
export function areBroken({ changes, differences }: CallComparison): boolean {
  return differences.length === 0 && changes.some(({ isTooLarge }) => isTooLarge);
}

/** Formats one line per call, and the conclusion. */
export function changesText(comparison: CallComparison | undefined): string {
  const renewal = "To renew the baseline: npm run bench:instructions -- --update-baseline";
  if (comparison === undefined) return `baseline: none, so nothing was compared\n${renewal}`;
  const { changes, differences, measuredAt } = comparison;
  const limit = `${largestCallShare * 100}%`;
  const rows = changes.map(({ call, before, now, share, isTooLarge }) =>
    before === undefined || share === undefined
      ? `  ${call}: ${now}, not in the baseline`
      : `  ${call}: ${before} -> ${now}  ${share < 0 ? "" : "+"}${(share * 100).toFixed(1)}%${isTooLarge ? `  more than ${limit}` : ""}`,
  );
  const place =
    differences.length === 0
      ? "counted in a place like this one"
      : `counted elsewhere, so that no change counts: here ${differences.join("; ")}`;
  const end = areBroken(comparison)
    ? `A call changed by more than ${limit}: find out why, or accept it.\n${renewal}`
    : `the limit is ${limit} up or down`;
  return [`baseline of ${measuredAt}, ${place}`, ...rows, end].join("\n");
}
