import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { normalTail } from "../../lib/statistics/mann-whitney-tails.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { normal, uniform, walk } from "./populations.ts";
import { type Design, largeShift, shift } from "./simulated.ts";

/** A population for which intervals or tests fail, and the sign in a report that warns of it. */
export interface BreakingPopulation {
  readonly id: string;
  /** Description with its parameters. */
  readonly label: string;
  readonly sign: Sign;
  /** Factor of the variant's times. */
  readonly shift: number;
  /** The true ratio of means at that shift. @default the shift */
  readonly ratioOfMeans?: number;
  /** The true mean. Absent if a run covers only part of a drift, or one draw of an effect. */
  readonly meanMs?: number;
  /** Simulates one side's measurements in a run, with times scaled by the factor. */
  measure(design: Design, factor: number, random: SeededRandom, isVariant: boolean): Series;
}

/** The sign in a report. Unknown CPU models do not count as one: every report of such a run mentions them. */
type Sign =
  | "compared within CPU models"
  | "unknown CPU models"
  | "A/A pair differs"
  | "long calls"
  | "drift"
  | "none needed";

/** The mean factor of spreads of 5% between environments and between calls. */
const spreadMean = Math.exp(0.05 ** 2);

interface Environments {
  /** Additional factors on the calls of each environment, in the order of the blocks. */
  readonly levels?: (environments: number, random: SeededRandom, isVariant: boolean) => Levels;
  readonly usualMs: number;
  /** Additional time of the calls of an environment, ms. */
  readonly longer?: (calls: number, random: SeededRandom) => readonly number[];
  /** The time as a clock measures it. */
  readonly measured?: (ms: number) => number;
}

interface Levels {
  readonly logs: readonly number[];
  readonly cpuModels?: readonly string[];
}

function measureOf(of: Environments): BreakingPopulation["measure"] {
  const { levels, usualMs, longer, measured = (ms: number) => ms } = of;
  return ({ environments, callsEach }, factor, random, isVariant) => {
    const { logs = [], cpuModels } = levels?.(environments, random, isVariant) ?? {};
    const units = Array.from({ length: environments }, (_, block) => {
      const environmentMs = usualMs * Math.exp((logs[block] ?? 0) + 0.05 * normal(random));
      const more = longer?.(callsEach, random);
      const values = Array.from({ length: callsEach }, (__, call) =>
        measured(factor * (environmentMs * Math.exp(0.05 * normal(random)) + (more?.[call] ?? 0))),
      );
      const cpuModel = cpuModels?.[block];
      return { block, values, ...(cpuModel !== undefined && { cpuModel }) };
    });
    return { units };
  };
}

const slowerModel = 1.25;

/** Simulates two host models. The next environment is on the other model with a probability of 7.5%. */
function hosts(environments: number, random: SeededRandom): Required<Levels> {
  let isSlower = uniform(random) < 0.5;
  const models = Array.from({ length: environments }, () => {
    if (uniform(random) < 0.15) isSlower = uniform(random) < 0.5;
    return isSlower;
  });
  return {
    logs: models.map((isSlow) => (isSlow ? Math.log(slowerModel) : 0)),
    cpuModels: models.map((isSlow) => (isSlow ? "slower" : "faster")),
  };
}

const meanOfHosts = 20 * spreadMean * ((1 + slowerModel) / 2);

/** Returns the mean of bills in whole ms, rounded up, for log-normal times with this median. */
function meanBill(medianMs: number): number {
  const deviation = Math.hypot(0.05, 0.05);
  const isAbove = (ms: number) => {
    const distance = Math.log(ms / medianMs) / deviation;
    return distance > 0 ? normalTail(distance) : 1 - normalTail(-distance);
  };
  return [1, 2, 3, 4, 5, 6].reduce((sum, ms) => sum + isAbove(ms), 1);
}

const shortMs = 1.9;

export const breakingPopulations: readonly BreakingPopulation[] = [
  {
    id: "cpu-models",
    label: "two CPU models, one 1.25 times as slow, in runs of some 13 environments; recorded",
    ...{ sign: "compared within CPU models", shift, meanMs: meanOfHosts },
    measure: measureOf({ usualMs: 20, levels: hosts }),
  },
  {
    id: "unknown-cpu-models",
    label: "the same, not recorded, as of copies of a user's functions",
    ...{ sign: "unknown CPU models", shift, meanMs: meanOfHosts },
    measure: measureOf({
      usualMs: 20,
      levels: (environments, random) => ({ logs: hosts(environments, random).logs }),
    }),
  },
  {
    id: "cpu-share",
    label: "each function has a CPU share of its own for the whole run, 5% more or less",
    ...{ sign: "A/A pair differs", shift },
    measure: measureOf({
      usualMs: 20,
      levels: (environments, random) => ({
        logs: new Array<number>(environments).fill(0.05 * normal(random)),
      }),
    }),
  },
  {
    id: "half-throttled",
    label: "10 ms, and a wait of 10 ms in 1 of 5 to 4 of 5 calls, by environment",
    ...{ sign: "none needed", shift, meanMs: 10 * spreadMean + 10 / 2 },
    measure: measureOf({
      usualMs: 10,
      longer: (calls, random) => {
        const share = 0.2 + 0.6 * uniform(random);
        return Array.from({ length: calls }, () => (uniform(random) < share ? 10 : 0));
      },
    }),
  },
  {
    id: "gc-pauses",
    label: "10 ms, and a pause of 40 ms every 8th call of an environment, on both sides",
    ...{ sign: "long calls", shift, meanMs: 10 * spreadMean + 40 / 8 },
    measure: measureOf({
      usualMs: 10,
      longer: (calls, random) => {
        const first = Math.floor(8 * uniform(random));
        return Array.from({ length: calls }, (_, call) => (call % 8 === first ? 40 : 0));
      },
    }),
  },
  {
    id: "rare-outliers",
    label: "20 ms, and 10 s in 1 of 500 calls, on both sides",
    ...{ sign: "long calls", shift, meanMs: 20 * spreadMean + 10_000 / 500 },
    measure: measureOf({
      usualMs: 20,
      longer: (calls, random) =>
        Array.from({ length: calls }, () => (uniform(random) < 1 / 500 ? 10_000 : 0)),
    }),
  },
  {
    id: "own-drifts",
    label: "each side drifts by itself: AR(1) 0.8 with 5% steps",
    ...{ sign: "drift", shift },
    measure: measureOf({
      usualMs: 20,
      levels: (environments, random) => ({ logs: walk(environments, random) }),
    }),
  },
  {
    id: "one-rises",
    label: "the variant alone rises by 20% from the first block to the last",
    ...{ sign: "drift", shift },
    measure: measureOf({
      usualMs: 20,
      levels: (environments, _, isVariant) => ({
        logs: Array.from({ length: environments }, (__, block) =>
          isVariant ? Math.log(1.2) * (block / (environments - 1) - 0.5) : 0,
        ),
      }),
    }),
  },
  {
    id: "short-bills",
    label: "bills of 1 to 3 whole ms, of 1.9 ms; a shift of 30%",
    ...{ sign: "none needed", shift: largeShift, meanMs: meanBill(shortMs) },
    ratioOfMeans: meanBill(largeShift * shortMs) / meanBill(shortMs),
    measure: measureOf({ usualMs: shortMs, measured: Math.ceil }),
  },
];
