import type { Cell, Limit, Plan } from "../contract/types/contract.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { type Bounds, boundsOf, memoryBounds } from "./limits.ts";
import { listCells, listOperations } from "./series-view.ts";

/** A size with the mean cost of its calls in the first blocks; undefined without a call. */
interface PricedSize {
  readonly cell: Cell;
  usd(blocks: number): number | undefined;
}

/** State of a size and its limits after the first blocks. `settled`: undecided, but no more blocks are run for it. */
type Standing = "met" | "missed" | "open" | "settled";

/**
 * Returns a function that says whether a run that chooses sizes still measures a size because of a limit: it does if
 * the limit may still be met or missed, unless a size with a lower mean cost is within all limits. Frequent looks do
 * no harm, because a look requires more than the 95% of the report: for means and medians an interval half as wide
 * again, for means also at least 38 environments; for P95 and P99 the number of environments that their bound takes,
 * which does not depend on the times. A limit on the package needs no calls. Undefined if there are no limits.
 */
export function makeLimitContinuation(
  plan: Plan,
  samples: CollectedSamples,
  sizes: readonly PricedSize[],
): ((id: string, blocks: number) => boolean) | undefined {
  const allLimits = plan.stopping?.sizeChoice?.limits ?? [];
  const limits = allLimits.filter(({ quantity }) => quantity !== "package");
  if (limits.length === 0) return undefined;
  const known = new Map<string, Standing>();
  const standing = ({ cell }: PricedSize, blocks: number): Standing => {
    const key = `${cell.id} ${blocks}`;
    const found =
      known.get(key) ??
      worstStanding(limits.flatMap((limit) => standingsOf(plan, samples, limit, cell, blocks)));
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

function worstStanding(standings: readonly Standing[]): Standing {
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
      const units = whole.units.filter(({ block }) => block < blocks);
      const bounds = boundsOf({ ...whole, units }, statistic);
      if (statistic === "mean") return standingOfMean(bounds, limit.below);
      return statistic === "median"
        ? standingOfInterval(bounds, limit.below)
        : standingOfBound(bounds, limit.below, missedByFar);
    });
}

/** Factor by which a percentile must exceed its limit to end its measurement before it has an upper bound. */
const missedByFar = 1.3;

/** Returns the standing; `settled` if undecided although there is an upper bound. */
function standingOfBound({ atLeast, atMost }: Bounds, below: number, far: number): Standing {
  if (atLeast !== undefined && atLeast >= far * below) return "missed";
  if (atMost === undefined) return "open";
  return atMost < below ? "met" : "settled";
}

/**
 * Factor that moves the bounds away from the estimate, so that frequent looks do little harm (the table mean-limits
 * of docs/regression-gate.md).
 */
const widening = 1.5;

/** If one environment in ten is slow, 38 environments include none with a chance of 2%, and 9 with one of 39%. */
const environmentsOfMean = 38;

/** Returns a mean's standing. A median needs no minimum of environments: it does not depend on the slowest ones. */
export function standingOfMean(bounds: Bounds, below: number): Standing {
  const standing = standingOfInterval(bounds, below);
  return standing === "met" && bounds.environments < environmentsOfMean ? "open" : standing;
}

function standingOfInterval({ value, atLeast, atMost }: Bounds, below: number): Standing {
  if (value === undefined || atLeast === undefined || atMost === undefined) return "open";
  if (value + widening * (atMost - value) < below) return "met";
  return value - widening * (value - atLeast) >= below ? "missed" : "open";
}
