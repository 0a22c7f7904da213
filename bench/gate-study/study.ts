import { adjustedInRun, afterCorrection, withAdjusted } from "../../lib/analysis/family.ts";
import { ratioOfSeries, withVerdict } from "../../lib/analysis/series-ratio.ts";
import type { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { normal, uniform } from "../interval-study/populations.ts";
import { type StudyOptions, sharesOfRounds } from "../interval-study/simulated.ts";
import { line, percent } from "../interval-study/study-table.ts";

// Tests a gate on runs whose truth is known: two builds in the blocks of one run, and the same two in successive runs
// that are compared. The machine's load is simulated: it slows each environment at its time, regardless of the build.

/** A machine's load, as the log of the factor on times, environment after environment. */
export interface Load {
  readonly id: string;
  readonly label: string;
  readonly log: (random: SeededRandom, environments: number) => readonly number[];
}

export const loads: readonly Load[] = [
  { id: "still", label: "none", log: (_, environments) => Array(environments).fill(0) },
  {
    id: "wandering",
    label: "wanders: 1.5% from one environment to the next",
    log: (random, environments) => {
      let level = 0;
      return Array.from({ length: environments }, () => {
        level += 0.015 * normal(random);
        return level;
      });
    },
  },
  {
    id: "neighbour",
    label: "a neighbour: 25% slower for some 30 environments at a time",
    log: (random, environments) => {
      let isThere = uniform(random) < 0.5;
      return Array.from({ length: environments }, () => {
        if (uniform(random) < 1 / 30) isThere = !isThere;
        return isThere ? Math.log(1.25) : 0;
      });
    },
  },
];

/** Cold, second and warm: the quantities by which a function of one event and one size is judged. */
const quantities = 3;
/** Spread of environments, and of calls within one, on the log scale. */
const ownLog = 0.03;

/** Shares of runs, 0 to 1. */
interface GateShares {
  /** Share of runs of the same build twice in which something is called slower. */
  readonly falseAlarms: number;
  /** Share of runs whose second build is slower in every quantity in which something is called slower. */
  readonly found: number;
}

interface GateRow {
  /** Both builds in the same blocks of one run. */
  readonly interleaved: GateShares;
  /** All of one build, then all of the other. */
  readonly inTurn: GateShares;
}

/** Ratio of the second build's time to the first's. */
export const shift = 1.1;

/** Returns the gate's answers with this many environments of each build. */
export function gateRow(load: Load, environments: number, options: StudyOptions): GateRow {
  const shares = (gate: Gate): GateShares => ({
    falseAlarms: calledSlower(load, environments, 1, options, gate),
    found: calledSlower(load, environments, shift, options, gate),
  });
  return { interleaved: shares(interleavedGate), inTurn: shares(gateInTurn) };
}

/** Returns the share of runs in which the gate calls something slower; by default both builds are in the same blocks. */
export function calledSlower(
  load: Load,
  environments: number,
  ratio: number,
  { rounds, draws, seed }: StudyOptions,
  isSlower: Gate = interleavedGate,
): number {
  return sharesOfRounds({ rounds, seed }, (random, round) => {
    const levels = load.log(random, 2 * environments);
    return { slower: isSlower({ levels, environments, ratio, random, seed: round, draws }) };
  }).slower;
}

interface Measured {
  /** The machine's load, environment after environment. */
  readonly levels: readonly number[];
  readonly environments: number;
  readonly ratio: number;
  readonly random: SeededRandom;
  readonly seed: number;
  readonly draws: number;
}

type Gate = (measured: Measured) => boolean;

/** Judges the builds like one run: by blocks, corrected by block swaps. */
function interleavedGate({ levels, environments, ratio, random, seed, draws }: Measured): boolean {
  // Base and head are in each block, in any order.
  const orders = Array.from({ length: environments }, () => random.shuffled([0, 1]));
  const place = (cell: number) => (block: number) => 2 * block + (orders[block]?.[cell] ?? 0);
  const make = (cell: number, factor: number) =>
    makeSeries(environments, (block) => levels[place(cell)(block)] ?? 0, factor, random);
  const plan = { seed, target: "local" } as const;
  const pairs = Array.from({ length: quantities }, () =>
    ratioOfSeries(make(1, ratio), make(0, 1), plan, draws),
  );
  const family = pairs.map((pair) => withVerdict(pair));
  return withAdjusted(family, adjustedInRun(plan, pairs)).some(
    ({ verdict }) => verdict === "slower",
  );
}

/** Judges the builds like two runs in `kelvin compare`: their environments are independent. */
function gateInTurn({ levels, environments, ratio, random, seed, draws }: Measured): boolean {
  const level = (run: number) => (block: number) => levels[environments * run + block] ?? 0;
  const plan = { seed, target: "imported" } as const;
  const family = Array.from({ length: quantities }, () => {
    const [base, head] = [1, ratio].map((factor, run) =>
      makeSeries(environments, level(run), factor, random),
    ) as [Series, Series];
    return withVerdict(ratioOfSeries(head, base, plan, draws));
  });
  return afterCorrection(family).some(({ verdict }) => verdict === "slower");
}

function makeSeries(
  environments: number,
  level: (block: number) => number,
  factor: number,
  random: SeededRandom,
): Series {
  const units = Array.from({ length: environments }, (_, block) => ({
    block,
    values: [20 * factor * Math.exp(level(block) + ownLog * normal(random))],
  }));
  return { units };
}

/** Options of the table published in docs/regression-gate.md. */
export const publishedGate: StudyOptions = { rounds: 200, draws: 1_000, seed: 20_261_122 };

/** Environments of each build. */
export const gateEnvironments = [15, 30, 60] as const;

export const gateHead: readonly string[] = [
  "| the machine's load | environments | same build called slower: one run | two runs | 10% slower found: one run | two runs |",
  "| --- | --: | --: | --: | --: | --: |",
];

/** One row per load and number of environments, as they are computed. */
export function* gateRows(options: StudyOptions): Generator<string> {
  for (const load of loads) {
    for (const environments of gateEnvironments) {
      yield gateText(load, environments, options);
    }
  }
}

export function gateText(load: Load, environments: number, options: StudyOptions): string {
  const { interleaved, inTurn } = gateRow(load, environments, options);
  const shares = [interleaved.falseAlarms, inTurn.falseAlarms, interleaved.found, inTurn.found];
  return line([load.label, environments, ...shares.map(percent)]);
}
