import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Cell, Estimate, Plan, StoppingRule } from "../../lib/contract/types/contract.ts";
import { describeConfigurationItems, estimateRun } from "../../lib/cost/estimate.ts";
import { describeUnknownCalls } from "../../lib/cost/own-functions.ts";
import { describeAbsence, describeNotPriced, type PriceTable } from "../../lib/cost/prices.ts";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import { describeLifecycle, isManagedRuntime } from "../../lib/functions/runtime-lifecycle.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import {
  concurrencyCarried,
  newAccountConcurrency,
  usualLanes,
} from "../../lib/plan/driver-size.ts";
import { expand, inLanes, plannedSamples } from "../../lib/plan/expand.ts";
import type { Architecture } from "../../lib/plan/experiment.ts";
import { matrix } from "../../lib/plan/matrix.ts";
import { stoppingChoice } from "../../lib/plan/stopping.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress, printable } from "../progress.ts";
import { readPrices } from "./cost-basis.ts";
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

/** `kelvin plan`: shows what a run on AWS would invoke, take and cost, without an account; returns the exit code. */
export async function plan(words: PlanOptions): Promise<number> {
  const prices = readPrices(words.prices);
  const { experiments, leftOut, architectures } = await choicesOf(words);
  const plans = experiments.map((choice) => plannedExperiment(choice, architectures, words.lanes));
  const estimated = plans.map((each) => estimatedPlan(each, words, prices));
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

/** The plan of a functions file, with its estimate. Throws InvalidInput if prices are not known. */
export async function planOfFunctions(words: PlanOptions): Promise<EstimatedPlan> {
  const { experiments, architectures } = await choicesOf(words);
  const [choice] = experiments as [ExperimentChoice, ...ExperimentChoice[]];
  const planned = plannedExperiment(choice, architectures, words.lanes);
  return estimatedPlan(planned, words, readPrices(words.prices));
}

type PlannedChoices = RunChoices & Pick<PlanOptions, "architectures">;

async function choicesOf(words: PlanOptions): Promise<PlannedChoices> {
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

function estimatedPlan(planned: Plan, words: PlanOptions, prices: PriceTable): EstimatedPlan {
  const { estimate, warnings } = makeEstimate([planned], words, prices);
  const least = planned.stopping && makeEstimate([smallestPlan(planned)], words, prices).estimate;
  return {
    ...planned,
    estimate,
    ...(planned.stopping && least && { stopping: { ...planned.stopping, leastEstimate: least } }),
    warnings: [...planned.warnings, ...warnings],
  };
}

function makeEstimate(
  plans: readonly Plan[],
  { region }: PlanOptions,
  prices: PriceTable,
): { readonly estimate: Estimate; readonly warnings: readonly string[] } {
  const estimated = estimateRun(plans, { region, prices });
  if (estimated.kind !== "estimated") {
    const allowed = `a region with known prices; ${describeAbsence(estimated, prices)}`;
    const remedy = `kelvin prices --region ${region} writes them, for --prices prices.json`;
    throw new InvalidInput(
      "region",
      region,
      allowed,
      `no prices of the region ${region}; ${remedy}`,
    );
  }
  const { estimate, notPriced } = estimated;
  const left =
    notPriced.length === 0 ? [] : [`the cost is ${describeNotPriced(notPriced, region, prices)}`];
  return { estimate, warnings: [...left, ...describeUnknownCalls(plans, { region, prices })] };
}

function plannedExperiment(
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

type EstimatedPlan = Plan & { readonly estimate: Estimate };

/** Text of a plan: what would be deployed and invoked, and how long and how much that would take. */
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
  const aim = `±${Number((100 * untilPrecision).toFixed(2))}%`;
  const budget = `${maxSamples} samples (${plan.blocks.length} environments per cell) or ${maxMinutes} minutes`;
  const first = plan.estimate.invocations < plannedSamples(plan) ? " (expected first)" : "";
  return `until every ratio is known to ${aim}, or until ${budget}${first}`;
}

/** The lowest and highest estimate: the same if no rule ends the run. */
interface EstimateSpan {
  readonly least: Estimate;
  readonly most: Estimate;
}

/** Total of what a run of all the plans would take. */
function sumText(plans: readonly Plan[], estimates: EstimateSpan): string {
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

/** The time that the run takes with a new account's lanes, if those are fewer than planned. */
function newAccountText({ least, most }: EstimateSpan, lanes: number): string {
  const minutes = span(least.minutes.toFixed(1), most.minutes.toFixed(1));
  const where = `the ${lanes} lanes that ${newAccountConcurrency} concurrent executions allow`;
  return row("new account", `about ${minutes} minutes in ${where}`);
}

function span(least: number | string, most: number | string): string {
  return least === most ? `${least}` : `${least} to ${most}`;
}

/** One row for each variant and architecture, with its memory sizes; the replica has a separate row. */
function matrixRows(cells: readonly Cell[]): readonly string[] {
  const width = Math.max(...cells.map(({ variant }) => variant.length));
  const rows = new Map<string, Cell[]>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.variant, cell.architecture, cell.twinOf]);
    rows.set(key, [...(rows.get(key) ?? []), cell]);
  }
  return [...rows.values()].map((alike) => row("", matrixRow(alike, width)));
}

/** One row for each runtime, with the dates on which Lambda deprecates and blocks it. */
function runtimeRows(cells: readonly Cell[]): readonly string[] {
  const runtimes = new Set(cells.map(({ runtime }) => runtime));
  return [...runtimes]
    .filter(isManagedRuntime)
    .map((runtime) => row("runtime", describeLifecycle(runtime)));
}

function matrixRow(alike: readonly Cell[], width: number): string {
  const { variant = "", architecture = "", twinOf } = alike[0] ?? {};
  const sizes = alike.map(({ memoryMb, workers }) =>
    workers === undefined
      ? `${memoryMb}`
      : `${memoryMb} (${workers} ${workers === 1 ? "worker" : "workers"})`,
  );
  const replica = twinOf === undefined ? "" : `, the A/A replica of ${twinOf}`;
  const name = `${variant.padEnd(width)}  ${architecture.padEnd("x86_64".length)}`;
  return `${name}  ${sizes.join(", ")} MB${replica}`;
}

function row(name: string, value: string | number): string {
  return `${name.padEnd(13)}${value}`;
}

/** Rounds to cents, or to as many digits as a smaller amount needs: no run is shown to cost nothing. */
function dollars(amountUsd: number): string {
  return amountUsd >= 0.1 ? amountUsd.toFixed(2) : amountUsd.toPrecision(2);
}
