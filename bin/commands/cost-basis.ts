import { readFileSync } from "node:fs";
import { defaultTraffic, type Traffic } from "../../lib/analysis/report-subject.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { parsePrices } from "../../lib/cost/parse-prices.ts";
import { type PriceTable, publishedPrices } from "../../lib/cost/prices.ts";
import { parsePercent } from "../../lib/plan/stopping.ts";

/** The words of a command line that say what a report's costs are stated for. */
export interface CostOptions {
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
export function costBasis(words: CostOptions): CostBasis {
  return { prices: readPrices(words.prices), traffic: parseTraffic(words) };
}

function parseTraffic({ coldShare, invocations }: CostOptions): Traffic {
  const share =
    coldShare === undefined ? defaultTraffic.coldShare : parsePercent("cold-share", coldShare);
  const perMonth = Number(invocations ?? defaultTraffic.invocationsPerMonth);
  if (/^\d+$/.test(invocations ?? "1") && perMonth >= 1 && Number.isSafeInteger(perMonth)) {
    return { coldShare: share, invocationsPerMonth: perMonth };
  }
  throw new InvalidInput("invocations", invocations, "a whole number a month, 1 and more");
}

/** The price table of a file, or the dated one that Kelvin carries. Throws InvalidInput. */
export function readPrices(path: string | undefined): PriceTable {
  if (path === undefined) return publishedPrices;
  try {
    return parsePrices(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput("prices", path, `a JSON price table (${(error as Error).message})`);
  }
}
