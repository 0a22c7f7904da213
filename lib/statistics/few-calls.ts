import { inSharedBlocks, type Pairing, type Series, type Unit } from "./series.ts";

/** Number and duration of the longest calls of one side. */
interface LongestCalls {
  readonly calls: number;
  /** Number of all calls of that side. */
  readonly allCalls: number;
  /** Duration of the longest call, in the unit of the values. */
  readonly longest: number;
}

/** The longest calls of one side, which alone change a ratio of means. */
export interface FewCalls extends LongestCalls {
  readonly side: "above" | "below";
  /** The other side's longest calls, if they change the ratio too. */
  readonly other?: LongestCalls;
  /** The ratio without these calls of either side. */
  readonly ratioWithout: number;
}

/** Most calls to name: the next run need not repeat the effect of so few. */
const mostCalls = 3;
/** Largest share of a side's calls; one call is always examined. */
const mostShare = 0.01;
/** Factor by which the ratio must change for the calls to be reported. */
export const partingFactor = 1.25;

/**
 * findFewCalls returns the longest calls of one side, at most 3 and at most 1% of them, each of which changes the
 * ratio of means by a factor of 1.25 when it is left out after the longer ones. Undefined if the longest call does
 * not, as in a series with many long calls. If both sides have such calls, `side` is the one whose calls change the
 * ratio more, and `ratioWithout` leaves out both sides'. One retry of ten seconds among a hundred calls of ten
 * milliseconds makes the mean ten times as long, and does not describe the other calls.
 */
export function findFewCalls(
  above: Series,
  below: Series,
  pairing: Pairing = "shared-blocks",
): FewCalls | undefined {
  const [own, other] =
    pairing === "independent"
      ? [above.units, below.units]
      : inSharedBlocks(above.units, below.units);
  const sides = {
    above: withoutLongest({ ...above, units: own }),
    below: withoutLongest({ ...below, units: other }),
  };
  const ends = { above: partingCalls(sides.above), below: partingCalls(sides.below) };
  const found = (["above", "below"] as const)
    .filter((side) => ends[side].calls > 0)
    .toSorted((one, another) => ends[another].change - ends[one].change);
  const [side, otherSide] = found;
  if (side === undefined || !(ends.above.mean > 0 && ends.below.mean > 0)) return undefined;
  return {
    side,
    ...longestCallsOf(ends[side]),
    ...(otherSide !== undefined && { other: longestCallsOf(ends[otherSide]) }),
    ratioWithout: ends.above.mean / ends.below.mean,
  };
}

interface PartingCalls extends LongestCalls {
  /** The side's mean without these calls. */
  readonly mean: number;
  readonly change: number;
}

function partingCalls(remaining: readonly Remaining[]): PartingCalls {
  const calls = countParting(remaining);
  const [all, without] = [remaining[0], remaining[Math.max(0, calls)]];
  const mean = without?.mean ?? 0;
  return {
    calls,
    allCalls: all?.calls ?? 0,
    longest: all?.longest ?? 0,
    mean,
    change: (all?.mean ?? 0) / mean,
  };
}

function longestCallsOf({ calls, allCalls, longest }: LongestCalls): LongestCalls {
  return { calls, allCalls, longest };
}

interface Remaining {
  readonly mean: number;
  /** Number of all calls of the side, and the duration of the longest. */
  readonly calls: number;
  readonly longest: number;
}

/** countParting counts the longest calls that each change the mean by the factor, after those before are left out. */
function countParting(remaining: readonly Remaining[]): number {
  const isSmall = remaining.findIndex(({ mean }, index) => {
    const before = remaining[index - 1]?.mean;
    return before !== undefined && before / mean < partingFactor;
  });
  return (isSmall === -1 ? remaining.length : isSmall) - 1;
}

/** Returns the side's mean with all calls, then without the longest one, and so on. */
function withoutLongest({ units, isUnplanned }: Series): readonly Remaining[] {
  const calls = units.reduce((sum, { values }) => sum + values.length, 0);
  const most = Math.min(mostCalls, Math.max(1, Math.floor(calls * mostShare)));
  const longest = longestCalls(units, most);
  const totals = units.map(totalOf);
  const remaining: Remaining[] = [];
  for (let left = 0; left <= Math.min(most, calls - 1); left++) {
    const removed = left === 0 ? undefined : longest[left - 1];
    const total = removed && totals[removed.unit];
    if (removed !== undefined && total !== undefined) {
      total.sum -= removed.value;
      total.count -= 1;
    }
    const mean = meanOfTotals(totals, isUnplanned === true);
    if (!(mean > 0)) break;
    remaining.push({ mean, calls, longest: longest[0]?.value ?? 0 });
  }
  return remaining;
}

/** Returns the longest calls, descending. It does not sort all of them: an import has hundreds of thousands. */
function longestCalls(units: readonly Unit[], most: number) {
  const longest: { readonly unit: number; readonly value: number }[] = [];
  for (const [unit, { values }] of units.entries()) {
    for (const value of values) {
      if (longest.length === most && value <= (longest[most - 1]?.value ?? 0)) continue;
      const place = longest.findIndex((other) => other.value < value);
      longest.splice(place === -1 ? longest.length : place, 0, { unit, value });
      if (longest.length > most) longest.pop();
    }
  }
  return longest;
}

interface Total {
  sum: number;
  count: number;
}

function totalOf({ values }: Unit): Total {
  return { sum: values.reduce((sum, value) => sum + value, 0), count: values.length };
}

/** Returns the mean over environments, or over calls for an import, as the ratio's own means do. */
function meanOfTotals(totals: readonly Total[], isUnplanned: boolean): number {
  const nonEmpty = totals.filter(({ count }) => count > 0);
  const added = nonEmpty.map(({ sum, count }) => (isUnplanned ? sum : sum / count));
  const calls = nonEmpty.reduce((sum, { count }) => sum + count, 0);
  return added.reduce((sum, each) => sum + each, 0) / (isUnplanned ? calls : nonEmpty.length);
}
