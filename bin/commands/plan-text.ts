import { newAccountConcurrency } from "../../lib/contract/lanes.ts";
import type { Cell, Estimate, Plan, StoppingRule } from "../../lib/contract/types/contract.ts";
import { describeConfigurationItems } from "../../lib/cost/configuration-items.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";

export type EstimatedPlan = Plan & { readonly estimate: Estimate };

/** A plan for a reader: what would be deployed and invoked, and what that would take. */
export function planText(plan: EstimatedPlan): string {
  const { sizes, cells, estimate, stopping } = plan;
  const warm =
    sizes.warmEnvironments === 0
      ? "no warm calls"
      : `${sizes.warmEnvironments} of them warm: ${sizes.warmCalls} calls of each of ${plan.warmOperations.join(", ")} (the first ${sizes.discardedCalls} discarded)`;
  return [
    row("experiment", `${plan.experiment}, preset ${plan.preset}`),
    row("cells", `${cells.length}, each a function of its own`),
    ...matrixRows(cells),
    row("a cell", `${sizes.environments} new environments, ${warm}`),
    ...(stopping === undefined ? [] : [row("goes on", goesOn(plan, stopping))]),
    ...estimateRows({ least: stopping?.leastEstimate ?? estimate, most: estimate }, plan.lanes),
    ...plan.warnings.map((warning) => row("warning", warning)),
  ].join("\n");
}

/** Until when blocks are added, and the most that there may be. */
function goesOn(
  plan: EstimatedPlan,
  { untilPrecision, maxSamples, maxMinutes }: StoppingRule,
): string {
  const aim = `±${Number((100 * untilPrecision).toFixed(2))} %`;
  const budget = `${maxSamples} samples (${plan.blocks.length} environments a cell) or ${maxMinutes} minutes`;
  const first =
    plan.estimate.invocations < plannedSamples(plan) ? ", which are expected to be over first" : "";
  return `until every ratio is known to ${aim}, at most to ${budget}${first}`;
}

/** What is taken at the least and at the most: the same where no rule ends the run. */
export interface EstimateSpan {
  readonly least: Estimate;
  readonly most: Estimate;
}

/** What a run of all the plans together would take. */
export function sumText(plans: readonly Plan[], estimates: EstimateSpan): string {
  const cells = plans.reduce((sum, plan) => sum + plan.cells.length, 0);
  const lanes = Math.max(...plans.map((plan) => plan.lanes));
  return [
    row("all", `${plans.length} experiments in one run`),
    row("cells", cells),
    ...estimateRows(estimates, lanes),
  ].join("\n");
}

function estimateRows({ least, most }: EstimateSpan, lanes: number): readonly string[] {
  const { pricesDate, pricesRegion } = most;
  const of = (figure: (estimate: Estimate) => number | string) => span(figure(least), figure(most));
  const where = lanes === 1 ? "1 lane" : `${lanes} lanes`;
  return [
    row(
      "samples",
      of(({ invocations }) => invocations),
    ),
    row("invocations", `${of(({ invocations }) => invocations)} of the measured functions`),
    row("transitions", `${of(({ transitions }) => transitions)} of the state machine`),
    row("time", `about ${of(({ minutes }) => minutes.toFixed(1))} minutes in ${where}`),
    row(
      "cost",
      `about ${of(({ costUsd }) => dollars(costUsd))} USD at the prices of ${pricesDate} in ${pricesRegion}`,
    ),
    ...describeConfigurationItems(most).map((words) => row("AWS Config", words)),
  ];
}

/** What the run takes in the lanes of a new account, where those are fewer than planned. */
export function newAccountText({ least, most }: EstimateSpan, lanes: number): string {
  const minutes = span(least.minutes.toFixed(1), most.minutes.toFixed(1));
  const where = `the ${lanes} lanes that ${newAccountConcurrency} concurrent executions carry`;
  return row("new account", `about ${minutes} minutes in ${where}`);
}

function span(least: number | string, most: number | string): string {
  return least === most ? `${least}` : `${least} to ${most}`;
}

/** One row for each variant and architecture, with its memory sizes; the twin has a row of its own. */
function matrixRows(cells: readonly Cell[]): readonly string[] {
  const width = Math.max(...cells.map(({ variant }) => variant.length));
  const rows = new Map<string, Cell[]>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.variant, cell.architecture, cell.twinOf]);
    rows.set(key, [...(rows.get(key) ?? []), cell]);
  }
  return [...rows.values()].map((alike) => row("", matrixRow(alike, width)));
}

function matrixRow(alike: readonly Cell[], width: number): string {
  const { variant = "", architecture = "", twinOf } = alike[0] ?? {};
  const sizes = alike.map(({ memoryMb, workers }) =>
    workers === undefined
      ? `${memoryMb}`
      : `${memoryMb} (${workers} ${workers === 1 ? "worker" : "workers"})`,
  );
  const twin = twinOf === undefined ? "" : `, the A/A twin of ${twinOf}`;
  const name = `${variant.padEnd(width)}  ${architecture.padEnd("x86_64".length)}`;
  return `${name}  ${sizes.join(", ")} MB${twin}`;
}

function row(name: string, value: string | number): string {
  return `${name.padEnd(13)}${value}`;
}

/** Cents, or as many digits as a smaller amount needs: no run is told to cost nothing. */
function dollars(amountUsd: number): string {
  return amountUsd >= 0.1 ? amountUsd.toFixed(2) : amountUsd.toPrecision(2);
}
