import { standingOfMean } from "../../lib/analysis/sizes-for-limits.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import { listLooks, partOfSizeChoice } from "../../lib/plan/blocks.ts";
import { type FigureOfMeans, typicalInterval } from "../../lib/statistics/mean-interval.ts";
import type { Series } from "../../lib/statistics/series.ts";
import { upperBoundOfMean } from "../../lib/statistics/skewed-bound.ts";
import { normal, uniform } from "../interval-study/populations.ts";
import { line } from "../interval-study/study-table.ts";

// Counts how often a limit that equals the true mean is wrongly called met, by the bounds that judge limits on a
// mean.

/** Times of environments, 1 without any spread. */
interface MeanShape {
  readonly label: string;
  readonly draw: (random: SeededRandom) => number;
  readonly mean: number;
}

function logNormal(deviation: number): MeanShape {
  return {
    label: `log-normal, sigma ${deviation}`,
    draw: (random) => Math.exp(deviation * normal(random)),
    mean: Math.exp(deviation ** 2 / 2),
  };
}

/** Returns a shape in which all environments differ by 5% and a share of them takes longer by a factor. */
function someSlower(
  label: string,
  share: number,
  factor: (random: SeededRandom) => number,
  meanFactor: number,
): MeanShape {
  return {
    label,
    draw: (random) =>
      Math.exp(0.05 * normal(random)) * (uniform(random) < share ? factor(random) : 1),
    mean: Math.exp(0.05 ** 2 / 2) * (1 + share * (meanFactor - 1)),
  };
}

export const meanShapes: readonly MeanShape[] = [
  { label: "normal, 10%", draw: (random) => 1 + 0.1 * normal(random), mean: 1 },
  ...[0.05, 0.1, 0.3, 0.5].map(logNormal),
  someSlower("3 of 10 environments take 1.8 times as long", 0.3, () => 1.8, 1.8),
  someSlower("1 of 10 environments takes 1.8 times as long", 0.1, () => 1.8, 1.8),
  someSlower(
    "every fifth environment longer by a Pareto factor of exponent 1.5",
    0.2,
    (random) => (1 - uniform(random)) ** (-1 / 1.5),
    3,
  ),
];

export const meanLimitHead: readonly string[] = [
  "| times of environments | met wrongly: 9 environments | 60 environments | `--memory auto` | the 95% CI alone: 9 environments | 60 environments | `--memory auto` |",
  "| --- | --: | --: | --: | --: | --: | --: |",
];

const seed = 20_261_126;
const draws = 400;
const most = 60;
const looks = listLooks(6, most, partOfSizeChoice);

/** One row per shape, from this many runs. */
export function* meanLimitRows(rounds: number): Generator<string> {
  for (const shape of meanShapes) yield meanLimitText(shape, rounds);
}

export function meanLimitText(shape: MeanShape, rounds: number): string {
  const random = new SeededRandom(seed);
  const counts = [0, 0, 0, 0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const units = Array.from({ length: most }, (_, block) => ({
      block,
      values: [shape.draw(random)],
    }));
    const intervalOf = knownIntervals(units);
    for (const [index, bound] of [upperBoundOfMean, ciAlone].entries()) {
      const isMet = metWrongly(intervalOf, bound, shape.mean);
      for (const [place, met] of isMet.entries()) {
        const at = 3 * index + place;
        counts[at] = (counts[at] ?? 0) + Number(met);
      }
    }
  }
  return line([shape.label, ...counts.map((count) => `${((100 * count) / rounds).toFixed(1)}%`)]);
}

type UpperBound = (series: Series, high: number) => number;

const ciAlone: UpperBound = (_, high) => high;

interface MeanInterval {
  readonly series: Series;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

type IntervalOf = (environments: number) => MeanInterval;

/** Returns the interval of the first `environments` environments; each is computed once. */
function knownIntervals(units: Series["units"]): IntervalOf {
  const known = new Map<number, MeanInterval>();
  return (environments) => {
    const series: Series = { units: units.slice(0, environments) };
    const figure: FigureOfMeans = { series: [series], compute: ([mean = 0]) => mean };
    const found = known.get(environments) ?? {
      series,
      ...typicalInterval(figure, { seed: 1, draws }),
    };
    known.set(environments, found);
    return found;
  };
}

/** Returns whether a limit at the true mean is called met: with 9 environments, 60, and a run that chooses sizes. */
function metWrongly(
  intervalOf: IntervalOf,
  upper: UpperBound,
  truth: number,
): readonly [few: boolean, many: boolean, choosing: boolean] {
  const boundsOf = (environments: number) => {
    const { series, value, low, high } = intervalOf(environments);
    return { environments, value, atLeast: low, atMost: upper(series, high) };
  };
  const isMet = (environments: number) => boundsOf(environments).atMost < truth;
  const end = looks.find((look) => standingOfMean(boundsOf(look), truth) !== "open") ?? most;
  return [isMet(9), isMet(most), isMet(end)];
}
