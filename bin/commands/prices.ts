import { basename, dirname, resolve } from "node:path";
import type { PricingClient } from "@aws-sdk/client-pricing";
import { accountAccess } from "../../lib/aws/account-access.ts";
import { fetchPrices, pricingClient } from "../../lib/aws/price-list.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { replaceFile } from "../../lib/files/replace-file.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress, printable } from "../progress.ts";

interface PricesOptions {
  /** @default the region that the CDK would deploy to */
  readonly region?: string;
  readonly out: string;
  readonly profile?: string;
}

/**
 * `kelvin prices`: writes a region's current prices as a price file; returns the exit code. Throws InvalidInput
 * if the Price List API has none for the region.
 * @param client a fake in tests
 */
export async function prices(options: PricesOptions, client?: PricingClient): Promise<number> {
  const access = await accountAccess(options);
  const { region } = access;
  const today = new Date().toISOString().slice(0, 10);
  const { table, missing } = await fetchPrices(client ?? pricingClient(access), region, today);
  const problem = contractProblem("prices", table);
  if (problem !== undefined) throw problem;
  const path = resolve(options.out);
  await replaceFile(dirname(path), basename(path), `${JSON.stringify(table, null, 2)}\n`);
  const progress = new Progress();
  if (missing.length > 0) progress.say(`without a price in ${region}: ${missing.join(", ")}`);
  process.stdout.write(printable(`${options.out}\n`));
  return exitCodes.complete;
}
