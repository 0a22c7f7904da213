import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { type EstimatedRun, estimateRun } from "../../lib/cost/estimate.ts";
import { describeAbsence, describeDataAbsence, type PriceTable } from "../../lib/cost/prices.ts";
import { expand, plannedSamples } from "../../lib/experiment/expand.ts";
import type { Architecture } from "../../lib/experiment/experiment.ts";
import { matrix } from "../../lib/experiment/matrix.ts";
import { exitCodes } from "../exit-codes.ts";
import { readPrices } from "./read-prices.ts";
import { type RunWords, runChoice } from "./run-choice.ts";

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
  const text =
    words.json === true
      ? JSON.stringify({ ...planned, estimate: estimated.estimate })
      : planText(planned, estimated, prices);
  process.stdout.write(`${text}\n`);
  return exitCodes.complete;
}

function plannedRun(words: PlanWords): Plan {
  const choice = runChoice(words, 0);
  if (!/^\d+$/.test(words.lanes)) throw new InvalidInput("lanes", words.lanes, "a whole number");
  const architectures = words.architectures.split(",") as Architecture[];
  const cells = matrix(choice.experiment, { ...choice, architectures });
  return expand(choice.experiment, cells, {
    ...choice,
    runId: "planned",
    target: "aws",
    createdAt: new Date().toISOString(),
    lanes: Number(words.lanes),
  });
}

function planText(
  planned: Plan,
  { estimate, notPriced }: EstimatedRun,
  prices: PriceTable,
): string {
  const { sizes, cells, warnings } = planned;
  const memoryMb = [...new Set(cells.map((cell) => cell.memoryMb))];
  const variants = [...new Set(cells.map((cell) => cell.variant))];
  const architectures = [...new Set(cells.map((cell) => cell.architecture))];
  const twin = cells.some((cell) => cell.twinOf !== undefined) ? ", twin included" : "";
  return [
    `experiment   ${planned.experiment}, preset ${planned.preset}`,
    `cells        ${cells.length}: ${variants.join(", ")} x ${memoryMb.join(", ")} MB x ${architectures.join(", ")}${twin}`,
    `a cell       ${sizes.environments} new environments, ${sizes.warmEnvironments} of them warm: ${sizes.warmCalls} calls of each of ${planned.warmOperations.join(", ")} (the first ${sizes.discardedCalls} discarded)`,
    `samples      ${plannedSamples(planned)}`,
    `invocations  ${estimate.invocations} of the measured functions`,
    `transitions  ${estimate.transitions} of the state machine`,
    `time         about ${estimate.minutes.toFixed(1)} minutes in ${planned.lanes} lanes`,
    `cost         about ${estimate.costUsd.toFixed(2)} USD at the prices of ${estimate.pricesDate} in ${estimate.pricesRegion}${notPriced.length > 0 ? `, ${describeDataAbsence(estimate.pricesRegion, prices)}` : ""}`,
    ...warnings.map((warning) => `warning      ${warning}`),
  ].join("\n");
}
