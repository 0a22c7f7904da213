import { InvalidInput } from "../../lib/contract/errors.ts";
import { leastOf } from "../../lib/contract/first-blocks.ts";
import { lanesCarried, newAccountConcurrency } from "../../lib/contract/lanes.ts";
import type { Estimate, Plan } from "../../lib/contract/types/contract.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { describeAbsence, describeNotPriced, type PriceTable } from "../../lib/cost/prices.ts";
import { expand, inLanes } from "../../lib/experiment/expand.ts";
import type { Architecture } from "../../lib/experiment/experiment.ts";
import { matrix } from "../../lib/experiment/matrix.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "../printable.ts";
import { type EstimatedPlan, newAccountText, planText, sumText } from "./plan-text.ts";
import { readPrices } from "./read-prices.ts";
import { type ExperimentChoice, type RunWords, runChoices } from "./run-choice.ts";
import { listed } from "./typed-words.ts";

export interface PlanWords extends RunWords {
  readonly architectures: string;
  readonly region: string;
  readonly lanes: string;
  readonly prices?: string;
  readonly json?: true;
}

/** `kelvin plan`: what a run on AWS would invoke, take and cost, with no account; returns the exit code. */
export async function plan(words: PlanWords): Promise<number> {
  const prices = readPrices(words.prices);
  const { experiments, leftOut } = runChoices(words, 0);
  const plans = experiments.map((choice) => plannedExperiment(choice, words));
  const estimated = plans.map((each) => estimatedPlan(each, words, prices));
  const [only, ...others] = estimated as [EstimatedPlan, ...EstimatedPlan[]];
  if (others.length === 0) {
    const text = [planText(only), ...inNewAccount(plans, words, prices)].join("\n");
    print(words.json === true ? JSON.stringify(only) : text);
    return exitCodes.complete;
  }
  const { estimate } = estimateOf(plans, words, prices);
  const least = estimateOf(plans.map(leastOf), words, prices).estimate;
  const sum = [sumText(plans, { least, most: estimate }), ...inNewAccount(plans, words, prices)];
  const text = [...estimated.map(planText), sum.join("\n"), ...leftOut];
  const json = { plans: estimated, estimate, leftOut };
  print(words.json === true ? JSON.stringify(json) : text.join("\n\n"));
  return exitCodes.complete;
}

/** The same run in the lanes of a new account, where they are fewer. */
function inNewAccount(
  plans: readonly Plan[],
  words: PlanWords,
  prices: PriceTable,
): readonly string[] {
  const lanes = lanesCarried(newAccountConcurrency);
  if (plans.every((planned) => planned.lanes <= lanes)) return [];
  const narrowed = plans.map((planned) => inLanes(planned, lanes));
  const most = estimateOf(narrowed, words, prices).estimate;
  const least = estimateOf(narrowed.map(leastOf), words, prices).estimate;
  return [newAccountText({ least, most }, lanes)];
}

function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

function estimatedPlan(planned: Plan, words: PlanWords, prices: PriceTable): EstimatedPlan {
  const { estimate, warnings } = estimateOf([planned], words, prices);
  const least = planned.stopping && estimateOf([leastOf(planned)], words, prices).estimate;
  return {
    ...planned,
    estimate,
    ...(planned.stopping && least && { stopping: { ...planned.stopping, leastEstimate: least } }),
    warnings: [...planned.warnings, ...warnings],
  };
}

function estimateOf(
  plans: readonly Plan[],
  { region }: PlanWords,
  prices: PriceTable,
): { readonly estimate: Estimate; readonly warnings: readonly string[] } {
  const estimated = estimateRun(plans, { region, prices });
  if (estimated.kind !== "estimated") {
    const allowed = `a region whose prices are known; ${describeAbsence(estimated, prices)}`;
    throw new InvalidInput("region", region, allowed);
  }
  const { estimate, notPriced } = estimated;
  const left =
    notPriced.length === 0 ? [] : [`the cost is ${describeNotPriced(notPriced, region, prices)}`];
  return { estimate, warnings: left };
}

function plannedExperiment(choice: ExperimentChoice, words: PlanWords): Plan {
  if (!/^\d+$/.test(words.lanes)) throw new InvalidInput("lanes", words.lanes, "a whole number");
  const architectures = listed(words.architectures) as Architecture[];
  const cells = matrix(choice.experiment, { ...choice, architectures });
  return expand(choice.experiment, cells, {
    ...choice,
    runId: "planned",
    target: "aws",
    createdAt: new Date().toISOString(),
    lanes: Number(words.lanes),
  });
}
