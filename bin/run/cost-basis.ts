import { readFileSync } from "node:fs";
import type { Traffic } from "../../lib/analysis/report-subject.ts";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { validated } from "../../lib/contract/validate.ts";
import { type PriceTable, publishedPrices } from "../../lib/cost/prices.ts";

/** The command line's options for a report's costs, as commander passes them. */
export interface CostOptions {
  readonly prices?: string;
  readonly coldShare?: number;
  readonly invocations?: number;
}

/** The prices, and what the command line says of the traffic, that a report states costs for. */
export interface CostBasis {
  readonly prices: PriceTable;
  /** Whether the command line names the prices, which then replace a run's own. */
  readonly arePricesGiven: boolean;
  readonly traffic: Partial<Traffic>;
}

/** Throws InvalidInput if the file holds no price table. */
export function costBasis({ prices, coldShare, invocations }: CostOptions): CostBasis {
  return {
    prices: readPrices(prices),
    arePricesGiven: prices !== undefined,
    traffic: defined({ coldShare, invocationsPerMonth: invocations }),
  };
}

/** Returns the price table in a file, or the dated one that Kelvin ships. Throws InvalidInput. */
export function readPrices(path: string | undefined): PriceTable {
  if (path === undefined) return publishedPrices;
  try {
    return validated("prices", JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput("prices", path, `a JSON price table (${(error as Error).message})`);
  }
}
