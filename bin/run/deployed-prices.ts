import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PricingClient } from "@aws-sdk/client-pricing";
import { fetchPrices } from "../../lib/aws/price-list.ts";
import { describeError } from "../../lib/contract/errors.ts";
import { isWhollyPriced, type PriceTable, publishedPrices } from "../../lib/cost/prices.ts";
import { readPrices } from "./cost-basis.ts";

interface DeployedPrices {
  readonly table: PriceTable;
  /** The table's file, for the context key `prices`. Absent: the table is Kelvin's own. */
  readonly path?: string;
}

interface PriceSources {
  readonly region: string;
  /** A folder for the price file, which the caller removes after the deploy. */
  readonly folder: string;
  readonly say: (line: string) => void;
  readonly client: PricingClient;
}

/**
 * Returns the prices to deploy a state machine with: those of the given file, Kelvin's own if they cover the region,
 * otherwise those of the Price List API. If the API gives none, a message says why and Kelvin's own are returned.
 */
export async function pricesToDeploy(
  given: string | undefined,
  { region, folder, say, client }: PriceSources,
): Promise<DeployedPrices> {
  if (given !== undefined) return { table: readPrices(given), path: resolve(given) };
  if (isWhollyPriced(region)) return { table: publishedPrices };
  try {
    const today = new Date().toISOString().slice(0, 10);
    const { table } = await fetchPrices(client, region, today);
    const path = join(folder, "prices.json");
    writeFileSync(path, JSON.stringify(table));
    say(`prices of ${region}: from the Price List API`);
    return { table, path };
  } catch (error) {
    const { message } = describeError(error);
    say(
      `prices of ${region} are not all known, and the Price List API gave none (${message}): runs ` +
        "refuse maxCostUsd; pricing:GetProducts allows the question",
    );
    return { table: publishedPrices };
  }
}
