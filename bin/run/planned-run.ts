import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Estimate, Plan } from "../../lib/contract/types/contract.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { describeUnknownCalls } from "../../lib/cost/own-functions.ts";
import { describeAbsence, describeNotPriced, type PriceTable } from "../../lib/cost/prices.ts";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import { usualLanes } from "../../lib/plan/driver-size.ts";
import { expand } from "../../lib/plan/expand.ts";
import type { Architecture } from "../../lib/plan/experiment.ts";
import { matrix } from "../../lib/plan/matrix.ts";
import { stoppingChoice } from "../../lib/plan/stopping.ts";
import { Progress } from "../progress.ts";
import { readPrices } from "./cost-basis.ts";
import type { EstimatedPlan } from "./plan-text.ts";
import {
  type ExperimentChoice,
  type RunChoices,
  type RunOptions,
  runChoices,
  wholeChoice,
} from "./run-choice.ts";

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

/** The plan of a functions file, with its estimate. Throws InvalidInput if prices are not known. */
export async function planOfFunctions(words: PlanOptions): Promise<EstimatedPlan> {
  const { experiments, architectures } = await choicesOf(words);
  const [choice] = experiments as [ExperimentChoice, ...ExperimentChoice[]];
  const planned = plannedExperiment(choice, architectures, words.lanes);
  return estimatedPlan(planned, words, readPrices(words.prices));
}

type PlannedChoices = RunChoices & Pick<PlanOptions, "architectures">;

export async function choicesOf(words: PlanOptions): Promise<PlannedChoices> {
  if (words.functions === undefined) {
    return { ...runChoices(words, 0), architectures: words.architectures };
  }
  const { experiment, architectures, notes } = await openFunctionsForAws(words.functions);
  const progress = new Progress();
  for (const note of notes) progress.say(note);
  const { seed = 0 } = words;
  const choice = wholeChoice(experiment, words, seed, stoppingChoice(words));
  return { experiments: [choice], leftOut: [], architectures };
}

export function estimatedPlan(
  planned: Plan,
  words: PlanOptions,
  prices: PriceTable,
): EstimatedPlan {
  const { estimate, warnings } = makeEstimate([planned], words, prices);
  const least = planned.stopping && makeEstimate([smallestPlan(planned)], words, prices).estimate;
  return {
    ...planned,
    estimate,
    ...(planned.stopping && least && { stopping: { ...planned.stopping, leastEstimate: least } }),
    warnings: [...planned.warnings, ...warnings],
  };
}

export function makeEstimate(
  plans: readonly Plan[],
  { region }: PlanOptions,
  prices: PriceTable,
): { readonly estimate: Estimate; readonly warnings: readonly string[] } {
  const estimated = estimateRun(plans, { region, prices });
  if (estimated.kind !== "estimated") {
    const allowed = `a region with known prices; ${describeAbsence(estimated, prices)}`;
    throw new InvalidInput("region", region, allowed);
  }
  const { estimate, notPriced } = estimated;
  const left =
    notPriced.length === 0 ? [] : [`the cost is ${describeNotPriced(notPriced, region, prices)}`];
  return { estimate, warnings: [...left, ...describeUnknownCalls(plans, { region, prices })] };
}

export function plannedExperiment(
  choice: ExperimentChoice,
  architectures: readonly Architecture[],
  lanes: number | undefined,
): Plan {
  const cells = matrix(choice.experiment, { ...choice, architectures });
  return expand(choice.experiment, cells, {
    ...choice,
    runId: "planned",
    target: "aws",
    createdAt: new Date().toISOString(),
    lanes: lanes ?? usualLanes([cells.length]),
  });
}
