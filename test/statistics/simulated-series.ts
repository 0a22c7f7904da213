import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Series } from "../../lib/statistics/series.ts";

/** A run in which the truth is known: log-normal environments, calls around them, shared drift. */
export interface Simulation {
  readonly medianMs: number;
  readonly environments: number;
  readonly callsEach: number;
  /** Standard deviations of the logarithms. */
  readonly environmentSpread: number;
  readonly callSpread: number;
  /** What a block adds to every series, on the log scale; absent: nothing. */
  readonly blockEffects?: readonly number[];
}

export function simulatedSeries(simulation: Simulation, random: SeededRandom): Series {
  const units = Array.from({ length: simulation.environments }, (_, block) => {
    const drift = simulation.blockEffects?.[block] ?? 0;
    const environment = drift + simulation.environmentSpread * standardNormal(random);
    const values = Array.from({ length: simulation.callsEach }, () => {
      const log = environment + simulation.callSpread * standardNormal(random);
      return simulation.medianMs * Math.exp(log);
    });
    return { block, values };
  });
  return { units };
}

/** Box and Muller. */
export function standardNormal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(random)));
  return radius * Math.cos(2 * Math.PI * uniform(random));
}

function uniform(random: SeededRandom): number {
  return (random.nextUint32() + 0.5) / 2 ** 32;
}
