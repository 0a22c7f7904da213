import { defined } from "../contract/defined.ts";
import type { Plan, VerdictRule } from "../contract/types/contract.ts";
import type { ComparedSides } from "../statistics/block-swaps.ts";
import {
  onSeveralModels,
  ratioWithinModels,
  sharedModels,
  withoutModelEffects,
} from "../statistics/cpu-models.ts";
import { type FewCalls, findFewCalls } from "../statistics/few-calls.ts";
import { ratioOfMeans } from "../statistics/mean-interval.ts";
import { median } from "../statistics/order-statistics.ts";
import type { Ratio } from "../statistics/ratio.ts";
import {
  environmentMeans,
  environmentMedians,
  inSharedBlocks,
  type Pairing,
  type Series,
} from "../statistics/series.ts";
import { mannWhitney } from "../statistics/shift.ts";
import { defaultMargin, judge } from "../statistics/verdict.ts";
import type { Tested } from "./family.ts";

/** The result of comparing one series with another: the ratio of their means, and a verdict. */
export interface Compared extends Tested {
  /** Environments that were compared: for cells of one run those in the blocks that both have. */
  readonly environments: number;
  readonly baselineEnvironments: number;
  readonly leftOut?: LeftOut;
  /** Number of CPU models within which environments were compared; absent if all had one, or none reported it. */
  readonly cpuModels?: number;
  /** Ratio of the means; above 1 if higher than the baseline. Absent without an interval. */
  readonly ratio?: number;
  readonly low?: number;
  readonly high?: number;
  readonly environmentsNeeded?: number;
  /** The ratio of the medians over environments; no verdict rests on it. */
  readonly medianRatio?: number;
  /** The calls that the ratio depends on, if only a handful. */
  readonly fewCalls?: FewCalls;
}

/** Environments in whose block the other side has none; absent if all were compared. */
type LeftOut = Pick<Compared, "environments" | "baselineEnvironments">;

/** Two series' ratio before the verdict. */
export interface RatioOfSeries
  extends Pick<
    Compared,
    | "environments"
    | "baselineEnvironments"
    | "leftOut"
    | "cpuModels"
    | "pValue"
    | "medianRatio"
    | "fewCalls"
  > {
  readonly ratio: Ratio;
  /** The means that were compared. */
  readonly sides?: ComparedSides;
  /** True if the times count the CPU quota's period and differ by less than one. @default false */
  readonly isWithinPeriod?: boolean;
}

/** Returns the pairing. The block numbers of an import name environments, not periods of time (decision 0037). */
export function pairingOf({ target }: Pick<Plan, "target">): Pairing {
  return target === "imported" ? "independent" : "shared-blocks";
}

/**
 * ratioOfSeries compares two series of one run by their means (decision 45), in the blocks that both have
 * (decision 30); an import is compared in full.
 */
export function ratioOfSeries(
  above: Series,
  below: Series,
  { seed, target }: Pick<Plan, "seed" | "target">,
  draws?: number,
): RatioOfSeries {
  return {
    ...ratioOfSides(above, below, { seed, pairing: pairingOf({ target }), draws }),
    ...ranksOfSeries(above, below, { target }),
  };
}

interface SidesOptions {
  readonly seed: number;
  readonly pairing: Pairing;
  readonly draws?: number | undefined;
}

/** Returns the ratios of two series' means and medians, and the few calls that they depend on, if any. */
export function ratioOfSides(
  above: Series,
  below: Series,
  { seed, pairing, draws }: SidesOptions,
): Pick<RatioOfSeries, "ratio" | "medianRatio" | "fewCalls" | "cpuModels"> {
  const modelled = onSeveralModels(above, below, pairing);
  const ratio =
    modelled === undefined
      ? ratioOfMeans(meanOf(above), meanOf(below), {
          seed,
          pairing,
          ...defined({ draws }),
        })
      : ratioWithinModels(modelled, { seed, draws, pairing });
  const cpuModels = modelled && { cpuModels: sharedModels(modelled).length };
  if (ratio.kind !== "ratio") return { ratio, ...cpuModels };
  const [own, other] = sidesAlike(above, below, pairing);
  const medianRatio = ratioOfTypical(own, other, pairing);
  const fewCalls = findFewCalls(own, other, pairing);
  return {
    ratio,
    ...cpuModels,
    ...defined({ medianRatio, fewCalls }),
  };
}

/** Returns the sides adjusted as if all environments had one CPU model; unchanged if they had. */
export function sidesAlike(
  above: Series,
  below: Series,
  pairing: Pairing,
): readonly [Series, Series] {
  const modelled = onSeveralModels(above, below, pairing);
  if (modelled === undefined) return [above, below];
  const alike = withoutModelEffects(modelled);
  return [alike.above, alike.below];
}

function meanOf(series: Series) {
  return { series: [series], compute: ([mean = 0]: readonly number[]) => mean };
}

function ratioOfTypical(above: Series, below: Series, pairing: Pairing): number | undefined {
  const medians = [environmentMedians(above), environmentMedians(below)] as const;
  const [own, other] = pairing === "independent" ? medians : inSharedBlocks(...medians);
  if (own.length === 0 || other.length === 0) return undefined;
  const [typical, baseline] = [own, other].map((side) => median(side.map(({ value }) => value)));
  const found = (typical ?? 0) / (baseline ?? 0);
  return Number.isFinite(found) && found > 0 ? found : undefined;
}

/** Returns the fields of ratioOfSeries but the ratio: the compared environments, and the result of the rank test. */
export function ranksOfSeries(
  above: Series,
  below: Series,
  plan: Pick<Plan, "target">,
): Omit<RatioOfSeries, "ratio"> {
  const pairing = pairingOf(plan);
  const [all, baselineAll] = [environmentMeans(above), environmentMeans(below)];
  const [alike, baselineAlike] = sidesAlike(above, below, pairing).map(environmentMeans);
  const sides = [alike ?? all, baselineAlike ?? baselineAll] as const;
  const [compared, baseline] = pairing === "independent" ? sides : inSharedBlocks(...sides);
  const leftOut = {
    environments: all.length - compared.length,
    baselineEnvironments: baselineAll.length - baseline.length,
  };
  const test = mannWhitney(valuesOf(compared), valuesOf(baseline));
  return {
    sides: { above: compared, below: baseline },
    environments: compared.length,
    baselineEnvironments: baseline.length,
    ...(leftOut.environments + leftOut.baselineEnvironments > 0 && { leftOut }),
    ...(test.kind === "mann-whitney" && { pValue: test.pValue }),
  };
}

function valuesOf(side: ComparedSides["above"]): readonly number[] {
  return side.map(({ value }) => value);
}

/** Adds the verdict to a ratio. Without a noise floor it rests on the interval and the margin. */
export function withVerdict<Pair extends RatioOfSeries>(
  pair: Pair,
  noiseFloor?: Ratio,
  { margin = defaultMargin }: Partial<Pick<VerdictRule, "margin">> = {},
): Omit<Pair, keyof RatioOfSeries> & Compared {
  const { ratio, sides: _, isWithinPeriod = false, ...own } = pair;
  const { pValue, leftOut, cpuModels, medianRatio, fewCalls, ...others } = own;
  const { environments, baselineEnvironments, ...rest } = others;
  const verdict = judge(ratio, {
    isWithinCpuPeriod: isWithinPeriod,
    ...defined({ noiseFloor }),
    margin,
  });
  const compared: Compared = {
    environments,
    baselineEnvironments,
    ...(ratio.kind === "ratio" && { ratio: ratio.ratio, low: ratio.low, high: ratio.high }),
    ...(ratio.kind === "insufficient" && { environmentsNeeded: ratio.needed }),
    ...decided(verdict, fewCalls, margin),
    ...defined({ medianRatio, fewCalls, leftOut, cpuModels, pValue }),
  };
  return { ...(rest as Omit<Pair, keyof RatioOfSeries>), ...compared };
}

type Verdict = Pick<Compared, "verdict"> & {
  readonly undecidedReason?: NonNullable<Compared["undecidedReason"]>;
};

/**
 * Returns the verdict: undecided (`few-calls`) if it would not hold without a handful of calls, or if there is such a
 * handful and the interval crosses the margin.
 */
function decided(
  verdict: ReturnType<typeof judge>,
  fewCalls: FewCalls | undefined,
  margin: number,
): Verdict {
  const isOpen = verdict.kind === "undecided";
  if (fewCalls !== undefined) {
    const logWithout = Math.log(fewCalls.ratioWithout);
    const isCalled = verdict.kind === "slower" || verdict.kind === "faster";
    const holds = (verdict.kind === "slower" ? logWithout : -logWithout) > Math.log1p(margin);
    const isTheirs = isOpen && verdict.reason === "interval-crosses-margin";
    if ((isCalled && !holds) || isTheirs) {
      return { verdict: "undecided", undecidedReason: "few-calls" };
    }
  }
  return isOpen
    ? { verdict: "undecided", undecidedReason: verdict.reason }
    : { verdict: verdict.kind };
}
