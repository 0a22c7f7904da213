import { plottable } from "./log-axis.ts";

/** A linear axis from 0 on: where it ends, and from one tick to the next. */
export interface LinearAxis {
  readonly min: 0;
  readonly max: number;
  readonly interval: number;
}

const mostSteps = 10;

/** An axis over values from 0 on that ends with a whole step, of 1, 2 or 5 in its decade. */
export function linearAxis(values: readonly number[]): LinearAxis {
  const most = values.filter(plottable).reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return { min: 0, max: 1, interval: 0.2 };
  const power = Math.floor(Math.log10(most)) - 1;
  // By text, because 3 * 10 ** -1 is 0.30000000000000004.
  const steps = [1, 2, 5, 10, 20].map((step) => Number(`${step}e${power}`));
  const interval = steps.find((step) => Math.ceil(most / step) <= mostSteps) ?? most;
  return { min: 0, max: Math.ceil(most / interval) * interval, interval };
}
