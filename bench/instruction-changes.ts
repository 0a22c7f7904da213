import { type Baseline, type CountingPlace, differencesOf } from "./baseline.ts";
import { embeddedEngine } from "./embedded-calls.ts";

/** A count beside its baseline's; `before` is absent of a call that the baseline does not know. */
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
  /** How this place is not the baseline's: counts of two places are not held against each other. */
  readonly differences: readonly string[];
  readonly changes: readonly CallChange[];
}

/** Calls that answer and still take a fifth more or less have changed; a version of the crate may well. */
export const largestCallShare = 0.2;

/** The counts, by call, beside the baseline of this place or else of the one most like it; undefined without any. */
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

/** True where the counts must not be accepted as they are. */
export function areBroken({ changes, differences }: CallComparison): boolean {
  return differences.length === 0 && changes.some(({ isTooLarge }) => isTooLarge);
}

/** A line a call, and what follows of them. */
export function changesText(comparison: CallComparison | undefined): string {
  const renewal = "To renew the baseline: npm run bench:instructions -- --update-baseline";
  if (comparison === undefined) return `baseline: none, so nothing was compared\n${renewal}`;
  const { changes, differences, measuredAt } = comparison;
  const limit = `${largestCallShare * 100} %`;
  const rows = changes.map(({ call, before, now, share, isTooLarge }) =>
    before === undefined || share === undefined
      ? `  ${call}: ${now}, not in the baseline`
      : `  ${call}: ${before} -> ${now}  ${share < 0 ? "" : "+"}${(share * 100).toFixed(1)} %${isTooLarge ? `  more than ${limit}` : ""}`,
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
