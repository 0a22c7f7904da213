import type { Plan } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import { concurrencyCarried, newAccountConcurrency } from "../../lib/plan/driver-size.ts";
import { inLanes } from "../../lib/plan/expand.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "../progress.ts";
import { readPrices } from "../run/cost-basis.ts";
import { type EstimatedPlan, newAccountText, planText, sumText } from "../run/plan-text.ts";
import {
  choicesOf,
  makeEstimate,
  type PlanOptions,
  plannedExperiment,
  priced,
} from "../run/planned-run.ts";

/** `kelvin plan`: shows what a run on AWS would invoke, take and cost, without an account; returns the exit code. */
export async function plan(words: PlanOptions): Promise<number> {
  const prices = readPrices(words.prices);
  const choices = await choicesOf(words);
  const { experiments, leftOut } = choices;
  const plans = experiments.map((choice) => plannedExperiment(choice, choices, words));
  const estimated = plans.map((each) => priced(each, words, prices));
  const [only, ...others] = estimated as [EstimatedPlan, ...EstimatedPlan[]];
  if (others.length === 0) {
    const text = [planText(only), ...inNewAccount(plans, words, prices)].join("\n");
    print(words.json === true ? JSON.stringify(only) : text);
    return exitCodes.complete;
  }
  const { estimate } = makeEstimate(plans, words, prices);
  const least = makeEstimate(plans.map(smallestPlan), words, prices).estimate;
  const sum = [sumText(plans, { least, most: estimate }), ...inNewAccount(plans, words, prices)];
  const text = [...estimated.map(planText), sum.join("\n"), ...leftOut];
  const json = { plans: estimated, estimate, leftOut };
  print(words.json === true ? JSON.stringify(json) : text.join("\n\n"));
  return exitCodes.complete;
}

/** The same run with a new account's lanes, if those are fewer. */
function inNewAccount(
  plans: readonly Plan[],
  words: PlanOptions,
  prices: PriceTable,
): readonly string[] {
  const lanes = concurrencyCarried(newAccountConcurrency);
  if (plans.every((planned) => planned.lanes <= lanes)) return [];
  const narrowed = plans.map((planned) => inLanes(planned, lanes));
  const most = makeEstimate(narrowed, words, prices).estimate;
  const least = makeEstimate(narrowed.map(smallestPlan), words, prices).estimate;
  return [newAccountText({ least, most }, lanes)];
}

function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}
