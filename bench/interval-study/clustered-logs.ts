import { type Measure, measureOfSeries } from "../../lib/analysis/series-view.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { median, quantileBySelection } from "../../lib/statistics/order-statistics.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { meanOfCalls, meanOfEnvironments } from "./means.ts";
import type { Population } from "./populations.ts";

/** A log whose truth is known: its environments, and the number of invocations in each. */
export interface LogDesign {
  readonly label: string;
  readonly environments: number;
  /** @param environmentLog Slowness of the environment, on the log scale. */
  calls(index: number, environmentLog: number, random: SeededRandom): number;
  /** Invocations of every slower-than-usual environment, if the number depends on speed. */
  readonly callsOfSlow?: number;
}

/** Shares of 95% intervals that contain the true value, 0 to 1. */
interface LogRow {
  /** The mean over calls, as stated for an import. */
  readonly byStream: number;
  /** The same with each call treated as an environment: an import without streams. */
  readonly byCall: number;
  /** The median over environments' medians, as also stated for an import. */
  readonly medianByStream: number;
  /** The median over calls, with environments drawn with replacement. */
  readonly pooled: number;
}

interface LogOptions {
  readonly rounds: number;
  /** Fewer rounds, because the pooled median and calls treated as environments take long. */
  readonly longRounds: number;
  readonly draws: number;
  readonly seed: number;
}

/** Number of additional environments, simulated to find the true medians. */
const environmentsOfTruth = 40_000;
const usualMs = 100;

/** Studies the warm calls of one kind of log. Deterministic for the seed. */
export function logRow(
  population: Population,
  design: LogDesign,
  { rounds, longRounds, draws, seed }: LogOptions,
): LogRow {
  const random = new SeededRandom(seed);
  const truth = truthOf(population, design, random);
  const counts = { byStream: 0, byCall: 0, medianByStream: 0, pooled: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const streams = warmCalls(population, design, random);
    const measured = measureOfSeries(streams);
    counts.byStream += holds(intervalOf(measured), truth.mean);
    counts.medianByStream += holds(intervalOf(measured.medianInterval), truth.medianOfEnvironments);
    if (round >= longRounds) continue;
    counts.byCall += holds(intervalOf(measureOfSeries(withoutStreams(streams))), truth.mean);
    counts.pooled += holds(pooledInterval(streams, draws, random), truth.medianOfCalls);
  }
  return {
    byStream: counts.byStream / rounds,
    byCall: counts.byCall / Math.min(rounds, longRounds),
    medianByStream: counts.medianByStream / rounds,
    pooled: counts.pooled / Math.min(rounds, longRounds),
  };
}

type Interval = readonly [low: number, high: number];

function holds([low, high]: Interval, truth: number): number {
  return Number(low <= truth && truth <= high);
}

function intervalOf({ low, high }: Pick<Measure, "low" | "high"> = {}): Interval {
  if (low === undefined || high === undefined) throw new RangeError("no interval");
  return [low, high];
}

/** Returns the true mean over calls and the two true medians, over all logs of the design. */
function truthOf(population: Population, design: LogDesign, random: SeededRandom) {
  const medians: number[] = [];
  const all: number[] = [];
  for (let count = 0; count < environmentsOfTruth; count += design.environments) {
    for (const { values } of warmCalls(population, design, random).units) {
      medians.push(median(values));
      for (const value of values) all.push(value);
    }
  }
  // Selection, because sorting all of them would take longer than a hundred rounds.
  const medianOf = (values: readonly number[]) =>
    quantileBySelection(Float64Array.from(values), 0.5);
  return {
    mean: usualMs * trueMean(population, design, random),
    medianOfEnvironments: medianOf(medians),
    medianOfCalls: medianOf(all),
  };
}

/**
 * Returns the mean factor of calls. If their variance is infinite, a mean of simulated calls would be unreliable. So
 * only the additional calls of faster-than-usual environments are simulated, and those cannot be long.
 */
function trueMean(population: Population, design: LogDesign, random: SeededRandom): number {
  const ofEnvironments = meanOfEnvironments(population);
  if (ofEnvironments === undefined) throw new RangeError(`no true mean: ${population.id}`);
  const { callsOfSlow } = design;
  if (callsOfSlow === undefined) return ofEnvironments * meanOfCalls(population);
  const additional = { calls: 0, time: 0 };
  for (let count = 0; count < environmentsOfTruth; count += 1) {
    const level = population.environmentLog(random);
    const calls = design.calls(count, level, random) - callsOfSlow;
    additional.calls += calls / environmentsOfTruth;
    additional.time += (calls * Math.exp(level)) / environmentsOfTruth;
  }
  const time = callsOfSlow * ofEnvironments + additional.time;
  return (time / (callsOfSlow + additional.calls)) * meanOfCalls(population);
}

/** Simulates the warm calls of a log, ms, grouped by stream as in an import. */
export function warmCalls(
  { environmentLog, callLog }: Population,
  { environments, calls }: LogDesign,
  random: SeededRandom,
): Series {
  const units = Array.from({ length: environments }, (_, block) => {
    const level = environmentLog(random);
    const count = calls(block, level, random);
    const values = Array.from({ length: count }, () => usualMs * Math.exp(level + callLog(random)));
    return { block, values };
  });
  return { units, isUnplanned: true };
}

/** Returns the same calls as a log without streams. */
function withoutStreams({ units }: Series): Series {
  const values = units.flatMap((unit) => unit.values);
  return { units: values.map((value, block) => ({ block, values: [value] })), isUnplanned: true };
}

/** Returns a bootstrap interval of the median over all calls: environments are drawn with replacement. */
function pooledInterval({ units }: Series, draws: number, random: SeededRandom): Interval {
  const drawn = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw += 1) {
    const values = Array.from(units, () => units[random.below(units.length)]?.values ?? []);
    drawn[draw] = median(values.flat());
  }
  return [quantileBySelection(drawn, 0.025), quantileBySelection(drawn, 0.975)];
}

/** Few and many environments; equal and very unequal numbers of calls; more calls to the fast ones. */
export const logDesigns: readonly LogDesign[] = [
  { label: "8 streams, 10 calls each", environments: 8, calls: () => 10 },
  { label: "20 streams, 10 calls each", environments: 20, calls: () => 10 },
  { label: "60 streams, 10 calls each", environments: 60, calls: () => 10 },
  {
    label: "20 streams, one with 500 calls, the others with 1",
    environments: 20,
    calls: (index) => (index === 0 ? 500 : 1),
  },
  {
    label: "20 streams, 1 to 100 calls, as many of one number as of another on the log scale",
    environments: 20,
    calls: (_, __, random) => Math.round(100 ** (random.nextUint32() / 2 ** 32)),
  },
  {
    label: "20 streams, 20 calls where they are faster than usual, else 2",
    environments: 20,
    calls: (_, level) => (level < 0 ? 20 : 2),
    callsOfSlow: 2,
  },
];
