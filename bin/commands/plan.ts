import type { Plan } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import { concurrencyCarried, newAccountConcurrency } from "../../lib/plan/driver-size.ts";
import { inLanes } from "../../lib/plan/expand.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "../progress.ts";
import { readPrices } from "../run/cost-basis.ts";
import {
  deployText,
  type EstimatedPlan,
  newAccountText,
  planText,
  sumText,
} from "../run/plan-text.ts";
import {
  choicesOf,
  makeEstimate,
  type PlanOptions,
  plannedExperiment,
  priced,
} from "../run/planned-run.ts";

/** `kelvin plan`: shows the calls, duration and cost of a run on AWS, without an account; returns the exit code. */
export async function plan(options: PlanOptions): Promise<number> {
  const prices = readPrices(options.prices);
  const choices = await choicesOf(options);
  const { experiments, leftOut } = choices;
  const plans = experiments.map((choice) => plannedExperiment(choice, choices, options));
  const estimated = plans.map((each) => priced(each, options, prices));
  const functions = plans.reduce((sum, { cells }) => sum + cells.length, 0);
  const last = [...inNewAccount(plans, options, prices), deployText(functions)];
  const [only, ...others] = estimated as [EstimatedPlan, ...EstimatedPlan[]];
  if (others.length === 0) {
    const text = [planText(only), ...last].join("\n");
    print(options.json === true ? JSON.stringify(only) : text);
    return exitCodes.complete;
  }
  const { estimate } = makeEstimate(plans, options, prices);
  const least = makeEstimate(plans.map(smallestPlan), options, prices).estimate;
  const sum = [sumText(plans, { least, most: estimate }), ...last];
  const text = [...estimated.map(planText), sum.join("\n"), ...leftOut];
  const json = { plans: estimated, estimate, leftOut };
  print(options.json === true ? JSON.stringify(json) : text.join("\n\n"));
  return exitCodes.complete;
}

/** Describes the same run in a new account's lanes, if those are fewer. */
function inNewAccount(
  plans: readonly Plan[],
  options: PlanOptions,
  prices: PriceTable,
): readonly string[] {
  const lanes = concurrencyCarried(newAccountConcurrency);
  if (plans.every((planned) => planned.lanes <= lanes)) return [];
  const narrowed = plans.map((planned) => inLanes(planned, lanes));
  const most = makeEstimate(narrowed, options, prices).estimate;
  const least = makeEstimate(narrowed.map(smallestPlan), options, prices).estimate;
  return [newAccountText({ least, most }, lanes)];
}

function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}
