import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Estimate, Plan } from "../../lib/contract/types/contract.ts";
import { describeUnknownCalls } from "../../lib/cost/own-functions.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import { usualLanes } from "../../lib/plan/driver-size.ts";
import type { Architecture } from "../../lib/plan/experiment.ts";
import { stoppingChoice } from "../../lib/plan/stopping.ts";
import { estimatedPlan, estimateWithin } from "../../lib/run/estimated-plan.ts";
import {
  type ExperimentChoice,
  expandChoice,
  type RunChoices,
  type RunOptions,
  runChoices,
  type SizeChoice,
  wholeChoice,
} from "../../lib/run/run-choice.ts";
import { Progress } from "../progress.ts";
import type { EstimatedPlan } from "./plan-text.ts";

export interface PlanOptions extends RunOptions {
  readonly architectures: readonly Architecture[];
  /** A functions file, instead of experiments. */
  readonly functions?: string;
  readonly region: string;
  /** @default as many as the largest block has cells */
  readonly lanes?: number;
  readonly prices?: string;
  readonly json?: true;
}

/** Plans the functions of a functions file. */
export async function planOfFunctions(options: PlanOptions): Promise<Plan> {
  const choices = await choicesOf(options);
  return plannedExperiment(choices.experiments[0] as ExperimentChoice, choices, options);
}

/** Returns the experiments or functions that the options choose, with their cells. */
export async function choicesOf(options: PlanOptions): Promise<RunChoices> {
  if (options.functions === undefined) return runChoices(options, options.architectures);
  const { experiment, architectures, notes } = await openFunctionsForAws(options.functions);
  const progress = new Progress();
  for (const note of notes) progress.say(note);
  return wholeChoice(experiment, options, stoppingChoice(options), architectures);
}

/** Adds the plan's estimate and the warnings that come with it. Throws InvalidInput if prices are not known. */
export function priced(planned: Plan, { region }: PlanOptions, prices: PriceTable): EstimatedPlan {
  const { estimate, warnings } = makeEstimate([planned], { region }, prices);
  const estimated = estimatedPlan(planned, { region, prices });
  return { ...estimated, estimate, warnings: [...planned.warnings, ...warnings] };
}

export function makeEstimate(
  plans: readonly Plan[],
  { region }: Pick<PlanOptions, "region">,
  prices: PriceTable,
): { readonly estimate: Estimate; readonly warnings: readonly string[] } {
  const { estimate, warnings } = estimateWithin(plans, undefined, { region, prices });
  if (estimate === undefined) {
    const allowed = `a region with known prices; ${warnings.join("; ")}`;
    const remedy = `kelvin prices --region ${region} writes them, for --prices prices.json`;
    const message = `no prices of the region ${region}; ${remedy}`;
    throw new InvalidInput("region", region, allowed, message);
  }
  return { estimate, warnings: [...warnings, ...describeUnknownCalls(plans)] };
}

export function plannedExperiment(
  choice: ExperimentChoice,
  sizes: SizeChoice,
  { seed = 0, lanes = usualLanes([choice.cells.length]) }: PlanOptions,
): Plan {
  const createdAt = new Date().toISOString();
  return expandChoice(choice, sizes, { runId: "planned", target: "aws", createdAt, seed, lanes });
}
