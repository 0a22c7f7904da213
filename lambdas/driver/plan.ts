import { accountLimits } from "../../lib/aws/account-limits.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { publishedPrices } from "../../lib/cost/published-prices.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { expand } from "../../lib/experiment/expand.ts";
import { newRunId } from "../../lib/protocol/run-id.ts";
import { parseConsoleInput, type RunChoices } from "./console-input.ts";
import type { CellFunction, DeployedExperiment, PlannedRun, PlanRequest } from "./messages.ts";
import { awsPorts, type DriverPorts, resultStore, runLock } from "./ports.ts";
import { checkVisitLength, estimateWithin, lanesWithin } from "./preflight.ts";
import { takeRunLock } from "./take-run-lock.ts";
import { unreportedRun } from "./unreported-run.ts";

/** The first state: says no before anything is spent, or leaves the run's plan in S3. */
export const handler = (request: PlanRequest): Promise<PlannedRun> => planRun(request, awsPorts());

export async function planRun(request: PlanRequest, ports: DriverPorts): Promise<PlannedRun> {
  const choices = parseConsoleInput(request.input, request.deployment);
  const { unreservedConcurrency } = await accountLimits(ports.control);
  const { lanes, warnings } = lanesWithin(unreservedConcurrency, choices.lanes);
  const expanded = expandChoices(choices, lanes, ports);
  checkVisitLength(expanded);
  const where = { region: ports.region, prices: publishedPrices };
  const estimated = estimateWithin(expanded, choices.maxCostUsd, where);
  // Last: what was refused until here has not kept another run from starting.
  const left = await startAlone(expanded, request.execution, ports);
  const plan: Plan = {
    ...expanded,
    ...(estimated.estimate !== undefined && { estimate: estimated.estimate }),
    warnings: [
      ...expanded.warnings,
      ...notDeployed(choices.deployed),
      ...warnings,
      ...estimated.warnings,
      ...left,
    ],
  };
  await resultStore(ports, plan.runId).writeText("plan.json", JSON.stringify(plan));
  return plannedRun(plan, choices);
}

function notDeployed({ leftOut = [] }: DeployedExperiment): readonly string[] {
  return leftOut.map((what) => `not deployed: ${what}`);
}

/** Takes the stack for the run; returns what is to be told of the run that had it before. */
async function startAlone(
  { runId, createdAt }: Plan,
  execution: string,
  ports: DriverPorts,
): Promise<readonly string[]> {
  const earlier = await takeRunLock(runLock(ports), { execution, runId, since: createdAt }, ports);
  return earlier === undefined ? [] : await unreportedRun(earlier, ports);
}

function expandChoices(choices: RunChoices, lanes: number, ports: DriverPorts): Plan {
  const createdAt = ports.now().toISOString();
  const { preset, cold, warm } = choices;
  return expand(experimentById(choices.experiment), choices.cells, {
    runId: newRunId(createdAt, ports.randomBytes(3).toString("hex")),
    target: "aws",
    createdAt,
    seed: choices.seed ?? ports.randomBytes(4).readUInt32BE(),
    preset,
    ...(cold !== undefined && { cold }),
    ...(warm !== undefined && { warm }),
    lanes,
  });
}

function plannedRun(plan: Plan, { deployed, experiment }: RunChoices): PlannedRun {
  const { runId, lanes, estimate, warnings } = plan;
  const indexOf = new Map(plan.cells.map((cell, index) => [cell.id, index]));
  const { tableName } = deployed;
  return {
    runId,
    seed: { experiment, ...(tableName !== undefined && { tableName }) },
    cells: plan.cells.map((cell) => cellFunction(cell.id, deployed.functions)),
    order: plan.blocks.map(({ visits }) =>
      visits.map((visit) => indexOf.get(visit.cellId) as number),
    ),
    blockCount: plan.blocks.length,
    lanes,
    ...(estimate !== undefined && { estimate }),
    warnings,
  };
}

function cellFunction(cellId: string, functions: Readonly<Record<string, string>>): CellFunction {
  const functionName = functions[cellId];
  if (functionName === undefined) throw new Error(`the stack has no function of cell ${cellId}`);
  return { cellId, functionName };
}
