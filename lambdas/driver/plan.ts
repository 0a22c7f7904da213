import { remoteFiles } from "../../lib/aws/fetch-run.ts";
import { accountLimits } from "../../lib/aws/function-environment.ts";
import type { RunHolder } from "../../lib/aws/run-lock.ts";
import { defined } from "../../lib/contract/defined.ts";
import type { Cell, Plan } from "../../lib/contract/types/contract.ts";
import { describeConfigurationItems } from "../../lib/cost/estimate.ts";
import { callUsd } from "../../lib/cost/invocation-cost.ts";
import { describeUnknownCalls } from "../../lib/cost/own-functions.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { firstBlocks, smallestPlan, untimed } from "../../lib/plan/blocks.ts";
import { driverArchitecture, driverMemoryMb, usualLanes } from "../../lib/plan/driver-size.ts";
import { newRunId } from "../../lib/plan/run-id.ts";
import { parseConsoleInput } from "../../lib/run/console-input.ts";
import {
  deployedPrices,
  type Estimated,
  estimatedPlan,
  estimateWithin,
  type PricedRegion,
} from "../../lib/run/estimated-plan.ts";
import {
  type ExpandedExperiment,
  expandChoices,
  plannedExperiment,
} from "../../lib/run/expand-choices.ts";
import type { PlannedRun, PlanRequest, RunCosts } from "../../lib/run/messages.ts";
import { awsPorts, type DriverPorts, resultStore, runLock } from "./ports.ts";
import {
  checkReportSize,
  checkStateSize,
  checkTrialLength,
  concurrencyWithin,
  inlineBlocksWithin,
  narrowedTime,
} from "./preflight.ts";
import { type EarlierRun, takeRunLock } from "./take-run-lock.ts";

/** The first state: refuses an invalid input before anything is spent, or stores every experiment's plan in S3. */
export const handler = (request: PlanRequest): Promise<PlannedRun> => planRun(request, awsPorts());

export async function planRun(request: PlanRequest, ports: DriverPorts): Promise<PlannedRun> {
  const choices = parseConsoleInput(request.input, request.deployment);
  const { unreservedConcurrency } = await accountLimits(ports.control);
  const wanted = choices.lanes ?? usualLanes(choices.experiments.map(({ cells }) => cells.length));
  const { lanes, warnings } = concurrencyWithin(unreservedConcurrency, wanted);
  const createdAt = ports.now().toISOString();
  const runId = newRunId(createdAt, ports.randomBytes(3).toString("hex"));
  const seed = choices.seed ?? ports.randomBytes(4).readUInt32BE();
  const choicePlans = expandChoices(choices, { runId, createdAt, seed, lanes });
  for (const { plan } of choicePlans) checkTrialLength(plan);
  for (const { plan } of choicePlans) checkReportSize(plan);
  const prices = deployedPrices(request.deployment);
  const where = { region: ports.region, prices: prices ?? publishedPrices };
  const affordable = affordablePlans(choicePlans, choices.maxCostUsd, where);
  const { expanded, estimate, costs } = affordable;
  const plans = expanded.map(({ plan }) => plan);
  const inlineBlocks = inlineBlocksWithin(plans);
  const experiments = expanded.map((each, at) => plannedExperiment(each, inlineBlocks[at] ?? 0));
  checkStateSize(experiments);
  // Locks last, so that a refused run does not block another one.
  const holder = { execution: request.execution, runId, since: createdAt };
  const lockWarnings = await startAlone(holder, ports);
  const slower = narrowedTime(plans, { lanes, wanted }, where);
  const caveats = [...affordable.warnings, ...describeUnknownCalls(plans)];
  const ofRun = [...choices.leftOut, ...warnings, ...slower, ...caveats, ...lockWarnings];
  for (const [at, each] of expanded.entries()) {
    const plan = estimatedPlan(each.plan, { ...where, inlineBlocks: inlineBlocks.slice(at) });
    await storePlan({ ...each, plan: { ...plan, ...defined({ prices }) } }, ofRun, ports);
  }
  // AWS Config warnings appear only in the execution's output: readers of the report cannot act on them.
  const config = estimate === undefined ? [] : describeConfigurationItems(estimate);
  const ofPlans = new Set(plans.flatMap((plan) => plan.warnings));
  const allWarnings = [...ofPlans, ...ofRun, ...config.map((text) => `AWS Config: ${text}`)];
  return { runId, experiments, lanes, costs, ...defined({ estimate }), warnings: allWarnings };
}

/** Returns the cap, and what is spent apart from calls: once, and for each trial. */
function runCosts(
  plans: readonly Plan[],
  maxCostUsd: number | undefined,
  where: PricedRegion,
): RunCosts {
  const fixedOf = (part: readonly Plan[]) => estimateWithin(part, undefined, where).fixedUsd ?? 0;
  const onceUsd = fixedOf(plans.map((plan) => firstBlocks(plan, 0)));
  const whole = plans.map(untimed);
  const trials = whole.flatMap(({ blocks }) => blocks.flatMap((block) => block.trials)).length;
  const trialUsd = (fixedOf(whole) - onceUsd) / trials;
  const longestUsd = plans.flatMap(({ cells, timeoutSeconds }) => {
    const driver = { architecture: driverArchitecture(cells), memoryMb: driverMemoryMb.measure };
    const usdOf = (of: Pick<Cell, "architecture" | "memoryMb">) =>
      callUsd(of, 1000 * timeoutSeconds, where) ?? 0;
    return cells.map((cell) => usdOf(cell) + usdOf(driver));
  });
  return { ...defined({ maxCostUsd }), onceUsd, trialUsd, longestCallUsd: Math.max(...longestUsd) };
}

/** Stores a plan with the warnings that apply to the whole run. */
async function storePlan(
  { plan, deployed, folder }: ExpandedExperiment,
  ofRun: readonly string[],
  ports: DriverPorts,
): Promise<void> {
  const { leftOut = [] } = deployed;
  const notDeployed = leftOut.map((what) => `not deployed: ${what}`);
  const warnings = [...plan.warnings, ...notDeployed, ...ofRun];
  await resultStore(ports, folder).writeText("plan.json", JSON.stringify({ ...plan, warnings }));
}

/** Claims the stack for this run, and returns a notice about the run that held it before, if any. */
async function startAlone(holder: RunHolder, ports: DriverPorts): Promise<readonly string[]> {
  const earlier = await takeRunLock(runLock(ports), holder, ports);
  return earlier === undefined ? [] : await unreportedRun(earlier, ports);
}

/** Returns a notice if the previous run has samples but no report, with the commands that create one. */
async function unreportedRun(
  { runId, ending }: EarlierRun,
  { s3, bucketName }: DriverPorts,
): Promise<readonly string[]> {
  if (ending === "SUCCEEDED") return [];
  const files = await remoteFiles(s3, bucketName, runId);
  const hasSamples = files.some(({ path }) => /(^|\/)samples\//.test(path));
  const hasReport = files.some(({ path }) => path === "report.md");
  if (!hasSamples || hasReport) return [];
  const fetch = `npm run kelvin -- fetch --bucket ${bucketName} --run ${runId}`;
  const problem = `the previous run, ${runId}, ended as ${ending} and has samples but no report`;
  return [`${problem}; to get one: ${fetch}, then npm run kelvin -- report runs/${runId}`];
}

interface AffordablePlans extends Estimated {
  readonly expanded: readonly ExpandedExperiment[];
  readonly costs: RunCosts;
}

/**
 * Returns the experiments with as many blocks as the maximum cost permits, and the estimate of all. Throws
 * InvalidInput if even the smallest run costs more.
 */
function affordablePlans(
  experiments: readonly ExpandedExperiment[],
  maxCostUsd: number | undefined,
  where: PricedRegion,
): AffordablePlans {
  const whole = experiments.map(({ plan }) => plan);
  const smallest = whole.map(smallestPlan);
  const estimated = estimateWithin(smallest, maxCostUsd, where);
  const plans = plansWithin(whole, maxCostUsd, where);
  const isSmallest = plans.every((plan, index) => plan === smallest[index]);
  const { estimate } = isSmallest ? estimated : estimateWithin(plans, undefined, where);
  const expanded = experiments.map((each, index) => ({ ...each, plan: plans[index] as Plan }));
  const costs = runCosts(plans, maxCostUsd, where);
  return { expanded, costs, ...defined({ estimate }), warnings: estimated.warnings };
}

/**
 * Limits the number of blocks so that the estimate of all plans together stays within `maxCostUsd`. Plans without a
 * stopping rule are not cut. The caller has already checked that the smallest run is affordable.
 */
function plansWithin(
  plans: readonly Plan[],
  maxCostUsd: number | undefined,
  where: PricedRegion,
): readonly Plan[] {
  if (maxCostUsd === undefined || plans.every(({ stopping }) => stopping === undefined)) {
    return plans;
  }
  const bounded = (most: number) => plans.map((plan) => boundedPlan(plan, most, maxCostUsd));
  const fits = (most: number) => {
    const { estimate } = estimateWithin(bounded(most).map(untimed), undefined, where);
    return estimate !== undefined && estimate.costUsd <= maxCostUsd;
  };
  // Finds the largest number of blocks that fits. The minimum is known to fit.
  let fitting = 0;
  let tooMany = Math.max(...plans.map(({ blocks }) => blocks.length)) + 1;
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return bounded(fitting);
}

function boundedPlan(plan: Plan, most: number, maxCostUsd: number): Plan {
  const { stopping } = plan;
  if (stopping === undefined) return plan;
  const count = Math.max(plan.sizes.environments, most);
  if (count >= plan.blocks.length) return { ...plan, stopping: { ...stopping, maxCostUsd } };
  const blocks = plan.blocks.slice(0, count);
  return { ...plan, blocks, stopping: { ...stopping, maxCostUsd, mostBlocksBy: "maxCostUsd" } };
}
