import { groupBy } from "../../lib/contract/group-by.ts";
import type { Cell, Estimate, Plan, StoppingRule } from "../../lib/contract/types/contract.ts";
import { describeConfigurationItems, estimatedUsdText } from "../../lib/cost/estimate.ts";
import { describeUnknownCalls } from "../../lib/cost/own-functions.ts";
import { describeLifecycle, isManagedRuntime } from "../../lib/functions/runtime-lifecycle.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import { deployMinutes } from "../../lib/plan/deployment.ts";
import { newAccountConcurrency } from "../../lib/plan/driver-size.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import { shareText } from "../../lib/report/document/format.ts";
import { estimateWithin, type PricedRegion } from "../../lib/run/estimated-plan.ts";
import type { StoredExperiment } from "./stored-run.ts";

export type EstimatedPlan = Plan & { readonly estimate: Estimate };

/** Formats a plan: what would be deployed and invoked, for how long, and at what cost. */
export function planText(plan: EstimatedPlan): string {
  const { sizes, cells, estimate, stopping } = plan;
  const warm =
    sizes.warmEnvironments === 0
      ? "no warm calls"
      : `${sizes.warmEnvironments} of them warm: ${sizes.warmCalls} calls each of ${plan.warmOperations.join(", ")} (the first ${sizes.discardedCalls} discarded)`;
  return [
    row("experiment", `${plan.experiment}, preset ${plan.preset}`),
    row("cells", `${cells.length}, one function each`),
    ...matrixRows(cells),
    ...runtimeRows(cells),
    row("per cell", `${sizes.environments} new environments, ${warm}`),
    ...(stopping === undefined ? [] : [row("continues", goesOn(plan, stopping))]),
    ...estimateRows({ least: stopping?.leastEstimate ?? estimate, most: estimate }, plan.lanes),
    ...plan.warnings.map((warning) => row("warning", warning)),
  ].join("\n");
}

/** Describes when the run stops adding blocks, and their maximum. */
function goesOn(
  plan: EstimatedPlan,
  { untilPrecision, maxSamples, maxMinutes }: StoppingRule,
): string {
  const aim = `±${shareText(untilPrecision)}`;
  const budget = `${maxSamples} samples (${plan.blocks.length} environments per cell) or ${maxMinutes} minutes`;
  const first = plan.estimate.invocations < plannedSamples(plan) ? " (expected first)" : "";
  return `until every ratio is known to ${aim}, or until ${budget}${first}`;
}

/** The lowest and highest estimate: the same if no rule ends the run. */
interface EstimateSpan {
  readonly least: Estimate;
  readonly most: Estimate;
}

/** Formats the total of a run of all the plans. */
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
  const spanOf = (figure: (estimate: Estimate) => number | string) =>
    span(figure(least), figure(most));
  const where = lanes === 1 ? "1 lane" : `${lanes} lanes`;
  return [
    row(
      "samples",
      spanOf(({ invocations }) => invocations),
    ),
    row(
      "invocations",
      `${spanOf(({ calls, invocations }) => calls ?? invocations)} of the measured functions`,
    ),
    row("transitions", `${spanOf(({ transitions }) => transitions)} of the state machine`),
    row("time", `about ${spanOf(({ minutes }) => minutes.toFixed(1))} minutes in ${where}`),
    ...costRows({ least, most }),
  ];
}

/** States the cost, its highest if calls take longer than expected, and what neither it nor a cap includes. */
function costRows({ least, most }: EstimateSpan): readonly string[] {
  const { costAtTimeoutUsd, pricesDate, pricesRegion } = most;
  const cost = span(estimatedUsdText(least.costUsd), estimatedUsdText(most.costUsd));
  const prices = `at the prices of ${pricesDate} in ${pricesRegion}`;
  if (costAtTimeoutUsd === undefined) return [row("cost", `about ${cost} ${prices}`)];
  const bound = `about ${estimatedUsdText(costAtTimeoutUsd)} if every call took until its timeout`;
  return [
    row("cost", `about ${cost} ${prices}`),
    row("at most", `${bound}; with a cap (--max-cost), the run ends before it costs more`),
    row(
      "left out",
      "of both, and of a cap: what the functions themselves use, log and store, and AWS Config's records",
    ),
    ...describeConfigurationItems(most).map((text) => row("AWS Config", text)),
  ];
}

/** Formats the cost of a run of all the plans before it starts. */
export function runCostText(plans: readonly Plan[], where: PricedRegion): string {
  const { estimate: most, warnings } = estimateWithin(plans, undefined, where);
  const { estimate: least = most } = estimateWithin(plans.map(smallestPlan), undefined, where);
  const rows = most === undefined || least === undefined ? [] : costRows({ least, most });
  const caveats = [...warnings, ...describeUnknownCalls(plans)];
  return [...rows, ...caveats.map((caveat) => row("warning", caveat))].join("\n");
}

/** Formats what a run took and cost, and what was estimated, which is the most that a stopping rule allows. */
export function outcomeText(
  experiments: readonly Pick<StoredExperiment, "plan" | "manifest">[],
  tookMs: number,
): string {
  const estimates = experiments.flatMap(({ plan }) => plan.estimate ?? []);
  const took = `the run took ${(tookMs / 60_000).toFixed(1)} minutes`;
  if (estimates.length < experiments.length) return took;
  // Each report has what the run had cost by then.
  const costUsd = Math.max(...experiments.map(({ manifest }) => manifest?.costUsd ?? 0));
  const cost = costUsd === 0 ? "" : ` and cost about ${estimatedUsdText(costUsd)}`;
  const minutes = estimates.reduce((sum, estimate) => sum + estimate.minutes, 0).toFixed(1);
  const usd = estimatedUsdText(estimates.reduce((sum, estimate) => sum + estimate.costUsd, 0));
  return `${took}${cost}; the estimate was ${minutes} minutes and ${usd}`;
}

/** Formats the time that the deploy takes. */
export function deployText(functions: number): string {
  const minutes = Math.ceil(deployMinutes(functions));
  return row("deploy", `about ${minutes} minutes, without builds and uploads`);
}

/** Formats the time that the run takes with a new account's lanes. */
export function newAccountText({ least, most }: EstimateSpan, lanes: number): string {
  const minutes = span(least.minutes.toFixed(1), most.minutes.toFixed(1));
  const where = `the ${lanes} lanes that ${newAccountConcurrency} concurrent executions allow`;
  return row("new account", `about ${minutes} minutes in ${where}`);
}

function span(least: number | string, most: number | string): string {
  return least === most ? `${least}` : `${least} to ${most}`;
}

/** Returns one row per variant and architecture, with its memory sizes. The replica has its own row. */
function matrixRows(cells: readonly Cell[]): readonly string[] {
  const width = Math.max(...cells.map(({ variant }) => variant.length));
  const rows = groupBy(cells, ({ variant, architecture, replicaOf }) =>
    JSON.stringify([variant, architecture, replicaOf]),
  );
  return [...rows.values()].map((alike) => row("", matrixRow(alike, width)));
}

/** Returns one row per runtime, with the dates on which Lambda deprecates and blocks it. */
function runtimeRows(cells: readonly Cell[]): readonly string[] {
  const runtimes = new Set(cells.map(({ runtime }) => runtime));
  return [...runtimes]
    .filter(isManagedRuntime)
    .map((runtime) => row("runtime", describeLifecycle(runtime)));
}

function matrixRow(alike: readonly [Cell, ...Cell[]], width: number): string {
  const [{ variant, architecture, replicaOf }] = alike;
  const sizes = alike.map(({ memoryMb, workers }) =>
    workers === undefined
      ? `${memoryMb}`
      : `${memoryMb} (${workers} ${workers === 1 ? "worker" : "workers"})`,
  );
  const replica = replicaOf === undefined ? "" : `, the A/A replica of ${replicaOf}`;
  const name = `${variant.padEnd(width)}  ${architecture.padEnd("x86_64".length)}`;
  return `${name}  ${sizes.join(", ")} MB${replica}`;
}

function row(name: string, value: string | number): string {
  return `${name.padEnd(13)}${value}`;
}
