import type { Cell } from "../../contract/types/contract.ts";
import { median } from "../../statistics/quantile.ts";
import type { Ratio } from "../../statistics/ratio.ts";
import { mediansOf, type Series } from "../../statistics/series.ts";
import { type Compared, ratioOfSeries, withVerdict } from "./compared.ts";

/** One size and what it is judged by: less is better. */
export interface Candidate {
  readonly cell: Cell;
  readonly series: Series;
}

/** The best size's measure over another one's: below 1 it is less. */
export interface AgainstOther extends Compared {
  readonly cell: Cell;
}

/**
 * Which size is best. Decided only where its verdict against every other one is `faster`, which of
 * a cost is cheaper: the others are named where it is not, the one of the least median first.
 */
export type Best =
  | {
      readonly kind: "decided";
      readonly cell: Cell;
      readonly against: readonly AgainstOther[];
    }
  | {
      readonly kind: "undecided";
      readonly among: readonly Cell[];
      /** Of the first of them. */
      readonly against: readonly AgainstOther[];
    }
  /** Fewer than two sizes were measured: there is nothing to choose. */
  | { readonly kind: "no-choice" };

export function bestOf(
  candidates: readonly Candidate[],
  seed: number,
  noiseFloorAt: (sizes: readonly Cell[]) => Ratio | undefined,
): Best {
  const measured = candidates.filter(({ series }) => mediansOf(series).length > 0);
  const middle = ({ series }: Candidate) => median(mediansOf(series));
  const [first, ...others] = measured.toSorted((a, b) => middle(a) - middle(b));
  if (first === undefined || others.length === 0) return { kind: "no-choice" };
  const against = others.map((other): AgainstOther => {
    const pair = ratioOfSeries(first.series, other.series, seed);
    return { cell: other.cell, ...withVerdict(pair, noiseFloorAt([first.cell, other.cell])) };
  });
  const rivals = against.filter(({ verdict }) => verdict !== "faster");
  return rivals.length === 0
    ? { kind: "decided", cell: first.cell, against }
    : { kind: "undecided", among: [first, ...rivals].map(({ cell }) => cell), against };
}
