import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { choosePriors } from "../../lib/cost/duration-priors.ts";
import { reportForecast } from "../../lib/cost/own-costs.ts";
import { adjustModel, callsMs } from "../../lib/cost/run-minutes.ts";
import { awsRunModel, forecastTrials } from "../../lib/cost/run-model.ts";
import {
  concurrencyCarried,
  driverMemoryMb,
  executionsPerLane,
  headroom,
} from "../../lib/plan/driver-size.ts";
import { inLanes } from "../../lib/plan/expand.ts";
import { countEvents, countInlineBlocks, mostEvents } from "../../lib/plan/inline-blocks.ts";
import { estimateWithin, type PricedRegion } from "../../lib/run/estimated-plan.ts";
import type { PlannedExperiment } from "../../lib/run/messages.ts";

/** A driver has 15 minutes. A trial expected to take longer than this is refused. */
const longestTrialMs = 10 * 60_000;
/** The report's driver has 15 minutes, some of which are a reserve. */
const longestReportSeconds = 12 * 60;
/**
 * A state can pass on at most 256 KiB, some of which is a reserve for what later states add.
 * https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
 */
const largestStateBytes = 240 * 1024;

interface Lanes {
  readonly lanes: number;
  readonly warnings: readonly string[];
}

/** Returns the wanted number of lanes, capped at what the account's concurrency allows. */
export function concurrencyWithin(concurrency: number, wanted: number): Lanes {
  if (concurrency < executionsPerLane) {
    const needed = `at least ${executionsPerLane}: one for a driver and one for the function that it measures`;
    throw new InvalidInput("concurrent executions of the account", concurrency, needed);
  }
  const carried = concurrencyCarried(concurrency);
  if (wanted <= carried) return { lanes: wanted, warnings: [] };
  const reason =
    `the account has ${concurrency} concurrent executions free, a lane needs ${executionsPerLane} ` +
    `(driver and function), and ${headroom} are left for other functions`;
  return { lanes: carried, warnings: [`${carried} lanes instead of ${wanted}: ${reason}`] };
}

/** Says how much longer the run takes in fewer lanes. Empty if none were cut or there is no estimate. */
export function narrowedTime(
  plans: readonly Plan[],
  { lanes, wanted }: { readonly lanes: number; readonly wanted: number },
  where: PricedRegion,
): readonly string[] {
  if (lanes >= wanted) return [];
  const minutesIn = (count: number) => {
    const { estimate } = estimateWithin(
      plans.map((plan) => inLanes(plan, count)),
      undefined,
      where,
    );
    return estimate === undefined ? undefined : Math.ceil(estimate.minutes);
  };
  const [narrowed, wide] = [minutesIn(lanes), minutesIn(wanted)];
  if (narrowed === undefined || wide === undefined) return [];
  return [
    `the run is estimated to take ${narrowed} minutes in ${lanes} lanes; with ${wanted} it would take ${wide}`,
  ];
}

/** Refuses trials that the driver could not finish within its own timeout. */
export function checkTrialLength(plan: Plan): void {
  const distinct = new Set(forecastTrials(plan, choosePriors(plan)).flat());
  const model = adjustModel(plan, awsRunModel);
  const longest = Math.max(...[...distinct].map((trial) => callsMs(trial, model)));
  if (longest <= longestTrialMs) return;
  const minutes = (longest / 60_000).toFixed(0);
  const calls = plan.sizes.warmCalls * plan.sizes.warmEnvironments;
  const allowed = `fewer: one trial of ${plan.experiment} would take ${minutes} minutes, and its driver stops after 15`;
  throw new InvalidInput("warm", calls, allowed);
}

/**
 * Refuses a run whose report would exceed a function's 15 minutes or the memory that every account allows.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export function checkReportSize(plan: Plan): void {
  const trials = forecastTrials(plan, choosePriors(plan)).flat();
  const { objects, samples, seconds, memoryMb } = reportForecast(trials);
  if (seconds <= longestReportSeconds && memoryMb <= driverMemoryMb.report) return;
  const size = `the report of ${plan.experiment} would read ${samples} samples in ${objects} objects`;
  const needed = `take about ${Math.ceil(seconds / 60)} minutes and ${Math.ceil(memoryMb)} MB`;
  const limits = `its driver has ${longestReportSeconds / 60} minutes and ${driverMemoryMb.report} MB`;
  const { field, found } = reportSizeField(plan);
  const allowed = `fewer: ${size}, ${needed}, and ${limits}; or fewer cells`;
  throw new InvalidInput(field, found, allowed);
}

/** Returns the input field that accounts for most of the plan's samples. */
function reportSizeField({ sizes, stopping }: Plan): {
  readonly field: string;
  readonly found: number;
} {
  const { environments, warmEnvironments, warmCalls } = sizes;
  if (stopping !== undefined) return { field: "maxSamples", found: stopping.maxSamples };
  const warm = warmCalls * warmEnvironments;
  return warm > environments
    ? { field: "warm", found: warm }
    : { field: "cold", found: environments };
}

/** Returns the inline blocks of each plan. Refuses more blocks than an execution's history can hold. */
export function inlineBlocksWithin(plans: readonly Plan[]): readonly number[] {
  const events = countEvents(plans);
  if (events <= mostEvents) return countInlineBlocks(plans);
  const most = Math.max(...plans.map(({ blocks }) => blocks.length));
  const blocks = plans.reduce((sum, plan) => sum + plan.blocks.length, 0);
  const isBounded = plans.some(({ stopping }) => stopping !== undefined);
  const allowed =
    `fewer: the history of ${blocks} blocks would have ${events} events, and an execution's can have ` +
    `${mostEvents}; or fewer experiments in one run`;
  throw new InvalidInput(isBounded ? "maxSamples" : "cold", most, allowed);
}

/** Refuses a run whose plan is too large to pass from state to state. */
export function checkStateSize(experiments: readonly PlannedExperiment[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(experiments));
  if (bytes <= largestStateBytes) return;
  const blocks = Math.max(...experiments.map(({ order }) => order.length));
  const allowed =
    `fewer: the order of the trials takes ${bytes} bytes, and a state can hold ${largestStateBytes}; ` +
    "or fewer experiments or cells in one run";
  const isBounded = experiments.some(({ isUntilPrecise }) => isUntilPrecise === true);
  throw new InvalidInput(isBounded ? "maxSamples" : "cold", blocks, allowed);
}
