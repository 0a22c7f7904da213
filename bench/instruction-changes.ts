import {
  type Baseline,
  type CountingPlace,
  judgedText,
  nearestBaseline,
  renewal,
} from "./baseline.ts";
import { embeddedEngine } from "./embedded-calls.ts";

/** A count and its baseline; `before` is absent for a call that the baseline does not have. */
interface CallChange {
  readonly call: string;
  readonly before?: number;
  readonly now: number;
  /** now / before - 1 */
  readonly share?: number;
  readonly isTooLarge: boolean;
}

type CallComparison = NonNullable<ReturnType<typeof compareCalls>>;

/** A call has changed if its count differs by a fifth, for example because of a new version of the crate. */
const largestCallShare = 0.2;

/** Compares counts by call with the nearest baseline. Undefined without any. */
export function compareCalls(
  baselines: readonly Baseline[],
  place: CountingPlace,
  counts: Readonly<Record<string, number>>,
) {
  const nearest = nearestBaseline(baselines, place);
  if (nearest === undefined) return undefined;
  const before = nearest.baseline.instructions[embeddedEngine] ?? {};
  const changes = Object.entries(counts).map(([call, now]) => changeOf(call, before[call], now));
  return { ...nearest, changes };
}

function changeOf(call: string, before: number | undefined, now: number): CallChange {
  if (before === undefined) return { call, now, isTooLarge: false };
  const share = now / before - 1;
  return { call, before, now, share, isTooLarge: Math.abs(share) > largestCallShare };
}

/** Formats one line per call, and the conclusion. */
export function changesText(comparison: CallComparison | undefined): string {
  const bench = "instructions";
  if (comparison === undefined) return `baseline: none, so nothing was compared\n${renewal(bench)}`;
  const { changes, baseline } = comparison;
  const share = largestCallShare;
  const rows = changes.map((change) =>
    change.before === undefined || change.share === undefined
      ? `  ${change.call}: ${change.now}, not in the baseline`
      : `  ${change.call}: ${change.before} -> ${change.now}  ${change.share < 0 ? "" : "+"}${(change.share * 100).toFixed(1)}%${change.isTooLarge ? `  more than ${share * 100}%` : ""}`,
  );
  return judgedText(comparison, rows, { measuredAt: baseline.measuredAt, share, bench });
}
