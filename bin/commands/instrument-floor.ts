import type { InstrumentFloor } from "../../lib/contract/types/contract.ts";
import type { FloorMeasurements } from "../../lib/local/measure-floor.ts";
import { median, quantileType7 } from "../../lib/statistics/quantile.ts";

/** The instrument's floor as the manifest states it. */
export function instrumentFloor(measured: FloorMeasurements): InstrumentFloor {
  const { durationsMs, initDurationsMs, environments } = measured;
  return {
    n: durationsMs.length,
    environments,
    durationMs: median(durationsMs),
    durationLowMs: quantileType7(durationsMs, 0.05),
    durationHighMs: quantileType7(durationsMs, 0.95),
    initDurationMs: median(initDurationsMs),
  };
}
