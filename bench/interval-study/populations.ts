import type { SeededRandom } from "../../lib/contract/seeded-order.ts";

/** Durations of which the truth is known, on the log scale: a factor shifts all of them alike. */
export interface Population {
  readonly id: string;
  /** In words, with its parameters. */
  readonly label: string;
  /** What an environment adds to all of its calls. */
  environmentLog(random: SeededRandom): number;
  /** What a call adds to its environment. */
  callLog(random: SeededRandom): number;
  /** What every block adds to whatever is measured in it. */
  blockLogs(blocks: number, random: SeededRandom): readonly number[];
}

const noDrift = (blocks: number): readonly number[] => new Array<number>(blocks).fill(0);

/** Standard deviations are of logarithms: 0.05 is 5 %. */
export const populations: readonly Population[] = [
  {
    id: "log-normal",
    label: "log-normal: environments 5 %, calls 5 %",
    environmentLog: (random) => 0.05 * normal(random),
    callLog: (random) => 0.05 * normal(random),
    blockLogs: noDrift,
  },
  {
    id: "wide",
    label: "log-normal, wide: environments 10 %, calls 10 %",
    environmentLog: (random) => 0.1 * normal(random),
    callLog: (random) => 0.1 * normal(random),
    blockLogs: noDrift,
  },
  {
    id: "bimodal",
    label: "bimodal: 3 of 10 environments take 1.8 times as long; within a mode 5 %, calls 5 %",
    environmentLog: (random) => (uniform(random) < 0.3 ? Math.log(1.8) : 0) + 0.05 * normal(random),
    callLog: (random) => 0.05 * normal(random),
    blockLogs: noDrift,
  },
  {
    id: "heavy-tail",
    label:
      "heavy tail: environments 5 %, every fifth longer by a Pareto factor of exponent 1.5; " +
      "calls 5 %, every twentieth by one",
    environmentLog: (random) => 0.05 * normal(random) + paretoLog(0.2, random),
    callLog: (random) => 0.05 * normal(random) + paretoLog(0.05, random),
    blockLogs: noDrift,
  },
  {
    id: "drifting",
    label:
      "autocorrelated blocks: environments 5 %, calls 5 %, shared drift AR(1) 0.8 with 5 % steps",
    environmentLog: (random) => 0.05 * normal(random),
    callLog: (random) => 0.05 * normal(random),
    blockLogs: (blocks, random) => {
      let level = 0;
      return Array.from({ length: blocks }, () => {
        level = 0.8 * level + 0.05 * normal(random);
        return level;
      });
    },
  },
];

/** The logarithm of a Pareto factor in a share of the cases, else 0. */
function paretoLog(share: number, random: SeededRandom): number {
  return uniform(random) < share ? -Math.log(uniform(random)) / 1.5 : 0;
}

/** Box and Muller. */
function normal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(random)));
  return radius * Math.cos(2 * Math.PI * uniform(random));
}

function uniform(random: SeededRandom): number {
  return (random.nextUint32() + 0.5) / 2 ** 32;
}
