import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { percentileBounds } from "../../lib/statistics/tail-percentile.ts";
import { normal } from "../interval-study/populations.ts";
import { sharesOfRounds } from "../interval-study/simulated.ts";
import { line, percent } from "../interval-study/study-table.ts";

// Compares the bounds used to judge an absolute limit of P95 with the true P95 of log-normal calls.

interface BoundShape {
  readonly environments: number;
  readonly calls: number;
  /** Standard deviations of logarithms, between environments and between calls within one. */
  readonly spreads: readonly [environments: number, calls: number];
}

const shapes: readonly BoundShape[] = [
  { environments: 60, calls: 1, spreads: [0.1, 0] },
  { environments: 9, calls: 11, spreads: [0.03, 0.1] },
  { environments: 9, calls: 11, spreads: [0.1, 0.1] },
  { environments: 9, calls: 11, spreads: [0.2, 0.05] },
  { environments: 60, calls: 8, spreads: [0.1, 0.1] },
  { environments: 60, calls: 8, spreads: [0.2, 0.05] },
];

/** The standard normal's 95th percentile. */
const normalP95 = 1.6448536;

const seed = 20_261_125;

/** Head of the table in docs/regression-gate.md. */
export const boundHead: readonly string[] = [
  "| environments | calls in each | spread of environments, of calls | met wrongly | missed wrongly | no upper bound |",
  "| --: | --: | --- | --: | --: | --: |",
];

/** One row per shape, from this many runs. */
export function* boundRows(rounds: number): Generator<string> {
  for (const shape of shapes) yield boundText(shape, rounds);
}

function boundText(shape: BoundShape, rounds: number): string {
  const { environments, calls, spreads } = shape;
  const truth = Math.exp(normalP95 * Math.hypot(...spreads));
  const { met, missed, open } = sharesOfRounds({ rounds, seed }, (random) => {
    const { atLeast, atMost } = percentileBounds(simulatedCalls(shape, random), "p95");
    return {
      met: atMost !== undefined && atMost < truth,
      missed: atLeast !== undefined && atLeast > truth,
      open: atMost === undefined,
    };
  });
  const widths = spreads.map((spread) => `${Math.round(100 * spread)}%`).join(", ");
  return line([environments, calls, widths, ...[met, missed, open].map(percent)]);
}

function simulatedCalls(
  { environments, calls, spreads }: BoundShape,
  random: SeededRandom,
): Series {
  const [ofEnvironments, ofCalls] = spreads;
  const units = Array.from({ length: environments }, (_, block) => {
    const own = ofEnvironments * normal(random);
    const values = Array.from({ length: calls }, () => Math.exp(own + ofCalls * normal(random)));
    return { block, values };
  });
  return { units };
}
