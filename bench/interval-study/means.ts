import { type FigureOfMeans, intervalOfMeans } from "../../lib/statistics/mean-interval.ts";
import type { Series } from "../../lib/statistics/series.ts";
import type { Population } from "./populations.ts";
import {
  type Design,
  measureInRun,
  ratioOf,
  type StudyOptions,
  sharesOfRounds,
  shift,
} from "./simulated.ts";

/** Shares of runs in which an interval contains the true value, 0 to 1. */
interface MeansRow {
  /** The ratio of means of two runs, which share no blocks. */
  readonly ratioCovered: number;
  /** The mean of one run; absent if no formula gives it. */
  readonly meanCovered?: number;
}

/** Studies the intervals of comparisons between two runs and of single means. */
export function meansRow(
  population: Population,
  design: Design,
  { rounds, draws, seed }: StudyOptions,
): MeansRow {
  const truth = trueMean(population);
  const { ratioCovered, meanCovered } = sharesOfRounds({ rounds, seed }, (random, round) => {
    const [shifted, baseline] = [shift, 1].map((factor) =>
      measureInRun(population, design, random)(factor),
    ) as [Series, Series];
    const options = { seed: round, draws };
    const ratio = ratioOf(shifted, baseline, { ...options, pairing: "independent" });
    const figure: FigureOfMeans = { series: [baseline], compute: ([mean = 0]) => mean };
    const found = intervalOfMeans(figure, options);
    if (found.kind === "insufficient") throw new RangeError(`no interval: ${found.kind}`);
    return {
      ratioCovered: ratio.low <= shift && shift <= ratio.high,
      meanCovered: truth !== undefined && found.low <= truth && truth <= found.high,
    };
  });
  return truth === undefined ? { ratioCovered } : { ratioCovered, meanCovered };
}

/** Returns the mean of all calls relative to the usual time. Undefined for a drift, which differs between runs. */
function trueMean(population: Population): number | undefined {
  const environment = meanOfEnvironments(population);
  return environment && environment * meanOfCalls(population);
}

/** Returns the mean of a log-normal factor. */
const spread = (deviation: number) => Math.exp(deviation ** 2 / 2);
/** The mean of a Pareto factor with exponent 1.5. */
const meanOfPareto = 3;

/** Returns the mean factor of an environment; undefined for a drift. */
export function meanOfEnvironments({ id }: Population): number | undefined {
  switch (id) {
    case "log-normal":
      return spread(0.05);
    case "wide":
      return spread(0.1);
    case "bimodal":
      return spread(0.05) * (0.7 + 0.3 * 1.8);
    case "heavy-tail":
      return spread(0.05) * (0.8 + 0.2 * meanOfPareto);
    default:
      return undefined;
  }
}

/** Returns the mean factor of a call in its environment. */
export function meanOfCalls({ id }: Population): number {
  if (id === "wide") return spread(0.1);
  return spread(0.05) * (id === "heavy-tail" ? 0.95 + 0.05 * meanOfPareto : 1);
}
