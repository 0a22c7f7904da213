import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { type Ratio, ratioOfMedians } from "../../lib/statistics/ratio.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { verdictOf } from "../../lib/statistics/verdict.ts";
import type { Population } from "./populations.ts";

/** How much is measured: the sizes of a preset's phase. */
export interface Design {
  readonly label: string;
  readonly environments: number;
  readonly callsEach: number;
}

/** The statistics held against the truth, over many runs that never were. Shares are 0 to 1. */
export interface StudyRow {
  readonly rounds: number;
  /** Intervals that hold the true ratio. */
  readonly covered: number;
  /** A/A pairs that a verdict calls faster or slower. */
  readonly falseVerdicts: number;
  /** Intervals that leave out 1 where the truth is a shift of 10 %. */
  readonly shiftSeen: number;
  /** Verdicts `slower` at the margin of 5 % where the truth is a shift of 10 %. */
  readonly shiftCalled: number;
}

export interface StudyOptions {
  readonly rounds: number;
  /** Bootstrap draws a ratio. */
  readonly draws: number;
  readonly seed: number;
}

/** The shift that is to be found. */
export const shift = 1.1;

/** The study of one population under one design. Deterministic for the seed. */
export function studyRow(
  population: Population,
  design: Design,
  { rounds, draws, seed }: StudyOptions,
): StudyRow {
  const random = new SeededRandom(seed);
  const counts = { covered: 0, falseVerdicts: 0, shiftSeen: 0, shiftCalled: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const blockLogs = population.blockLogs(design.environments, random);
    const measure = (factor: number) => simulated(population, design, factor, blockLogs, random);
    const [shifted, baseline, twin] = [measure(shift), measure(1), measure(1)];
    const options = { seed: round, draws };
    const ratio = interval(ratioOfMedians(shifted, baseline, options));
    const alike = ratioOfMedians(twin, baseline, options);
    counts.covered += Number(ratio.low <= shift && shift <= ratio.high);
    counts.shiftSeen += Number(ratio.low > 1);
    counts.shiftCalled += Number(verdictOf(ratio).kind === "slower");
    counts.falseVerdicts += Number(["faster", "slower"].includes(verdictOf(alike).kind));
  }
  const share = (count: number) => count / rounds;
  return {
    rounds,
    covered: share(counts.covered),
    falseVerdicts: share(counts.falseVerdicts),
    shiftSeen: share(counts.shiftSeen),
    shiftCalled: share(counts.shiftCalled),
  };
}

function simulated(
  population: Population,
  { environments, callsEach }: Design,
  factor: number,
  blockLogs: readonly number[],
  random: SeededRandom,
): Series {
  const units = Array.from({ length: environments }, (_, block) => {
    const level = (blockLogs[block] ?? 0) + population.environmentLog(random);
    const call = () => factor * Math.exp(level + population.callLog(random));
    return { block, values: Array.from({ length: callsEach }, call) };
  });
  return { units };
}

function interval(ratio: Ratio) {
  if (ratio.kind !== "ratio") throw new RangeError(`no interval: ${ratio.kind}`);
  return ratio;
}
