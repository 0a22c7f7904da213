import { driverMemoryMb } from "../contract/driver-memory.ts";
import { invocationCostUsd } from "./invocation-cost.ts";
import { lookCount } from "./own-requests.ts";
import type { LambdaPrice } from "./prices.ts";
import { reportForecast } from "./report-forecast.ts";
import type { Forecast } from "./run-minutes.ts";

/** Calls of one of the functions behind the states that do not measure. */
export interface ControlCalls {
  readonly handler: keyof typeof driverMemoryMb;
  readonly count: number;
  /** Of each, Init included. */
  readonly billedDurationMs: number;
}

/** Rounded up: what these take beside AWS's own answers is little. */
const shortMs = 10_000;
/** Restore reads each function, and gives one that was measured its environment back. */
const msPerFunction = 1_000;

/** What the states of a run call beside the drivers of its visits, each as long as it may take. */
export function controlCalls(forecasts: readonly Forecast[]): readonly ControlCalls[] {
  const perRun: readonly ControlCalls[] = [
    { handler: "plan", count: 1, billedDurationMs: shortMs },
    { handler: "overview", count: 1, billedDurationMs: shortMs },
  ];
  const functions = forecasts.reduce((sum, { plan }) => sum + plan.cells.length, 0);
  const perExperiment = forecasts.flatMap(({ plan, blocks }): readonly ControlCalls[] => {
    const reportMs = reportForecast(blocks.flat()).seconds * 1000;
    const looks = lookCount(plan, blocks.length);
    return [
      { handler: "seed", count: 1, billedDurationMs: shortMs },
      { handler: "restore", count: 1, billedDurationMs: shortMs + functions * msPerFunction },
      { handler: "report", count: 1, billedDurationMs: reportMs },
      { handler: "precision", count: looks, billedDurationMs: reportMs },
    ];
  });
  return [...perRun, ...perExperiment];
}

export function controlUsd(calls: readonly ControlCalls[], price: LambdaPrice): number {
  return calls.reduce((sum, { handler, count, billedDurationMs }) => {
    const memoryMb = driverMemoryMb[handler];
    return sum + count * invocationCostUsd({ billedDurationMs, memoryMb }, price);
  }, 0);
}
