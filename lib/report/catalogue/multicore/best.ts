import type { Cell } from "../../../contract/types/contract.ts";
import { median } from "../../../statistics/quantile.ts";
import type { Ratio } from "../../../statistics/ratio.ts";
import { mediansOf, type Series } from "../../../statistics/series.ts";
import { ratioOfSeries, withVerdict } from "../../view/compared.ts";

/** One size and what it is judged by: less is better. */
export interface Candidate {
  readonly cell: Cell;
  readonly series: Series;
}

/**
 * Which size is best. Decided only where its verdict against every other one is `faster`: the
 * others are named where it is not, the one of the least median first.
 */
export type Best =
  | { readonly kind: "decided"; readonly cell: Cell }
  | { readonly kind: "undecided"; readonly among: readonly Cell[] }
  /** Fewer than two sizes were measured: there is nothing to choose. */
  | { readonly kind: "no-choice" };

export function bestOf(
  candidates: readonly Candidate[],
  seed: number,
  noiseFloor: Ratio | undefined,
): Best {
  const measured = candidates.filter(({ series }) => mediansOf(series).length > 0);
  const middle = ({ series }: Candidate) => median(mediansOf(series));
  const [first, ...others] = measured.toSorted((a, b) => middle(a) - middle(b));
  if (first === undefined || others.length === 0) return { kind: "no-choice" };
  const rivals = others.filter((other) => {
    const pair = ratioOfSeries(first.series, other.series, seed);
    return withVerdict(pair, noiseFloor).verdict !== "faster";
  });
  if (rivals.length === 0) return { kind: "decided", cell: first.cell };
  return { kind: "undecided", among: [first, ...rivals].map(({ cell }) => cell) };
}
