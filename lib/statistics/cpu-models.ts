import { groupBy } from "../contract/group-by.ts";
import {
  type FigureOfMeans,
  figureAtMeans,
  inOtherBlocks,
  typicalInterval,
} from "./mean-interval.ts";
import { insufficient, mean } from "./order-statistics.ts";
import type { Ratio } from "./ratio.ts";
import {
  environmentMeans,
  inSharedBlocks,
  type Pairing,
  type Series,
  type Unit,
} from "./series.ts";

// Lambda chooses the CPU model, and hosts of one model come in runs, so that two functions rarely get the same mix.
// Their difference may then be the CPU's: compare environments of the same model.

/** Two series whose environments ran on several CPU models. */
interface ModelledSides {
  readonly above: Series;
  readonly below: Series;
}

interface ModelOptions {
  readonly seed: number;
  readonly draws?: number | undefined;
  readonly pairing: Pairing;
}

/**
 * Returns the sides as compared if their environments had more than one CPU model: only the blocks that both have,
 * unless the pairing is independent. Undefined if all had the same model, or if none is known.
 */
export function onSeveralModels(
  above: Series,
  below: Series,
  pairing: Pairing,
): ModelledSides | undefined {
  const isKnown = ({ cpuModel }: Unit) => cpuModel !== undefined;
  if (![above, below].some(({ units }) => units.some(isKnown))) return undefined;
  const withoutEmpty = ({ units }: Series) => units.filter(({ values }) => values.length > 0);
  const [own, other] = [withoutEmpty(above), withoutEmpty(below)];
  const [units, otherUnits] = pairing === "independent" ? [own, other] : inSharedBlocks(own, other);
  if (modelsOf([...units, ...otherUnits]).length < 2) return undefined;
  return { above: { ...above, units }, below: { ...below, units: otherUnits } };
}

/** Returns the CPU models in a fixed order; an unknown model counts as one more. */
function modelsOf(units: readonly Unit[]): readonly (string | undefined)[] {
  return [...new Set(units.map(({ cpuModel }) => cpuModel))].sort();
}

/** Returns the models that both sides have. */
export function sharedModels({ above, below }: ModelledSides): readonly (string | undefined)[] {
  const others = new Set(modelsOf(below.units));
  return modelsOf(above.units).filter((model) => others.has(model));
}

const neededEnvironments = 6;

/**
 * Returns the ratio of means within CPU models: the mean of the logarithms of each model's ratio of means, weighted
 * by precision, which grows as n m / (n + m) for n and m environments (as Mantel and Haenszel weight strata, Journal
 * of the National Cancer Institute 22, 1959). A model that only one side has gets no weight. The interval is computed
 * as in ratioOfMeans, from the same subsets of the blocks.
 */
export function ratioWithinModels(
  sides: ModelledSides,
  { seed, draws, pairing }: ModelOptions,
): Ratio {
  const strata = sharedModels(sides).map((model) => stratumOf(sides, model));
  const count = (of: "above" | "below") =>
    strata.reduce((sum, stratum) => sum + stratum[of].units.length, 0);
  const [numeratorN, denominatorN] = [count("above"), count("below")];
  const fewest = Math.min(numeratorN, denominatorN);
  if (fewest < neededEnvironments) return insufficient(neededEnvironments, fewest);
  const figure = logRatioOf(strata, pairing);
  if (!Number.isFinite(figureAtMeans(figure))) return { kind: "not-positive", found: 0 };
  const { value, low, high, drawn } = typicalInterval(figure, { seed, ...(draws && { draws }) });
  return {
    kind: "ratio",
    ratio: Math.exp(value),
    low: Math.exp(low),
    high: Math.exp(high),
    confidence: 0.95,
    draws: drawn,
    numeratorN,
    denominatorN,
    pairedBlocks: pairing === "independent" ? 0 : new Set(sides.above.units.map(blockOf)).size,
  };
}

const blockOf = ({ block }: Unit) => block;

function stratumOf({ above, below }: ModelledSides, model: string | undefined): ModelledSides {
  const isOf = ({ cpuModel }: Unit) => cpuModel === model;
  return {
    above: { ...above, units: above.units.filter(isOf) },
    below: { ...below, units: below.units.filter(isOf) },
  };
}

/** Returns the weighted mean of the strata's log ratios, over the strata where both sides have an environment. */
function logRatioOf(strata: readonly ModelledSides[], pairing: Pairing): FigureOfMeans {
  const weights = strata.map(({ above, below }) => {
    const [n, m] = [above.units.length, below.units.length];
    return (n * m) / (n + m);
  });
  const above = strata.map((stratum) => stratum.above);
  const below = strata.map((stratum) => stratum.below);
  const separated = inOtherBlocks({ series: below, compute: () => 0 }).series;
  return {
    series: [...above, ...(pairing === "independent" ? separated : below)],
    mayLackMeans: true,
    compute: (means) => {
      let [sum, weight] = [0, 0];
      for (let index = 0; index < weights.length; index++) {
        const log = Math.log((means[index] as number) / (means[index + weights.length] as number));
        if (Number.isNaN(log)) continue;
        sum += (weights[index] as number) * log;
        weight += weights[index] as number;
      }
      return sum / weight;
    },
  };
}

/** Number of alternating estimates of side and model effects. Each model is on both sides, so a few suffice. */
const rounds = 50;

/**
 * Returns the environments as if all had run on one CPU model: each value is divided by its model's factor, from a
 * least-squares fit of the environments' logarithms on sides and models. Environments whose model only one side has
 * are left out.
 */
export function withoutModelEffects(sides: ModelledSides): ModelledSides {
  const models = new Set(sharedModels(sides));
  const kept = ({ units, ...series }: Series) => ({
    ...series,
    units: units.filter(({ cpuModel }) => models.has(cpuModel)),
  });
  const known = { above: kept(sides.above), below: kept(sides.below) };
  const factors = modelFactors(known);
  const adjusted = ({ units, ...series }: Series): Series => ({
    ...series,
    units: units.map((unit) => ({
      ...unit,
      values: unit.values.map((value) => value / (factors.get(unit.cpuModel) ?? 1)),
    })),
  });
  return { above: adjusted(known.above), below: adjusted(known.below) };
}

function modelFactors(sides: ModelledSides): ReadonlyMap<string | undefined, number> {
  const points = ([sides.above, sides.below] as const).flatMap((series, side) =>
    environmentMeans(series).map(({ value, cpuModel }) => ({
      side,
      cpuModel,
      log: Math.log(value),
    })),
  );
  let ofSide = new Map<number, number>();
  let ofModel = new Map<string | undefined, number>();
  for (let round = 0; round < rounds; round++) {
    ofSide = meansBy(points, ({ side, cpuModel, log }) => [
      side,
      log - (ofModel.get(cpuModel) ?? 0),
    ]);
    ofModel = meansBy(points, ({ side, cpuModel, log }) => [
      cpuModel,
      log - (ofSide.get(side) ?? 0),
    ]);
  }
  return new Map([...ofModel].map(([model, log]) => [model, Math.exp(log)]));
}

function meansBy<Point, Key>(
  points: readonly Point[],
  of: (point: Point) => readonly [Key, number],
): Map<Key, number> {
  const values = groupBy(points.map(of), ([key]) => key);
  return new Map(
    [...values].map(([key, those]) => [key, mean(those.map(([, value]) => value)) ?? 0]),
  );
}
