import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { normal, populations, uniform } from "./populations.ts";
import { type Design, type Side, simulated } from "./simulated.ts";

/** Two functions whose true ratio is known. */
export interface ComparedPopulation {
  readonly id: string;
  /** Description with its parameters. */
  readonly label: string;
  /** The variant's true mean over the baseline's, if the two are not the same. */
  readonly ratioOfMeans?: number;
  /** Block effects, drawn once for everything in the same blocks. */
  blockLogs(blocks: number, random: SeededRandom): readonly number[];
  /** Simulates one of the two in a run, with times scaled by a factor. */
  measure(of: Measured, random: SeededRandom): Series;
}

interface Measured {
  readonly design: Design;
  readonly side: Side;
  readonly factor: number;
  readonly blockLogs: readonly number[];
}

/** Populations whose two sides differ by a factor only. */
const alike: readonly ComparedPopulation[] = populations.map((population) => ({
  id: population.id,
  label: population.label,
  blockLogs: population.blockLogs,
  measure: ({ design, factor, blockLogs }, random) =>
    simulated(population, design, factor, blockLogs, random),
}));

/** Calls of two functions: a usual time, a 5% spread between environments and calls, and extra time for some calls. */
interface Parting {
  readonly id: string;
  readonly label: string;
  readonly usualMs: number;
  /** Factor on the times of an environment. @default 1 */
  environmentFactor?(side: Side, random: SeededRandom): number;
  /** Additional time of an environment's calls, one after the other, ms. */
  longer?(calls: number, side: Side, random: SeededRandom): readonly number[];
  /** The true mean of the side's calls, ms. */
  meanOf(side: Side): number;
}

/** The mean factor of spreads of 5% between environments and between calls. */
const spreadMean = Math.exp(0.05 ** 2);

const everyKth = 8;

const partings: readonly Parting[] = [
  {
    id: "waits",
    label:
      "3 ms of CPU time, and a wait of 17 ms for the next CPU period: 10% of calls, against 40%",
    usualMs: 3,
    longer: (calls, side, random) => someLonger(calls, side === "variant" ? 0.4 : 0.1, 17, random),
    meanOf: (side) => 3 * spreadMean + 17 * (side === "variant" ? 0.4 : 0.1),
  },
  {
    id: "pauses",
    label: "10 ms, and a pause of 40 ms every 8th call of an environment: none, against that",
    usualMs: 10,
    longer: (calls, side, random) => {
      const first = Math.floor(everyKth * uniform(random));
      const pause = (call: number) => (call % everyKth === first && side === "variant" ? 40 : 0);
      return Array.from({ length: calls }, (_, call) => pause(call));
    },
    meanOf: (side) => 10 * spreadMean + (side === "variant" ? 40 / everyKth : 0),
  },
  {
    id: "retries",
    label: "20 ms, and a retry of 10 s in 1 of 500 calls: none, against that",
    usualMs: 20,
    longer: (calls, side, random) =>
      someLonger(calls, side === "variant" ? 1 / 500 : 0, 10_000, random),
    meanOf: (side) => 20 * spreadMean + (side === "variant" ? 10_000 / 500 : 0),
  },
  {
    id: "two-modes",
    label: "20 ms, and environments that take 1.8 times as long: 1 of 10, against 4 of 10",
    usualMs: 20,
    environmentFactor: (side, random) =>
      uniform(random) < (side === "variant" ? 0.4 : 0.1) ? 1.8 : 1,
    meanOf: (side) => 20 * spreadMean * (1 + 0.8 * (side === "variant" ? 0.4 : 0.1)),
  },
  {
    id: "longer-calls",
    label: "24 ms, and calls that take 100 ms longer: none, against 3 of 10",
    usualMs: 24,
    longer: (calls, side, random) => someLonger(calls, side === "variant" ? 0.3 : 0, 100, random),
    meanOf: (side) => 24 * spreadMean + (side === "variant" ? 100 * 0.3 : 0),
  },
];

function someLonger(
  calls: number,
  share: number,
  ms: number,
  random: SeededRandom,
): readonly number[] {
  return Array.from({ length: calls }, () => (uniform(random) < share ? ms : 0));
}

/** Populations whose means and medians disagree. */
const parting: readonly ComparedPopulation[] = partings.map((of) => ({
  id: of.id,
  label: of.label,
  ratioOfMeans: of.meanOf("variant") / of.meanOf("baseline"),
  blockLogs: (blocks) => new Array<number>(blocks).fill(0),
  measure: ({ design, side, factor }, random) => ({
    units: Array.from({ length: design.environments }, (_, block) => ({
      block,
      values: callsOf(of, side, design.callsEach, random).map((ms) => factor * ms),
    })),
  }),
}));

function callsOf(of: Parting, side: Side, calls: number, random: SeededRandom): readonly number[] {
  const factor = of.environmentFactor?.(side, random) ?? 1;
  const environmentMs = of.usualMs * factor * Math.exp(0.05 * normal(random));
  const longer = of.longer?.(calls, side, random);
  return Array.from(
    { length: calls },
    (_, call) => environmentMs * Math.exp(0.05 * normal(random)) + (longer?.[call] ?? 0),
  );
}

export const comparedPopulations: readonly ComparedPopulation[] = [...alike, ...parting];

/** Populations whose sides are different functions. */
export const partingPopulations: readonly ComparedPopulation[] = parting;
