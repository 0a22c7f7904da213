import { SeededRandom } from "../../../lib/contract/seeded-order.ts";
import { ratioOfMeans } from "../../../lib/statistics/mean-interval.ts";
import type { Series, Unit } from "../../../lib/statistics/series.ts";
import { judge, type VerdictKind } from "../../../lib/statistics/verdict.ts";
import { only } from "../figures-of-means.ts";

interface ReplicaCheckOptions {
  readonly seed: number;
  /** Number of relabellings. @default 1000 */
  readonly rounds?: number;
  /** Subsets of blocks per relabelling. @default 2000 */
  readonly draws?: number;
  /** Same as in judge. @default 0.05 */
  readonly margin?: number;
}

interface ReplicaCheck {
  readonly rounds: number;
  /** Count of each verdict; `faster` and `slower` are false ones. */
  readonly verdicts: Readonly<Record<VerdictKind, number>>;
  /** Share of rounds with a false verdict, 0 to 1. */
  readonly falseShare: number;
  /** Share of rounds whose interval excludes 1: the interval's own error rate, whatever the margin. */
  readonly excludesOneShare: number;
}

/**
 * Estimates from the given data how often two truly equal series get a false verdict: each round assigns the two
 * labels at random and judges again. In a block that both sides have, the two are swapped or not; the rest is
 * shuffled together. Under the null hypothesis every labelling is as likely as the measured one (Fisher's
 * randomisation), so that this holds for any distribution, and for a real A/A pair too. Deterministic for samples and
 * seed.
 */
export function checkReplicas(a: Series, b: Series, options: ReplicaCheckOptions): ReplicaCheck {
  const { rounds = 1000, draws = 2000 } = options;
  const random = new SeededRandom(options.seed);
  const verdicts = { faster: 0, slower: 0, equivalent: 0, undecided: 0 };
  let excludesOne = 0;
  for (let round = 0; round < rounds; round++) {
    const dealt = relabelled(a, b, random);
    const ratio = ratioOfMeans(only(dealt.a), only(dealt.b), { seed: random.nextUint32(), draws });
    const margin = options.margin === undefined ? {} : { margin: options.margin };
    verdicts[judge(ratio, margin).kind]++;
    if (ratio.kind === "ratio" && (ratio.low > 1 || ratio.high < 1)) excludesOne++;
  }
  return {
    rounds,
    verdicts,
    falseShare: (verdicts.faster + verdicts.slower) / rounds,
    excludesOneShare: excludesOne / rounds,
  };
}

/** Returns the environments under new labels; each side keeps its number of environments. */
export function relabelled(
  a: Series,
  b: Series,
  random: SeededRandom,
): { readonly a: Series; readonly b: Series } {
  const newA: Unit[] = [];
  const newB: Unit[] = [];
  const restA: Unit[] = [];
  const restB: Unit[] = [];
  for (const block of new Set([...a.units, ...b.units].map((unit) => unit.block))) {
    const unitsA = a.units.filter((unit) => unit.block === block);
    const unitsB = b.units.filter((unit) => unit.block === block);
    const isBalanced = unitsA.length === unitsB.length;
    const swap = isBalanced && random.below(2) === 1;
    (isBalanced ? newA : restA).push(...(swap ? unitsB : unitsA));
    (isBalanced ? newB : restB).push(...(swap ? unitsA : unitsB));
  }
  const dealt = random.shuffled([...restA, ...restB]);
  return {
    a: { units: [...newA, ...dealt.slice(0, restA.length)] },
    b: { units: [...newB, ...dealt.slice(restA.length)] },
  };
}
