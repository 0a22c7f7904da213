import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { describeAbsence, describeDataAbsence } from "../../lib/cost/prices.ts";
import { expand } from "../../lib/experiment/expand.ts";
import type { Architecture } from "../../lib/experiment/experiment.ts";
import { matrix } from "../../lib/experiment/matrix.ts";
import { exitCodes } from "../exit-codes.ts";
import { planText } from "./plan-text.ts";
import { readPrices } from "./read-prices.ts";
import { listed, type RunWords, runChoice } from "./run-choice.ts";

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
  const planned = plannedRun(words);
  const estimated = estimateRun(planned, { region: words.region, prices });
  if (estimated.kind !== "estimated") {
    const allowed = `a region whose prices are known; ${describeAbsence(estimated, prices)}`;
    throw new InvalidInput("region", words.region, allowed);
  }
  const { estimate, notPriced } = estimated;
  const left =
    notPriced.length === 0 ? [] : [`the cost is ${describeDataAbsence(words.region, prices)}`];
  const whole = { ...planned, estimate, warnings: [...planned.warnings, ...left] };
  const text = words.json === true ? JSON.stringify(whole) : planText(whole);
  process.stdout.write(`${text}\n`);
  return exitCodes.complete;
}

function plannedRun(words: PlanWords): Plan {
  const choice = runChoice(words, 0);
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
