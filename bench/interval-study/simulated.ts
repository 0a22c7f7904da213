import { ratioOfSides } from "../../lib/analysis/series-ratio.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Pairing, Series } from "../../lib/statistics/series.ts";
import type { Population } from "./populations.ts";

/** Sample sizes of a preset's phase. */
export interface Design {
  readonly label: string;
  readonly environments: number;
  readonly callsEach: number;
}

export interface StudyOptions {
  readonly rounds: number;
  /** Subsets of blocks per ratio. */
  readonly draws: number;
  readonly seed: number;
}

export const shift = 1.1;
/** The shift that a quick preset's gate should detect. */
export const largeShift = 1.3;

/** Largest share of reports in which the test may detect anything by chance. */
export const errorRate = 0.05;

export type Side = "variant" | "baseline";

/** Returns the shares of rounds, 0 to 1, in which each answer is true. Deterministic for the seed. */
export function sharesOfRounds<Name extends string>(
  { rounds, seed }: Pick<StudyOptions, "rounds" | "seed">,
  answersOf: (random: SeededRandom, round: number) => Readonly<Record<Name, boolean>>,
): Record<Name, number> {
  const random = new SeededRandom(seed);
  const answers = Array.from({ length: rounds }, (_, round) => answersOf(random, round));
  const names = Object.keys(answers[0] ?? {}) as Name[];
  const share = (name: Name) => answers.filter((answer) => answer[name]).length / rounds;
  return Object.fromEntries(names.map((name) => [name, share(name)])) as Record<Name, number>;
}

/** Returns a function that simulates a side in the blocks of one run. */
export function measureInRun(population: Population, design: Design, random: SeededRandom) {
  const blockLogs = population.blockLogs(design.environments, random);
  return (factor: number, side?: Side): Series =>
    simulated(population, design, factor, blockLogs, random, side);
}

/** Simulates one side of a comparison in a run, with times scaled by a factor. */
export function simulated(
  population: Population,
  { environments, callsEach }: Design,
  factor: number,
  blockLogs: readonly number[],
  random: SeededRandom,
  side: Side = "baseline",
): Series {
  const { measured = (time: number) => time, isLost = () => false } = population;
  const isVariant = side === "variant";
  const ownLogs = population.ownLogs?.(environments, isVariant, random) ?? [];
  const units = Array.from({ length: environments }, (_, block) => {
    const level =
      (blockLogs[block] ?? 0) + (ownLogs[block] ?? 0) + population.environmentLog(random);
    const call = () => factor * Math.exp(level + population.callLog(random));
    const times = Array.from({ length: callsEach }, call);
    const kept = times.some((time) => isLost(time, random)) ? [] : times;
    return { block, values: kept.map((time) => measured(time, random)) };
  });
  const last = isVariant ? population.lastOfVariant?.(environments) : undefined;
  return { units: last === undefined ? units : units.slice(0, last) };
}

/** Returns the ratio of means that a report states, without its test. */
export function ratioOf(
  above: Series,
  below: Series,
  options: { readonly seed: number; readonly draws: number; readonly pairing?: Pairing },
) {
  const { ratio } = ratioOfSides(above, below, { pairing: "shared-blocks", ...options });
  if (ratio.kind !== "ratio") throw new RangeError(`no interval: ${ratio.kind}`);
  return ratio;
}
