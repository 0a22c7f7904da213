import type { Sample } from "../contract/types/contract.ts";
import { mean, median } from "./order-statistics.ts";

/** The counted calls of one execution environment: one if cold, several if warm. */
export interface Unit {
  readonly block: number;
  readonly values: readonly number[];
  /** CPU model that the environment ran on, if reported. */
  readonly cpuModel?: string;
}

/** The environments of one quantity of one cell, operation and phase. */
export interface Series {
  readonly units: readonly Unit[];
  /**
   * True for an import: nobody planned its number of environments, or of calls in each. A median is still over
   * environments, but a mean is over calls (decision 0037).
   */
  readonly isUnplanned?: true;
}

/** One figure of an environment, in the unit of its values. */
export interface EnvironmentValue {
  readonly block: number;
  readonly value: number;
  readonly cpuModel?: string;
}

/**
 * environmentMeans returns the mean of each environment's calls, in a fixed order (block, then value), so that no
 * result depends on the order in which samples arrived. The environment is the unit: its calls share a process, a
 * host and a moment, and counting each as a sample would overstate the evidence (Kalibera and Jones, "Rigorous
 * benchmarking in reasonable time", ISMM 2013). An environment without values is left out. Throws RangeError on a
 * value that is not finite.
 */
export function environmentMeans(series: Series): readonly EnvironmentValue[] {
  return remembered(knownMeans, series, (values) => mean(values) as number);
}

/** environmentMedians returns the median of each environment's calls, in the order of environmentMeans. */
export function environmentMedians(series: Series): readonly EnvironmentValue[] {
  return remembered(knownMedians, series, median);
}

type Known = WeakMap<Series, readonly EnvironmentValue[]>;

/** Cached: a comparison needs the same series' values for its ratio and for its test. */
const knownMeans: Known = new WeakMap();
const knownMedians: Known = new WeakMap();

function remembered(
  known: Known,
  series: Series,
  of: (values: readonly number[]) => number,
): readonly EnvironmentValue[] {
  const found =
    known.get(series) ??
    series.units
      .filter((unit) => unit.values.length > 0)
      .map(({ block, values, cpuModel }) => ({
        block,
        value: of(values),
        ...(cpuModel !== undefined && { cpuModel }),
      }))
      .sort((a, b) => a.block - b.block || a.value - b.value);
  known.set(series, found);
  return found;
}

/**
 * `shared-blocks`: equal block numbers are the same stretch of time (one run), and only blocks that both sides have
 * are compared. `independent`: they are not (two runs, an import).
 */
export type Pairing = "shared-blocks" | "independent";

/** A measurement in a block: an environment's values, or one number of them. */
interface OfBlock {
  readonly block: number;
}

/**
 * Cuts two series to the blocks that both have. A block is a stretch of time: one that only one side has would turn
 * the time of day into a difference (decision 0030). Both are unchanged if one is empty.
 */
export function inSharedBlocks<One extends OfBlock, Other extends OfBlock>(
  one: readonly One[],
  other: readonly Other[],
): readonly [readonly One[], readonly Other[]] {
  if (one.length === 0 || other.length === 0) return [one, other];
  const blocks = new Set(one.map(({ block }) => block));
  const otherBlocks = new Set(other.map(({ block }) => block));
  return [
    one.filter(({ block }) => otherBlocks.has(block)),
    other.filter(({ block }) => blocks.has(block)),
  ];
}

/** Returns the environments' medians without their blocks. */
export function medianPerEnvironment(series: Series): readonly number[] {
  return environmentMedians(series).map(({ value }) => value);
}

/** Returns the environments' means without their blocks. */
export function meanPerEnvironment(series: Series): readonly number[] {
  return environmentMeans(series).map(({ value }) => value);
}

/**
 * Makes a series from samples of one cell, operation and phase, with one unit per block. Rejected samples are left
 * out, and those for which `metricOf` returns undefined.
 */
export function makeSeries(
  samples: Iterable<Sample>,
  metricOf: (sample: Sample) => number | undefined,
): Series {
  const byBlock = new Map<number, number[]>();
  for (const sample of samples) {
    const value = sample.rejected === undefined ? metricOf(sample) : undefined;
    if (value === undefined) continue;
    const values = byBlock.get(sample.block);
    if (values === undefined) byBlock.set(sample.block, [value]);
    else values.push(value);
  }
  return { units: [...byBlock].map(([block, values]) => ({ block, values })) };
}
