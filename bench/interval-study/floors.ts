import { ratioOfSeries } from "../../lib/analysis/series-ratio.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import type { Ratio } from "../../lib/statistics/ratio.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { studentTQuantile } from "../../lib/statistics/student-t.ts";
import { breakingPopulations } from "./breaking-populations.ts";
import { designOf, designText, presets, withShare } from "./designs.ts";
import { partingPopulations } from "./parting-populations.ts";
import { mishaps, populations } from "./populations.ts";
import { type Design, largeShift, measureInRun, type StudyOptions, shift } from "./simulated.ts";
import { isCalled, onlyComparison } from "./study.ts";
import { line, percent, type StudyTable, studyTable } from "./study-table.ts";

// Rules for dismissing a difference because the same code, deployed twice, also differs.

/** A function that is deployed repeatedly: a run has its own blocks, and each call measures one deployment. */
interface DeployedPopulation {
  readonly id: string;
  /** Simulates one run, deployment after deployment. */
  run(design: Design, random: SeededRandom): (factor: number, isVariant: boolean) => Series;
}

export const deployedPopulations: readonly DeployedPopulation[] = [
  ...[...populations, ...mishaps].map(
    (population): DeployedPopulation => ({
      id: population.id,
      run: (design, random) => {
        const measure = measureInRun(population, design, random);
        return (factor, isVariant) => measure(factor, isVariant ? "variant" : "baseline");
      },
    }),
  ),
  ...partingPopulations.map(
    (population): DeployedPopulation => ({
      id: population.id,
      run: (design, random) => {
        const blockLogs = population.blockLogs(design.environments, random);
        // The two sides are different functions; this deploys the variant's.
        return (factor) =>
          population.measure({ design, side: "variant", factor, blockLogs }, random);
      },
    }),
  ),
  ...breakingPopulations.map(
    (population): DeployedPopulation => ({
      id: population.id,
      run: (design, random) => (factor, isVariant) =>
        population.measure(design, factor, random, isVariant),
    }),
  ),
];

/** The floors for a difference; with `none` it is judged by its interval, the margin and the test. */
export const floorRules = ["none", "point", "near", "far", "three", "five", "nine"] as const;
type FloorRule = (typeof floorRules)[number];

/** Shares of runs, 0 to 1. */
interface FloorRow {
  /** Comparisons of a function with itself that are called faster or slower. */
  readonly falseVerdicts: Readonly<Record<FloorRule, number>>;
  /** Shifts called slower. */
  readonly found: Readonly<Record<FloorRule, number>>;
}

const mostReplicas = 9;

export function floorRow(
  population: DeployedPopulation,
  design: Design,
  factor: number,
  { rounds, draws, seed }: StudyOptions,
): FloorRow {
  const random = new SeededRandom(seed);
  const counts = { falseVerdicts: noneYet(), found: noneYet() };
  for (let round = 0; round < rounds; round += 1) {
    const measure = population.run(design, random);
    const baseline = measure(1, false);
    const replicas = Array.from({ length: mostReplicas }, () => measure(1, false));
    const plan = { seed: round, target: "aws" } as const;
    const [first] = replicas;
    if (first === undefined) throw new RangeError("no replica");
    const logs = replicas.flatMap((replica) => logRatio(replica, baseline, plan));
    const floors = floorsOf(ratioOfSeries(first, baseline, plan, draws).ratio, logs);
    const isBeyond = (ratio: number | undefined, rule: FloorRule) =>
      ratio !== undefined && Math.abs(Math.log(ratio)) > floors[rule];
    const [same, slower] = [measure(1, true), measure(factor, true)].map((above) =>
      onlyComparison(above, baseline, round, draws),
    );
    for (const rule of floorRules) {
      const isFalse = same !== undefined && isCalled(same) && isBeyond(same.ratio, rule);
      counts.falseVerdicts[rule] += Number(isFalse) / rounds;
      const isFound = slower?.verdict === "slower" && isBeyond(slower.ratio, rule);
      counts.found[rule] += Number(isFound) / rounds;
    }
  }
  return counts;
}

function noneYet(): Record<FloorRule, number> {
  return { none: 0, point: 0, near: 0, far: 0, three: 0, five: 0, nine: 0 };
}

function logRatio(replica: Series, baseline: Series, plan: Pick<Plan, "seed" | "target">) {
  const { ratio } = ratioOfSeries(replica, baseline, plan, 1);
  return ratio.kind === "ratio" ? [Math.log(ratio.ratio)] : [];
}

/** Returns the floor of each rule, on the log scale, from the ratios of the replicas to their original. */
function floorsOf(pair: Ratio, logs: readonly number[]): Record<FloorRule, number> {
  const { ratio = 1, low = 1, high = 1 } = pair.kind === "ratio" ? pair : {};
  const bounds = [low, high].map((bound) => Math.abs(Math.log(bound)));
  return {
    none: 0,
    point: Math.abs(Math.log(ratio)),
    near: low > 1 || high < 1 ? Math.min(...bounds) : 0,
    far: Math.max(...bounds),
    three: spreadFloor(logs.slice(0, 3)),
    five: spreadFloor(logs.slice(0, 5)),
    nine: spreadFloor(logs),
  };
}

/** Returns the difference that two deployments of the same code exceed in 5 of 100 cases, by the replicas' spread. */
function spreadFloor(replicas: readonly number[]): number {
  // No floor if the replicas have too few environments, because their spread is unknown.
  if (replicas.length === 0) return 0;
  const logs = [0, ...replicas];
  const middle = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0);
  const deviation = Math.sqrt(squares / (logs.length - 1));
  return studentTQuantile(0.025, logs.length - 1) * Math.SQRT2 * deviation;
}

/** Three pairs and ten deployments per run. */
const fewerRounds = 0.025;

/** The shift that each preset should detect. */
const shiftOf = { quick: largeShift, standard: shift } as const;

/** Rules for the A/A floor. */
export const floorTables: readonly StudyTable[] = [
  studyTable(
    "floors",
    ["population", "measured"],
    [
      ...floorRules.map((rule) => `A/A called: ${rule}`),
      ...floorRules.map((rule) => `found: ${rule}`),
    ],
    floorRows,
  ),
];

function* floorRows(options: StudyOptions): Generator<string> {
  for (const population of deployedPopulations) {
    for (const size of presets) {
      yield floorText(population, size, options);
    }
  }
}

function floorText(
  population: (typeof deployedPopulations)[number],
  size: (typeof presets)[number],
  options: StudyOptions,
): string {
  const design = designOf(size, "warm");
  const row = floorRow(population, design, shiftOf[size], withShare(options, fewerRounds));
  const shares = [
    ...floorRules.map((rule) => row.falseVerdicts[rule]),
    ...floorRules.map((rule) => row.found[rule]),
  ];
  return line([population.id, designText(design), ...shares.map(percent)]);
}
