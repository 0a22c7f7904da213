import type { LimitVerdict } from "./limits.ts";
import type { Recommendation, SizeCost } from "./recommendation.ts";

type PricedSize = SizeCost & { readonly usdPerMillion: number };

/** The cheapest size of a variant that is within every limit. */
interface LimitChoice {
  readonly variant: string;
  /** The chosen size; absent if none is known to be within the limits. */
  readonly chosen?: PricedSize;
  /** Sizes that may or may not be within the limits: those cheaper than the chosen one, or any if none is chosen. */
  readonly open: readonly PricedSize[];
}

/** limitChoices returns the choice of each variant, by mean cost. */
export function limitChoices(
  limits: readonly LimitVerdict[],
  { variants }: Pick<Recommendation, "variants">,
): readonly LimitChoice[] {
  const verdictsOf = ({ cell }: SizeCost) =>
    limits.filter((each) => each.cell.id === cell.id).map(({ verdict }) => verdict);
  const isWithin = (size: SizeCost) => verdictsOf(size).every((verdict) => verdict === "met");
  const isOut = (size: SizeCost) => verdictsOf(size).includes("missed");
  return variants.map(({ variant, sizes }) => {
    const priced = sizes
      .filter((size): size is PricedSize => size.usdPerMillion !== undefined)
      .toSorted((a, b) => a.usdPerMillion - b.usdPerMillion);
    const chosen = priced.find(isWithin);
    const cheaper = chosen === undefined ? priced : priced.slice(0, priced.indexOf(chosen));
    const open = cheaper.filter((size) => !isOut(size));
    return { variant, ...(chosen !== undefined && { chosen }), open };
  });
}
