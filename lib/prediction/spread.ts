import { groupBy } from "../contract/group-by.ts";
import type { Claim, ClaimKind } from "./claims.ts";
import { meanOverSources } from "./fit.ts";
import type { Work } from "./function-kind.ts";

/** Spread of the predictions of a kind: standard deviation of the logarithms of their ratios to the published figures. */
export interface Spread {
  of(kind: ClaimKind): number;
}

/** Weight, in sources, of the spread over all kinds. It dominates for a kind with few sources of its own. */
const sharedSources = 1;

/**
 * Returns the spreads of held-out claims. Work that only one source measured was predicted without a constant of its
 * own, so its errors do not count for other kinds.
 */
export function measureSpread(heldOut: readonly Claim[]): Spread {
  const scored = heldOut.filter(({ isApart }) => !isApart);
  const byKind = new Map(
    [...groupBy(scored, ({ kind }) => kindKey(kind))].map(([key, own]) => [key, spreadOfKind(own)]),
  );
  const sourcesOf = groupBy(scored, ({ kind }) => kind.work);
  const isAlone = (work: Work) =>
    new Set(sourcesOf.get(work)?.map(({ source }) => source)).size === 1;
  const all = [...byKind.values()].flatMap(({ work, sources, variance }) =>
    isAlone(work) ? [] : Array(sources).fill(variance),
  );
  const shared = all.reduce((sum, variance) => sum + variance, 0) / Math.max(1, all.length);
  return {
    of: (kind) => {
      const { sources, variance } = byKind.get(kindKey(kind)) ?? { sources: 0, variance: 0 };
      return Math.sqrt((sources * variance + sharedSources * shared) / (sources + sharedSources));
    },
  };
}

function kindKey({ quantity, form, work }: ClaimKind): string {
  return `${quantity}.${form}.${work}`;
}

interface OwnSpread {
  readonly work: Work;
  readonly sources: number;
  readonly variance: number;
}

/** Returns the spread of claims of one kind. */
function spreadOfKind(claims: readonly Claim[]): OwnSpread {
  const [{ kind }] = claims as readonly [Claim];
  const squared = ({ observed, predicted }: Claim) => Math.log(predicted / observed) ** 2;
  return {
    work: kind.work,
    sources: new Set(claims.map(({ source }) => source)).size,
    variance: meanOverSources(claims, ({ source }) => source, squared) ?? 0,
  };
}

/** A range that contains Lambda's value with a probability of 90%. */
export interface LambdaRange {
  readonly low: number;
  readonly high: number;
  /** The best single estimate. */
  readonly expected: number;
}

/** Distance from the mean, in standard deviations, within which 90% of a normal distribution lies. */
const deviationsOf90Percent = 1.645;

/** Returns the 90% range of a prediction, from the spreads of the model and of the run, both of logarithms. */
export function rangeAround(expected: number, modelSpread: number, runSpread: number): LambdaRange {
  const half = Math.exp(deviationsOf90Percent * Math.hypot(modelSpread, runSpread));
  return { low: expected / half, high: expected * half, expected };
}
