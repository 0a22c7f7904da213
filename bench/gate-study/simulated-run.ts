import { adjustedInRun, withAdjusted } from "../../lib/analysis/family.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../lib/analysis/series-ratio.ts";
import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Series } from "../../lib/statistics/series.ts";
import type { Population } from "../interval-study/populations.ts";

/** A run of two builds. */
export interface RunShape {
  /** Number of environments of each build. */
  readonly environments: number;
  /** Ratio of the second build's time to the first's. */
  readonly slowdown: number;
  /** Number of subsets for each interval. */
  readonly draws: number;
  readonly seed: number;
}

/** Cold, second and warm: the quantities by which a function of one event and one size is judged. */
const callsOfQuantities = [1, 1, 8] as const;

/** Returns a run's comparisons as in a report: without a noise floor if local, and corrected by block swaps. */
export function comparisonsOfRun(
  population: Population,
  { environments, slowdown, draws, seed }: RunShape,
  random: SeededRandom,
): readonly Compared[] {
  // Deployments differ only on AWS, where an A/A pair shows by how much.
  const hasDeployments = population.id === "deployment";
  const plan = { seed, target: hasDeployments ? "aws" : "local" } as const;
  const pairs = callsOfQuantities.map((calls) => {
    const shared = population.blockLogs(environments, random);
    const make = (factor: number, isVariant: boolean): Series => {
      const own = population.ownLogs?.(environments, isVariant, random) ?? [];
      const log = (block: number) => (shared[block] ?? 0) + (own[block] ?? 0) + Math.log(factor);
      return simulatedBuild(population, { environments, calls, log }, random);
    };
    const [base, head] = [make(1, false), make(slowdown, true)];
    const floor = hasDeployments
      ? ratioOfSeries(make(1, false), base, plan, draws).ratio
      : undefined;
    return { pair: ratioOfSeries(head, base, plan, draws), floor };
  });
  const family = pairs.map(({ pair, floor }) => withVerdict(pair, floor));
  const adjusted = adjustedInRun(
    plan,
    pairs.map(({ pair }) => pair),
  );
  return withAdjusted(family, adjusted);
}

interface BuildShape {
  readonly environments: number;
  readonly calls: number;
  /** Effect of a block, on the log scale. */
  readonly log: (block: number) => number;
}

function simulatedBuild(
  population: Population,
  { environments, calls, log }: BuildShape,
  random: SeededRandom,
): Series {
  const units = Array.from({ length: environments }, (_, block) => {
    const environment = log(block) + population.environmentLog(random);
    const values = Array.from({ length: calls }, () => {
      const time = Math.exp(environment + population.callLog(random));
      return 20 * (population.measured?.(time, random) ?? time);
    });
    return { block, values };
  });
  return { units };
}
