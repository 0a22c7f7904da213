import type { Cell, Limit, Manifest, Plan } from "../contract/types/contract.ts";
import type { Series } from "../statistics/series.ts";
import { upperBoundOfMean } from "../statistics/skewed-bound.ts";
import { percentileBounds, tailPercentile } from "../statistics/tail-percentile.ts";
import type { CollectedSamples } from "./collect-samples.ts";
import { isLimited } from "./measured-calls.ts";
import {
  comparedCells,
  listCells,
  listOperations,
  measureOfSeries,
  phases,
} from "./series-view.ts";
import { unsoundCalls } from "./standing.ts";

/** The verdict on whether a function stays below a limit at one size. */
export interface LimitVerdict {
  readonly limit: Limit;
  readonly cell: Cell;
  /** The operation that a limit on times is for. */
  readonly operation?: string;
  /** `not-measured`: there is nothing to judge, or it is judged by a part of the calls alone. */
  readonly verdict: "met" | "missed" | "undecided" | "not-measured";
  /** The measured value, in the limit's unit. */
  readonly value?: number;
  /**
   * Bounds of the value: the 95% CI of a mean (its upper end corrected for skewness) or a median, one-sided 95% bounds of
   * P95 and P99.
   */
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly environments: number;
  /** Calls that do not count (see unsoundCalls), and cold starts whose Init took too long: such a function meets no limit. */
  readonly lostCalls?: number;
  /** Environments that an upper bound needs; absent if there is one. */
  readonly environmentsNeeded?: number;
  /** True if the machine does not limit this size: its times are those of another. */
  readonly isUnlimited?: true;
}

export type Bounds = Pick<
  LimitVerdict,
  "value" | "atLeast" | "atMost" | "environments" | "environmentsNeeded"
>;

/** limitVerdicts judges each limit of a plan for each function and size. */
export function limitVerdicts(
  plan: Plan,
  { artefacts, ...measured }: Pick<Manifest, "artefacts" | "machine">,
  samples: CollectedSamples,
): readonly LimitVerdict[] {
  return (plan.limits ?? []).flatMap((limit) =>
    comparedCells(plan).flatMap((cell): readonly LimitVerdict[] => {
      const { quantity, statistic = "mean" } = limit;
      if (quantity === "package") return [judged(limit, cell, packageBounds(artefacts, cell))];
      const counts = samples.quality.byCell.get(cell.id);
      const phase = quantity === "memory" ? "warm" : quantity;
      const unsound = unsoundCalls(plan.target, cell, counts, phase)?.calls ?? 0;
      const lost = unsound + (quantity === "cold" ? (counts?.initTimeouts ?? 0) : 0);
      const judge = (bounds: Bounds) => withLost(judged(limit, cell, bounds), lost);
      if (quantity === "memory") return [judge(memoryBounds(plan, samples, cell))];
      const metric = quantity === "cold" ? "initAndDurationMs" : "durationMs";
      return listOperations(plan, quantity)
        .filter((operation) =>
          listCells(plan, quantity, operation).some(({ id }) => id === cell.id),
        )
        .map((operation) => {
          const series = samples.series(cell.id, operation, quantity).series(metric);
          const found = { ...judge(boundsOf(series, statistic)), operation };
          return isLimited(measured, cell)
            ? found
            : { ...found, verdict: "not-measured", isUnlimited: true };
        });
    }),
  );
}

function judged(limit: Limit, cell: Cell, bounds: Bounds): LimitVerdict {
  const { value, atLeast, atMost } = bounds;
  const verdict =
    value === undefined && atMost === undefined
      ? "not-measured"
      : atMost !== undefined && atMost < limit.below
        ? "met"
        : atLeast !== undefined && atLeast >= limit.below
          ? "missed"
          : "undecided";
  return { limit, cell, verdict, ...bounds };
}

/** Returns the verdict, which is not `met` if calls are left out because the function is wrong or fails. */
function withLost(found: LimitVerdict, lostCalls: number): LimitVerdict {
  if (lostCalls === 0) return found;
  const verdict = found.verdict === "missed" ? "missed" : "not-measured";
  return { ...found, verdict, lostCalls };
}

/** Returns the bounds of a statistic of a series of times. */
export function boundsOf(series: Series, statistic: NonNullable<Limit["statistic"]>): Bounds {
  if (statistic === "p95" || statistic === "p99") return percentileOf(series, statistic);
  const measure = measureOfSeries(series);
  const { environments, environmentsNeeded, medianInterval, mean, low, high } = measure;
  const isMean = statistic === "mean";
  const value = isMean ? mean : measure.median;
  const ofMean = { low, high: high === undefined ? high : upperBoundOfMean(series, high) };
  const interval = isMean ? ofMean : medianInterval;
  return {
    environments,
    ...(value !== undefined && { value }),
    ...(interval?.low !== undefined && { atLeast: interval.low }),
    ...(interval?.high !== undefined && { atMost: interval.high }),
    ...(environmentsNeeded !== undefined && { environmentsNeeded }),
  };
}

/** Returns the bounds of a percentile. With too few calls for one, the value is the longest call. */
function percentileOf(series: Series, name: "p95" | "p99"): Bounds {
  const { environments, environmentsNeeded, atLeast, atMost } = percentileBounds(series, name);
  if (environments === 0) return { environments };
  const longest = Math.max(...series.units.flatMap(({ values }) => values));
  const found = tailPercentile(series, name);
  return {
    environments,
    value: found.kind === "percentile" ? found.value : longest,
    ...(atLeast !== undefined && { atLeast }),
    ...(atMost === undefined ? { environmentsNeeded } : { atMost }),
  };
}

/**
 * Returns the bounds for a limit on memory. It is missed if the maximum memory used by any environment reaches it,
 * and met if none reaches it and the whole interval of their mean lies below it.
 *
 * @param blocks number of first blocks to read; default: all
 */
export function memoryBounds(
  plan: Plan,
  samples: CollectedSamples,
  { id }: Cell,
  blocks = Number.POSITIVE_INFINITY,
): Bounds {
  const byBlock = new Map<number, number>();
  for (const phase of phases) {
    for (const operation of listOperations(plan, phase)) {
      const { units } = samples.series(id, operation, phase).series("maxMemoryUsedMb");
      for (const { block, values } of units) {
        if (block >= blocks) continue;
        byBlock.set(block, Math.max(byBlock.get(block) ?? 0, ...values));
      }
    }
  }
  const units = [...byBlock].map(([block, value]) => ({ block, values: [value] }));
  const { environments, high, environmentsNeeded } = measureOfSeries({ units });
  if (environments === 0) return { environments };
  const most = Math.max(...byBlock.values());
  return {
    environments,
    value: most,
    atLeast: most,
    ...(high !== undefined && { atMost: Math.max(most, high) }),
    ...(environmentsNeeded !== undefined && { environmentsNeeded }),
  };
}

const bytesOfMb = 1024 * 1024;

/** Returns the size in MB, for a folder as an upper bound: a zip is at most as large, apart from file names. */
function packageBounds(artefacts: Manifest["artefacts"], { variant, architecture }: Cell): Bounds {
  const found = artefacts.find(
    (each) => each.variant === variant && each.architecture === architecture,
  );
  const bytes = found?.zipBytes ?? found?.sizeBytes;
  if (bytes === undefined) return { environments: 0 };
  const value = bytes / bytesOfMb;
  return {
    environments: 0,
    value,
    atMost: value,
    ...(found?.zipBytes !== undefined && { atLeast: value }),
  };
}

/** The limits by verdict, as a gate needs them. */
export interface LimitFinding {
  readonly missed: readonly LimitVerdict[];
  readonly undecided: readonly LimitVerdict[];
  readonly notMeasured: readonly LimitVerdict[];
}

export function limitFinding(verdicts: readonly LimitVerdict[]): LimitFinding {
  const withVerdict = (verdict: LimitVerdict["verdict"]) =>
    verdicts.filter((each) => each.verdict === verdict);
  return {
    missed: withVerdict("missed"),
    undecided: withVerdict("undecided"),
    notMeasured: withVerdict("not-measured"),
  };
}
