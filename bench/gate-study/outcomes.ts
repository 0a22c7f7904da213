import { gateFinding, slowdownNotExcluded } from "../../lib/analysis/gate.ts";
import { defaultMargin } from "../../lib/statistics/verdict.ts";
import { mishaps, type Population, populations } from "../interval-study/populations.ts";
import { type StudyOptions, sharesOfRounds } from "../interval-study/simulated.ts";
import { line, percent } from "../interval-study/study-table.ts";
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
