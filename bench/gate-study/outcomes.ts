import { adjustedInRun, withAdjusted } from "../../lib/analysis/family.ts";
import { gateFinding, slowdownNotExcluded } from "../../lib/analysis/gate.ts";
import { type Compared, ratioOfSeries, withVerdict } from "../../lib/analysis/series-ratio.ts";
import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { defaultMargin } from "../../lib/statistics/verdict.ts";
import { mishaps, type Population, populations } from "../interval-study/populations.ts";
import { type StudyOptions, sharesOfRounds } from "../interval-study/simulated.ts";
import { line, percent } from "../interval-study/study-table.ts";

// Studies the gate's answers for runs whose truth is known: slower, undecided with a bound, or proven no slower.

const studied = [
  ...(["log-normal", "wide", "bimodal", "heavy-tail", "drifting"] as const),
  ...(["slow-blocks", "one-sided", "deployment"] as const),
];

/** Populations of the coverage study that occur at a gate. */
export const gatePopulations: readonly Population[] = [...populations, ...mishaps].filter(
  ({ id }) => studied.some((each) => each === id),
);

/** Slowdowns of the second build: none, the smallest of interest, and that of extra work. */
const slowdowns = [1, 1.1, 1.67] as const;

/** Shares of runs, 0 to 1. */
interface Outcomes {
  /** Something is called slower: --fail-on slower fails. */
  readonly slower: number;
  /** Nothing is called slower, and --fail-on not-proven passes. */
  readonly proven: number;
  /** Nothing is called slower, but the stated largest possible slowdown is below the true one. */
  readonly understated: number;
}

/** Returns the gate's answers for these runs, with this many environments of each build. */
export function outcomesOf(
  population: Population,
  shape: Pick<RunShape, "environments" | "slowdown">,
  { rounds, draws, seed }: StudyOptions,
): Outcomes {
  return sharesOfRounds({ rounds, seed }, (random, round) => {
    const comparisons = comparisonsOfRun(population, { ...shape, draws, seed: round }, random);
    const finding = gateFinding({ comparisons, margin: defaultMargin, manifests: [] });
    const isSlower = finding.slower.length > 0;
    const bound = Math.max(1 + finding.margin, slowdownNotExcluded(finding) ?? 1);
    return {
      slower: isSlower,
      proven: !isSlower && finding.notProven.length === 0,
      understated: !isSlower && bound < shape.slowdown,
    };
  });
}

/** Options of the table published in docs/regression-gate.md. */
export const publishedOutcomes: StudyOptions = { rounds: 200, draws: 1_000, seed: 20_261_125 };

/** Environments of each build: those of the presets. */
export const outcomeEnvironments = [9, 60] as const;

export const outcomeHead: readonly string[] = [
  "| population | environments | same build: slower | proven no slower | 10% slower: slower | proven no slower | bound below it | 67% slower: slower | proven no slower | bound below it |",
  "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |",
];

/** One row per population and number of environments, as they are computed. */
export function* outcomeRows(options: StudyOptions): Generator<string> {
  for (const population of gatePopulations) {
    for (const environments of outcomeEnvironments) {
      yield outcomeText(population, environments, options);
    }
  }
}

function outcomeText(population: Population, environments: number, options: StudyOptions): string {
  const shares = slowdowns.flatMap((slowdown) => {
    const { slower, proven, understated } = outcomesOf(
      population,
      { environments, slowdown },
      options,
    );
    return slowdown === 1 ? [slower, proven] : [slower, proven, understated];
  });
  return line([population.label, environments, ...shares.map(percent)]);
}

/** A run of two builds. */
interface RunShape {
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
function comparisonsOfRun(
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
