import { gateFinding, slowdownNotExcluded } from "../../lib/analysis/gate.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { defaultMargin } from "../../lib/statistics/verdict.ts";
import { mishaps, type Population, populations } from "../interval-study/populations.ts";
import { comparisonsOfRun, type RunShape } from "./simulated-run.ts";

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

interface OutcomeOptions {
  readonly rounds: number;
  /** Number of subsets for each interval. */
  readonly draws: number;
  readonly seed: number;
}

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
  { rounds, draws, seed }: OutcomeOptions,
): Outcomes {
  const random = new SeededRandom(seed);
  const counts = { slower: 0, proven: 0, understated: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const comparisons = comparisonsOfRun(population, { ...shape, draws, seed: round }, random);
    const finding = gateFinding({ comparisons, margin: defaultMargin, manifests: [] });
    const isSlower = finding.slower.length > 0;
    const bound = Math.max(1 + finding.margin, slowdownNotExcluded(finding) ?? 1);
    counts.slower += Number(isSlower);
    counts.proven += Number(!isSlower && finding.notProven.length === 0);
    counts.understated += Number(!isSlower && bound < shape.slowdown);
  }
  return {
    slower: counts.slower / rounds,
    proven: counts.proven / rounds,
    understated: counts.understated / rounds,
  };
}

/** Options of the table published in docs/regression-gate.md. */
export const publishedOutcomes: OutcomeOptions = { rounds: 200, draws: 1_000, seed: 20_261_125 };

/** Environments of each build: those of the presets. */
export const outcomeEnvironments = [9, 60] as const;

export const outcomeHead: readonly string[] = [
  "| population | environments | same build: slower | proven no slower | 10% slower: slower | proven no slower | bound below it | 67% slower: slower | proven no slower | bound below it |",
  "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |",
];

/** One row per population and number of environments, as they are computed. */
export function* outcomeRows(options: OutcomeOptions): Generator<string> {
  for (const population of gatePopulations) {
    for (const environments of outcomeEnvironments) {
      yield outcomeText(population, environments, options);
    }
  }
}

function outcomeText(
  population: Population,
  environments: number,
  options: OutcomeOptions,
): string {
  const shares = slowdowns.flatMap((slowdown) => {
    const { slower, proven, understated } = outcomesOf(
      population,
      { environments, slowdown },
      options,
    );
    return slowdown === 1 ? [slower, proven] : [slower, proven, understated];
  });
  const texts = shares.map((share) => `${(100 * share).toFixed(1)}%`);
  return `| ${[population.label, environments, ...texts].join(" | ")} |`;
}
