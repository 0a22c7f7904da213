import { ratioOfSides } from "../../lib/analysis/series-ratio.ts";
import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Pairing, Series } from "../../lib/statistics/series.ts";
import type { Population } from "./populations.ts";

/** How much is measured: the sizes of a preset's phase. */
export interface Design {
  readonly label: string;
  readonly environments: number;
  readonly callsEach: number;
}

export interface StudyOptions {
  readonly rounds: number;
  /** Subsets of blocks a ratio, and bootstrap draws of one of medians. */
  readonly draws: number;
  readonly seed: number;
}

/** The shift that is to be found. */
export const shift = 1.1;
/** The shift that a quick preset's gate is to find. */
export const largeShift = 1.3;

/** What is to be told apart by chance in no more of the reports. */
export const errorRate = 0.05;

export type Side = "variant" | "baseline";

/** What a run measures of one side of a comparison, whose times are longer by a factor. */
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

/** The ratio of means that a report states, without the test beside it. */
export function ratioOf(
  above: Series,
  below: Series,
  options: { readonly seed: number; readonly draws: number; readonly pairing?: Pairing },
) {
  const { ratio } = ratioOfSides(above, below, { pairing: "shared-blocks", ...options });
  if (ratio.kind !== "ratio") throw new RangeError(`no interval: ${ratio.kind}`);
  return ratio;
}
