import { accountLimits } from "../../lib/aws/account-limits.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { publishedPrices } from "../../lib/cost/published-prices.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { expand } from "../../lib/experiment/expand.ts";
import { newRunId } from "../../lib/protocol/run-id.ts";
import { parseConsoleInput, type RunChoices } from "./console-input.ts";
import type { CellFunction, PlannedRun, PlanRequest } from "./messages.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";
import { checkVisitLength, estimateWithin, lanesWithin } from "./preflight.ts";

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
  const plan: Plan = {
    ...expanded,
    ...(estimated.estimate !== undefined && { estimate: estimated.estimate }),
    warnings: [...expanded.warnings, ...warnings, ...estimated.warnings],
  };
  await resultStore(ports, plan.runId).writeText("plan.json", JSON.stringify(plan));
  return plannedRun(plan, choices);
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
