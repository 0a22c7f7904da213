import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { PricingClient } from "@aws-sdk/client-pricing";
import { fetchPrices } from "../../lib/aws/price-list.ts";
import { describeError } from "../../lib/contract/errors.ts";
import { isWhollyPriced, type PriceTable, publishedPrices } from "../../lib/cost/prices.ts";
import { newScratchFolder } from "../../lib/local/scratch-folder.ts";
import type { Progress } from "../progress.ts";
import { readPrices } from "./cost-basis.ts";

interface DeployedPrices {
  readonly table: PriceTable;
  /** The table's file, for the context key `prices`, removed with this process. Absent: the table is Kelvin's own. */
  readonly path?: string;
}

/**
 * Returns the prices to deploy a state machine with: those of the given file, Kelvin's own if they cover the region,
 * otherwise those of the Price List API. If the API gives none, a message says why and Kelvin's own are returned.
 */
export async function pricesToDeploy(
  given: string | undefined,
  region: string,
  progress: Pick<Progress, "say">,
  client: PricingClient,
): Promise<DeployedPrices> {
  if (given !== undefined) return { table: readPrices(given), path: resolve(given) };
  if (isWhollyPriced(region)) return { table: publishedPrices };
  try {
    const today = new Date().toISOString().slice(0, 10);
    const { table } = await fetchPrices(client, region, today);
    const folder = newScratchFolder("prices");
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "prices.json");
    writeFileSync(path, JSON.stringify(table));
    progress.say(`prices of ${region}: from the Price List API`);
    return { table, path };
  } catch (error) {
    const { message } = describeError(error);
    progress.say(
      `prices of ${region} are not all known, and the Price List API gave none (${message}): runs ` +
        "refuse maxCostUsd; pricing:GetProducts allows the question",
    );
    return { table: publishedPrices };
  }
}
