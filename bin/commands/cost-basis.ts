import { InvalidInput } from "../../lib/contract/errors.ts";
import { shareOf } from "../../lib/contract/share.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { defaultTraffic, type Traffic } from "../../lib/report/traffic.ts";
import { readPrices } from "./read-prices.ts";

/** The words of a command line that say what a report's costs are stated for. */
export interface CostWords {
  readonly prices?: string;
  readonly coldShare?: string;
  readonly invocations?: string;
}

/** What a report's costs are stated for. */
export interface CostBasis {
  readonly prices: PriceTable;
  readonly traffic: Traffic;
}

/** Throws InvalidInput naming the option, what was found, what is allowed. */
export function costBasis(words: CostWords): CostBasis {
  return { prices: readPrices(words.prices), traffic: trafficOf(words) };
}

function trafficOf({ coldShare, invocations }: CostWords): Traffic {
  const share =
    coldShare === undefined ? defaultTraffic.coldShare : shareOf("cold-share", coldShare);
  const perMonth = Number(invocations ?? defaultTraffic.invocationsPerMonth);
  if (/^\d+$/.test(invocations ?? "1") && perMonth >= 1 && Number.isSafeInteger(perMonth)) {
    return { coldShare: share, invocationsPerMonth: perMonth };
  }
  throw new InvalidInput("invocations", invocations, "a whole number a month, 1 and more");
}
