import type { SeededRandom } from "../../lib/contract/seeded-order.ts";

/** Durations whose truth is known, on the log scale: a factor shifts all of them equally. */
export interface Population {
  readonly id: string;
  /** Description with its parameters. */
  readonly label: string;
  /** Effect of an environment on all of its calls. */
  environmentLog(random: SeededRandom): number;
  /** Effect of a call within its environment. */
  callLog(random: SeededRandom): number;
  /** Effect of each block on everything measured in it. */
  blockLogs(blocks: number, random: SeededRandom): readonly number[];
  /** Effect of blocks on one series only, the variant's or the baseline's. @default nothing */
  ownLogs?(blocks: number, isVariant: boolean, random: SeededRandom): readonly number[];
  /** The time as a clock measures it; the baseline's median is 1. @default the time */
  measured?(time: number, random: SeededRandom): number;
  /** True for an environment that fails. @default none does */
  isLost?(time: number, random: SeededRandom): boolean;
  /** Number of blocks after which the variant is no longer measured. @default all */
  lastOfVariant?(blocks: number): number;
}

const noDrift = (blocks: number): readonly number[] => new Array<number>(blocks).fill(0);

/** Standard deviations are of logarithms: 0.05 is 5%. */
export const populations: readonly Population[] = [
  {
    id: "log-normal",
    label: "log-normal: environments 5%, calls 5%",
    environmentLog: (random) => 0.05 * normal(random),
    callLog: (random) => 0.05 * normal(random),
    blockLogs: noDrift,
  },
  {
    id: "wide",
    label: "log-normal, wide: environments 10%, calls 10%",
    environmentLog: (random) => 0.1 * normal(random),
    callLog: (random) => 0.1 * normal(random),
    blockLogs: noDrift,
  },
  {
    id: "bimodal",
    label: "bimodal: 3 of 10 environments take 1.8 times as long; within a mode 5%, calls 5%",
    environmentLog: (random) => (uniform(random) < 0.3 ? Math.log(1.8) : 0) + 0.05 * normal(random),
    callLog: (random) => 0.05 * normal(random),
    blockLogs: noDrift,
  },
  {
    id: "heavy-tail",
    label:
      "heavy tail: environments 5%, every fifth longer by a Pareto factor of exponent 1.5; " +
      "calls 5%, every twentieth by one",
    environmentLog: (random) => 0.05 * normal(random) + paretoLog(0.2, random),
    callLog: (random) => 0.05 * normal(random) + paretoLog(0.05, random),
    blockLogs: noDrift,
  },
  {
    id: "drifting",
    label: "autocorrelated blocks: environments 5%, calls 5%, shared drift AR(1) 0.8 with 5% steps",
    environmentLog: (random) => 0.05 * normal(random),
    callLog: (random) => 0.05 * normal(random),
    blockLogs: walk,
  },
];

const plain = {
  environmentLog: (random: SeededRandom) => 0.05 * normal(random),
  callLog: (random: SeededRandom) => 0.05 * normal(random),
  blockLogs: noDrift,
};

/** Mishaps of a run, one each. Times are otherwise log-normal: environments 5%, calls 5%. */
export const mishaps: readonly Population[] = [
  {
    ...plain,
    id: "slow-blocks",
    label: "every tenth block takes 1.5 times as long, whatever is measured in it",
    blockLogs: (blocks, random) =>
      Array.from({ length: blocks }, () => (uniform(random) < 0.1 ? Math.log(1.5) : 0)),
  },
  {
    ...plain,
    id: "one-sided",
    label: "the variant alone drifts: AR(1) 0.8 with 5% steps",
    ownLogs: (blocks, isVariant, random) => (isVariant ? walk(blocks, random) : []),
  },
  {
    ...plain,
    id: "ties",
    label: "whole milliseconds, around 20: both medians lie on one, 20 and 22",
    measured: (time) => Math.round(20 * time),
  },
  {
    ...plain,
    id: "ties-between",
    label: "whole milliseconds, around 20.8: both medians lie between two, 20.8 and 22.88",
    measured: (time) => Math.round(20.8 * time),
  },
  {
    ...plain,
    id: "throttled",
    label: "steps of 20 ms, around 200, with 0.2% within a step",
    measured: (time, random) =>
      20 * Math.max(1, Math.round(10 * time)) * Math.exp(0.002 * normal(random)),
  },
  {
    ...plain,
    id: "failures",
    label: "5 of 100 environments fail, whichever",
    isLost: (_, random) => uniform(random) < 0.05,
  },
  {
    ...plain,
    id: "slow-fail",
    label: "environments that take more than 1.15 times the baseline's median fail",
    isLost: (time) => time > 1.15,
  },
  {
    ...plain,
    id: "ends-early",
    label: 'the variant ends after three quarters of the blocks, in the drift of "drifting"',
    blockLogs: walk,
    lastOfVariant: (blocks) => Math.ceil(0.75 * blocks),
  },
  {
    ...plain,
    id: "deployment",
    label: "each deployment has an effect of its own on all of its environments, 3%",
    ownLogs: (blocks, _, random) => new Array<number>(blocks).fill(0.03 * normal(random)),
  },
];

/** AR(1) drift: each block's level is 0.8 of the previous one's, plus 5% noise. */
export function walk(blocks: number, random: SeededRandom): readonly number[] {
  let level = 0;
  return Array.from({ length: blocks }, () => {
    level = 0.8 * level + 0.05 * normal(random);
    return level;
  });
}

/** Returns the logarithm of a Pareto factor in a share of the cases, else 0. */
function paretoLog(share: number, random: SeededRandom): number {
  return uniform(random) < share ? -Math.log(uniform(random)) / 1.5 : 0;
}

/** Returns a standard normal number by the Box-Muller method. */
export function normal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(random)));
  return radius * Math.cos(2 * Math.PI * uniform(random));
}

export function uniform(random: SeededRandom): number {
  return (random.nextUint32() + 0.5) / 2 ** 32;
}
