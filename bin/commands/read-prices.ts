import { readFileSync } from "node:fs";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { parsePrices } from "../../lib/cost/parse-prices.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { publishedPrices } from "../../lib/cost/published-prices.ts";

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
