import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PricingClient } from "@aws-sdk/client-pricing";
import type { AccountAccess } from "../../lib/aws/account-access.ts";
import { fetchPrices, pricingClient } from "../../lib/aws/price-list.ts";
import { describeError } from "../../lib/contract/errors.ts";
import { isWhollyPriced } from "../../lib/cost/prices.ts";

interface DeployedPrices {
  /** The CDK options for the context key that names the price file. */
  readonly context: readonly string[];
  readonly release: () => void;
}

/**
 * Returns the prices to deploy a state machine with: none if Kelvin's own table covers the region, otherwise those of
 * the Price List API. If the API gives none, a message says why and the deploy goes on without prices.
 * @param client a fake in tests
 */
export async function pricesToDeploy(
  access: AccountAccess,
  say: (line: string) => void,
  client: PricingClient = pricingClient(access),
): Promise<DeployedPrices> {
  const none = { context: [], release: () => {} };
  const { region } = access;
  if (isWhollyPriced(region)) return none;
  try {
    const today = new Date().toISOString().slice(0, 10);
    const { table } = await fetchPrices(client, region, today);
    const folder = mkdtempSync(join(tmpdir(), "kelvin-prices-"));
    const path = join(folder, "prices.json");
    writeFileSync(path, JSON.stringify(table));
    say(`prices of ${region}: from the Price List API`);
    return {
      context: ["-c", `prices=${path}`],
      release: () => rmSync(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    const { message } = describeError(error);
    say(
      `prices of ${region} are not all known, and the Price List API gave none (${message}): runs ` +
        "refuse maxCostUsd; pricing:GetProducts allows the question",
    );
    return none;
  }
}
