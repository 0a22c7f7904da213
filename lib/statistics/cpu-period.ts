import { median, quantileType7 } from "./order-statistics.ts";
import type { Series } from "./series.ts";

/** Period of the CPU quota, here and in Lambda: https://docs.kernel.org/scheduler/sched-bwc.html */
export const cpuPeriodMs = 20;
/** Largest distance from a multiple, in periods; by chance alone a tenth of all values are as near. */
const nearPeriod = 0.05;
const fewestOnPeriods = 0.8;

/**
 * Returns the share of the values, in ms, that lie near a multiple of the period, 0.8 to 1; undefined if it is
 * smaller. A function with a small share of a CPU runs during a part of each period, so that its times lie near the
 * multiples.
 */
export function shareOnPeriods(values: readonly number[]): number | undefined {
  const periods = values.map((value) => value / cpuPeriodMs);
  const near = periods.filter(
    (count) => count > nearPeriod && Math.abs(count - Math.round(count)) <= nearPeriod,
  );
  const times = new Map<number, number>();
  for (const count of near) times.set(Math.round(count), (times.get(Math.round(count)) ?? 0) + 1);
  // Times that are all alike may lie near one multiple by chance.
  const repeated = [...times.values()].filter((count) => count > 1);
  const share = near.length / values.length;
  return share >= fewestOnPeriods && repeated.length > 1 ? share : undefined;
}

/**
 * True if one of the two sides counts periods and their medians differ by less than one period: nothing finer can be
 * resolved. False if a side has no values.
 */
export function isWithinCpuPeriod(above: readonly number[], below: readonly number[]): boolean {
  if (above.length === 0 || below.length === 0) return false;
  const countsPeriods = [above, below].some((values) => shareOnPeriods(values) !== undefined);
  // Times near a multiple deviate from it by up to nearPeriod either way.
  const least = (1 - 2 * nearPeriod) * cpuPeriodMs;
  return countsPeriods && Math.abs(median(above) - median(below)) < least;
}

/** Shortest wait that counts, as a share of the rest of the period: a function that used up its quota waits that long. */
const leastOfWait = 0.8;
/** Longest wait that counts, in periods: longer ones have another cause, such as a retry, or last several periods. */
const mostOfWait = 1.5;
/** Quantile of the calls that do not wait; low, because most calls of a function may wait. */
const quickShare = 0.05;

/**
 * waitingShare returns the share of a series' calls, 0 to 1, that took longer than its fastest 5% by about the wait
 * for the next period: a function with a share of a CPU, 0 to 1, that used up its quota waits for the rest of the
 * period. Undefined for a whole CPU, which never waits, and for a series without calls.
 */
export function waitingShare({ units }: Series, cpuShare: number): number | undefined {
  const values = units.flatMap((unit) => unit.values);
  if (cpuShare >= 1 || values.length === 0) return undefined;
  const quick = quantileType7(values, quickShare);
  const least = quick + leastOfWait * (1 - cpuShare) * cpuPeriodMs;
  const most = quick + mostOfWait * cpuPeriodMs;
  return values.filter((value) => value >= least && value <= most).length / values.length;
}
