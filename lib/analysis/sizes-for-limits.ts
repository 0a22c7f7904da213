import type { Cell, Limit, Plan } from "../contract/types/contract.ts";
import type { Series } from "../statistics/series.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { type Bounds, boundsOf, memoryBounds } from "./limits.ts";
import { listCells, listOperations } from "./series-view.ts";

/** A size with the mean cost of its calls in the first blocks; undefined without a call. */
interface PricedSize {
  readonly cell: Cell;
  usd(blocks: number): number | undefined;
}

/** What the first blocks of a run show of a size and its limits. `settled`: more blocks are not asked for. */
type Standing = "met" | "missed" | "open" | "settled";

/**
 * Whether a run that chooses sizes measures a size on because of a limit: one that may still be met or missed, unless
 * a size that costs less, by the means, is within all limits. Looking often does no harm, because a look decides by more
 * than the 95% of the report: means and medians by an interval that is half as wide again, means of at least 38
 * environments; P95 and P99 by the number of environments that their bound takes, which does not depend on the times. A
 * limit on the package needs no calls. Undefined if there are no limits.
 */
export function sizesForLimits(
  plan: Plan,
  samples: CollectedSamples,
  sizes: readonly PricedSize[],
): ((id: string, blocks: number) => boolean) | undefined {
  const asked = plan.stopping?.sizeChoice?.limits ?? [];
  const limits = asked.filter(({ quantity }) => quantity !== "package");
  if (limits.length === 0) return undefined;
  const known = new Map<string, Standing>();
  const standing = ({ cell }: PricedSize, blocks: number): Standing => {
    const key = `${cell.id} ${blocks}`;
    const found =
      known.get(key) ??
      together(limits.flatMap((limit) => standingsOf(plan, samples, limit, cell, blocks)));
    known.set(key, found);
    return found;
  };
  return (id, blocks) => {
    const own = sizes.find(({ cell }) => cell.id === id);
    if (own === undefined || standing(own, blocks) !== "open") return false;
    const usd = own.usd(blocks) ?? Number.POSITIVE_INFINITY;
    return !sizes.some(
      (other) =>
        (other.usd(blocks) ?? Number.POSITIVE_INFINITY) < usd && standing(other, blocks) === "met",
    );
  };
}

function together(standings: readonly Standing[]): Standing {
  if (standings.includes("missed")) return "missed";
  if (standings.includes("open")) return "open";
  return standings.includes("settled") ? "settled" : "met";
}

function standingsOf(
  plan: Plan,
  samples: CollectedSamples,
  limit: Limit,
  cell: Cell,
  blocks: number,
): readonly Standing[] {
  const { quantity, statistic = "mean" } = limit;
  if (quantity === "memory") {
    return [standingOfBound(memoryBounds(plan, samples, cell, blocks), limit.below, 1)];
  }
  if (quantity === "package") return [];
  const metric = quantity === "cold" ? "initAndDurationMs" : "durationMs";
  return listOperations(plan, quantity)
    .filter((operation) => listCells(plan, quantity, operation).some(({ id }) => id === cell.id))
    .map((operation) => {
      const whole = samples.series(cell.id, operation, quantity).series(metric);
      const bounds = boundsOf(firstOf(whole, blocks), statistic);
      if (statistic === "mean") return standingOfMean(bounds, limit.below);
      return statistic === "median"
        ? standingOfInterval(bounds, limit.below)
        : standingOfBound(bounds, limit.below, missedByFar);
    });
}

function firstOf(series: Series, blocks: number): Series {
  return { ...series, units: series.units.filter(({ block }) => block < blocks) };
}

/** Factor by which a percentile must miss its limit to end its measurement before its upper bound exists. */
const missedByFar = 1.3;

/** Settled once there is an upper bound. */
function standingOfBound({ atLeast, atMost }: Bounds, below: number, far: number): Standing {
  if (atLeast !== undefined && atLeast >= far * below) return "missed";
  if (atMost === undefined) return "open";
  return atMost < below ? "met" : "settled";
}

/**
 * Looking often does little harm with bounds that are half as far again from the estimate (the table mean-limits of
 * docs/regression-gate.md).
 */
const widening = 1.5;

/** Of a kind of slow environment that is one in ten, this many have seen none in 2 of 100 runs, and 9 in 39. */
const environmentsOfMean = 38;

/** The standing of a mean; a median's needs no least number of environments, since it does not depend on the longest. */
export function standingOfMean(bounds: Bounds, below: number): Standing {
  const standing = standingOfInterval(bounds, below);
  return standing === "met" && bounds.environments < environmentsOfMean ? "open" : standing;
}

function standingOfInterval({ value, atLeast, atMost }: Bounds, below: number): Standing {
  if (value === undefined || atLeast === undefined || atMost === undefined) return "open";
  if (value + widening * (atMost - value) < below) return "met";
  return value - widening * (value - atLeast) >= below ? "missed" : "open";
}
