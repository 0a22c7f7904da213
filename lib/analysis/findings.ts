import { type FewCalls, partingFactor } from "../statistics/few-calls.ts";
import type { Interval } from "./billed-cost.ts";
import type { Comparison } from "./comparisons.ts";
import type { Best, Recommendation, SizeCost, VariantChoice } from "./recommendation.ts";
import type { Compared } from "./series-ratio.ts";

/** A ratio of times with its verdict; above 1, the first takes longer. */
export type Judged = Pick<
  Compared,
  "ratio" | "low" | "high" | "verdict" | "undecidedReason" | "medianRatio" | "fewCalls"
>;

/** A ratio with its 95% CI, inverted for `faster` so that it is above 1. */
export interface Multiple<Pair extends Judged = Judged> {
  readonly times: number;
  readonly low: number;
  readonly high: number;
  /** The comparison with the ratio. */
  readonly comparison: Pair;
}

/** Comparisons of one question that were decided in one direction. */
export interface Effect<Pair extends Judged = Judged> {
  readonly direction: "faster" | "slower";
  readonly least: Multiple<Pair>;
  readonly most: Multiple<Pair>;
  readonly decided: readonly Pair[];
}

/** The outcome of all comparisons of one question. */
interface Findings<Pair extends Judged = Judged> {
  /** Effects, the strongest first; empty if nothing was decided. */
  readonly effects: readonly Effect<Pair>[];
  readonly equivalent: readonly Pair[];
  readonly undecided: readonly Pair[];
}

export function findEffects<Pair extends Judged>(compared: readonly Pair[]): Findings<Pair> {
  const called = (verdict: Judged["verdict"]) =>
    compared.filter((each) => each.verdict === verdict);
  const effects = (["slower", "faster"] as const).flatMap((direction) =>
    effectOf(direction, called(direction)),
  );
  return {
    effects: effects.toSorted((a, b) => strength(b) - strength(a)),
    equivalent: called("equivalent"),
    undecided: called("undecided"),
  };
}

/** Returns the lower bound of an effect's largest multiple. */
export function strength({ most }: Effect): number {
  return most.low;
}

function effectOf<Pair extends Judged>(
  direction: Effect["direction"],
  decided: readonly Pair[],
): readonly Effect<Pair>[] {
  const multiples = decided
    .flatMap((each) => multipleOf(direction, each))
    .toSorted((a, b) => a.times - b.times);
  const [least] = multiples;
  const most = multiples.at(-1);
  return least === undefined || most === undefined ? [] : [{ direction, least, most, decided }];
}

function multipleOf<Pair extends Judged>(
  direction: Effect["direction"],
  comparison: Pair,
): readonly Multiple<Pair>[] {
  const { ratio, low, high } = direction === "slower" ? comparison : turned(comparison);
  return ratio === undefined || low === undefined || high === undefined
    ? []
    : [{ times: ratio, low, high, comparison }];
}

const otherWay = { faster: "slower", slower: "faster" } as const;

/** Returns the comparison with its sides swapped. */
export function turned<Pair extends Judged>(compared: Pair): Pair {
  const { ratio, low, high, verdict, medianRatio, fewCalls } = compared;
  return {
    ...compared,
    ...(ratio !== undefined && { ratio: 1 / ratio }),
    ...(medianRatio !== undefined && { medianRatio: 1 / medianRatio }),
    ...(fewCalls !== undefined && { fewCalls: turnedCalls(fewCalls) }),
    ...(low !== undefined && high !== undefined && { low: 1 / high, high: 1 / low }),
    verdict: otherWay[verdict as keyof typeof otherWay] ?? verdict,
  };
}

function turnedCalls(fewCalls: FewCalls): FewCalls {
  const side = fewCalls.side === "above" ? "below" : "above";
  return { ...fewCalls, side, ratioWithout: 1 / fewCalls.ratioWithout };
}

/** Returns whether the ratio of the means and that of the medians disagree. */
export function partsFromMedian({ ratio, medianRatio }: Judged): boolean {
  if (ratio === undefined || medianRatio === undefined) return false;
  return Math.abs(Math.log(ratio / medianRatio)) > Math.log(partingFactor);
}

type Priced = SizeCost & { readonly usdPerMillion: number };

/** A variant's cost at its cheapest size. */
export interface LeastCost {
  readonly variant: string;
  readonly size: Priced;
  /** Sizes whose cost this run cannot distinguish from it. */
  readonly alike: readonly Priced[];
}

/** A cost that the run does not show to be above the lowest or equal to it. */
export interface UndecidedCost extends LeastCost {
  /** `too-few`: one of the two costs has no interval; `interval-crosses-margin`: both have one. */
  readonly reason: "too-few" | "interval-crosses-margin";
}

/** Costs closer than this are a tie, which time decides. */
const tiedWithin = 0.1;

/** Returns the size to take, and those that cost as much and take longer, the longest first. */
export function sizeToTake({ size, alike }: LeastCost): {
  readonly take: Priced;
  readonly slower: readonly Priced[];
} {
  const most = size.usdPerMillion * (1 + tiedWithin);
  const timeOf = ({ warmMs = Number.POSITIVE_INFINITY }: Priced) => warmMs;
  const tied = [size, ...alike.filter(({ usdPerMillion }) => usdPerMillion <= most)];
  const [take = size, ...slower] = tied.toSorted((a, b) => timeOf(a) - timeOf(b));
  return { take, slower: slower.toReversed() };
}

/** The variants ranked by cost, each at its cheapest size. */
export interface Choice {
  readonly cheapest: LeastCost;
  /** Variants that cost the same: the whole interval of the ratio is within the margin. */
  readonly alike: readonly LeastCost[];
  /** Variants that this run does not show to cost more by the margin, or the same. */
  readonly undecided: readonly UndecidedCost[];
  /** The other variants, each with its multiple of the lowest cost. */
  readonly dearer: readonly (LeastCost & { readonly multiple: Multiple })[];
}

/**
 * Returns the variant and size with the lowest cost per million calls; undefined if nothing has a price. Costs of two
 * variants differ only if their intervals are apart by the margin, and the multiple's bounds are those of the
 * intervals: this is strict, because no comparison between variants was judged for it.
 */
export function cheapestChoice({ variants }: Recommendation, margin: number): Choice | undefined {
  const all = variants
    .flatMap(leastCost)
    .toSorted((a, b) => a.size.usdPerMillion - b.size.usdPerMillion);
  const [cheapest, ...others] = all;
  if (cheapest === undefined) return undefined;
  const compared = others.map((other) => ({ other, ...judgedCost(other, cheapest, 1 + margin) }));
  return {
    cheapest,
    alike: compared.flatMap(({ other, kind }) => (kind === "alike" ? [other] : [])),
    undecided: compared.flatMap(({ other, reason }) =>
      reason === undefined ? [] : [{ ...other, reason }],
    ),
    dearer: compared.flatMap(({ other, multiple }) =>
      multiple === undefined ? [] : [{ ...other, multiple }],
    ),
  };
}

function leastCost({ variant, cheapest, sizes }: VariantChoice): readonly LeastCost[] {
  const priced = sizes
    .filter((size): size is Priced => size.usdPerMillion !== undefined)
    .toSorted((a, b) => a.usdPerMillion - b.usdPerMillion);
  const [least] = priced;
  // A run that chooses sizes takes the smaller of two that cost the same to its precision.
  const chosen =
    cheapest.kind === "decided" ? priced.find(({ cell }) => cell.id === cheapest.cell.id) : least;
  const size = chosen ?? least;
  if (size === undefined) return [];
  const among = cheapest.kind === "undecided" ? cheapest.among.map(({ id }) => id) : [];
  const alike = priced.filter(({ cell }) => cell !== size.cell && among.includes(cell.id));
  return [{ variant, size, alike }];
}

interface JudgedCost {
  readonly kind: "alike" | "dearer" | "undecided";
  /** The multiple of a dearer variant. */
  readonly multiple?: Multiple;
  /** The reason of an undecided variant. */
  readonly reason?: UndecidedCost["reason"];
}

function judgedCost(more: LeastCost, less: LeastCost, least: number): JudgedCost {
  const [above, below] = [more.size.usdInterval, less.size.usdInterval];
  if (above === undefined || below === undefined) return { kind: "undecided", reason: "too-few" };
  const times = more.size.usdPerMillion / less.size.usdPerMillion;
  const bounds = quotient(above, below);
  if (bounds.low > least) {
    return {
      kind: "dearer",
      multiple: { times, ...bounds, comparison: { ratio: times, verdict: "slower" } },
    };
  }
  const isAlike = bounds.high <= least && bounds.low >= 1 / least;
  return isAlike ? { kind: "alike" } : { kind: "undecided", reason: "interval-crosses-margin" };
}

function quotient(above: Interval, below: Interval): Interval {
  return { low: above.low / below.high, high: above.high / below.low };
}

/** Returns whether all undecided sizes are shown to differ by less than the margin. */
export function isTie(best: Best): boolean {
  if (best.kind !== "undecided") return false;
  const rivals = rivalsOf(best);
  return rivals.length > 0 && rivals.every(({ verdict }) => verdict === "equivalent");
}

/** Returns whether too few environments for an interval are the only reason. */
export function isTooFew(best: Best): boolean {
  if (best.kind !== "undecided") return false;
  const rivals = rivalsOf(best);
  return rivals.length > 0 && rivals.every(({ undecidedReason }) => undecidedReason === "too-few");
}

/** Returns the comparisons of the first size with the others that remain undecided. */
function rivalsOf({ among, against }: Extract<Best, { kind: "undecided" }>) {
  return against.filter(({ cell }) => among.some(({ id }) => id === cell.id));
}

/** Returns the fewest and the most environments on a side of the comparisons. */
export function environmentRange(
  compared: readonly Pick<Comparison, "environments" | "baselineEnvironments">[],
): { readonly fewest: number; readonly most: number } | undefined {
  const all = compared.flatMap((each) => [each.environments, each.baselineEnvironments]);
  return all.length === 0
    ? undefined
    : {
        fewest: all.reduce((a, b) => Math.min(a, b)),
        most: all.reduce((a, b) => Math.max(a, b)),
      };
}
