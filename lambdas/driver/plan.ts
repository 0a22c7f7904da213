import { accountLimits } from "../../lib/aws/account-limits.ts";
import type { RunHolder } from "../../lib/aws/run-lock.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { publishedPrices } from "../../lib/cost/published-prices.ts";
import { newRunId } from "../../lib/protocol/run-id.ts";
import { parseConsoleInput } from "./console-input.ts";
import { type ExpandedExperiment, expandChoices, plannedExperiment } from "./expand-choices.ts";
import type { DeployedExperiment, PlannedRun, PlanRequest } from "./messages.ts";
import { awsPorts, type DriverPorts, resultStore, runLock } from "./ports.ts";
import {
  checkHistory,
  checkStateSize,
  checkVisitLength,
  estimateWithin,
  lanesWithin,
} from "./preflight.ts";
import { takeRunLock } from "./take-run-lock.ts";
import { unreportedRun } from "./unreported-run.ts";

/** The first state: says no before anything is spent, or leaves the plan of every experiment in S3. */
export const handler = (request: PlanRequest): Promise<PlannedRun> => planRun(request, awsPorts());

export async function planRun(request: PlanRequest, ports: DriverPorts): Promise<PlannedRun> {
  const choices = parseConsoleInput(request.input, request.deployment);
  const { unreservedConcurrency } = await accountLimits(ports.control);
  const { lanes, warnings } = lanesWithin(unreservedConcurrency, choices.lanes);
  const createdAt = ports.now().toISOString();
  const runId = newRunId(createdAt, ports.randomBytes(3).toString("hex"));
  const seed = choices.seed ?? ports.randomBytes(4).readUInt32BE();
  const expanded = expandChoices(choices, { runId, createdAt, seed, lanes });
  for (const { plan } of expanded) checkVisitLength(plan);
  const where = { region: ports.region, prices: publishedPrices };
  const plans = expanded.map(({ plan }) => plan);
  const { estimate, ...estimated } = estimateWithin(plans, choices.maxCostUsd, where);
  const experiments = expanded.map(plannedExperiment);
  checkHistory(experiments);
  checkStateSize(experiments);
  // Last: what was refused until here has not kept another run from starting.
  const left = await startAlone({ execution: request.execution, runId, since: createdAt }, ports);
  const ofRun = [...choices.leftOut, ...warnings, ...estimated.warnings, ...left];
  for (const each of expanded) {
    const own = estimateWithin([each.plan], undefined, where).estimate;
    await storePlan(each, { ...(own && { estimate: own }), warnings: ofRun }, ports);
  }
  return { runId, experiments, lanes, ...(estimate && { estimate }), warnings: ofRun };
}

/** With its own estimate, and with what is to be known of the whole run. */
async function storePlan(
  { plan, deployed, folder }: ExpandedExperiment,
  { estimate, warnings: ofRun }: Pick<Plan, "estimate" | "warnings">,
  ports: DriverPorts,
): Promise<void> {
  const warnings = [...plan.warnings, ...notDeployed(deployed), ...ofRun];
  const stored: Plan = { ...plan, ...(estimate !== undefined && { estimate }), warnings };
  await resultStore(ports, folder).writeText("plan.json", JSON.stringify(stored));
}

function notDeployed({ leftOut = [] }: DeployedExperiment): readonly string[] {
  return leftOut.map((what) => `not deployed: ${what}`);
}

/** Takes the stack for the run; returns what is to be told of the run that had it before. */
async function startAlone(holder: RunHolder, ports: DriverPorts): Promise<readonly string[]> {
  const earlier = await takeRunLock(runLock(ports), holder, ports);
  return earlier === undefined ? [] : await unreportedRun(earlier, ports);
}
