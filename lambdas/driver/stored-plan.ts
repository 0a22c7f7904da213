import { currentPlan } from "../../lib/contract/earlier-schemas.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { type PriceTable, publishedPrices } from "../../lib/cost/prices.ts";
import type { ResultStore } from "../../lib/sampler/result-store.ts";

/** Reads the plan that the first state stored. */
export async function storedPlan(store: ResultStore): Promise<Plan> {
  const text = await store.readText("plan.json");
  if (text === undefined)
    throw new Error("plan.json is missing: the state Plan should have written it");
  return validated("plan", currentPlan(JSON.parse(text)));
}

export function pricesOf({ prices = publishedPrices }: Plan): PriceTable {
  return prices;
}
