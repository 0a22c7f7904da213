import type { Cell, Plan } from "../../lib/contract/types/contract.ts";
import { listWarmOperations } from "../../lib/plan/trial-calls.ts";
import type { TriedFunctions, TryRequest } from "../../lib/run/messages.ts";
import { wrongAnswer } from "../../lib/sampler/expected-answer.ts";
import { forEachConcurrently } from "../../lib/sampler/result-store.ts";
import { makeEvent } from "../../lib/sampler/sample-trial.ts";
import type { Invocation } from "../../lib/sampler/target.ts";
import { CallLimits } from "./call-limits.ts";
import { functionTarget } from "./function-target.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";
import { storedPlan } from "./stored-plan.ts";

/** No call begins after this time: the driver has 15 minutes, and a call may take 10. */
const triesEndMs = 240_000;

/** Thrown before anything is measured if a function fails or answers wrongly at every size. */
class FunctionFails extends Error {
  override readonly name = "FunctionFails";
}

/** Calls each function once with each event before the first block, and measures nothing. */
export const handler = (request: TryRequest) => tryFunctions(request, awsPorts());

/**
 * Throws FunctionFails with the function's own message if it fails at every size. A function that fails only at some
 * sizes is measured, and its samples record the failures. Each trial forces a new environment later, so these calls
 * warm none that is measured.
 */
export async function tryFunctions(
  request: TryRequest,
  ports: DriverPorts,
): Promise<TriedFunctions> {
  const plan = await storedPlan(resultStore(ports, request.folder));
  const own = { plan, handler: "try-functions", endMs: ports.clockMs() + triesEndMs } as const;
  const limits = new CallLimits(ports, { ...request, ...own });
  const problems = new Map<Cell, string>();
  await forEachConcurrently(plan.cells, plan.lanes, async (cell) => {
    const problem = await tryCell(plan, cell, request, ports, limits);
    if (problem !== undefined) problems.set(cell, problem);
  });
  const variants = new Set(plan.cells.map(({ variant }) => variant));
  const failed = [...variants].flatMap((variant) => {
    const cells = plan.cells.filter((cell) => cell.variant === variant);
    return cells.every((cell) => problems.has(cell)) ? largestOf(cells) : [];
  });
  const found = failed.flatMap((cell) => problems.get(cell) ?? []);
  if (found.length > 0) throw new FunctionFails(found.join("; "));
  const { usd: costUsd, cellsUsd } = limits;
  return { tried: plan.cells.length, costUsd, cellsUsd };
}

/** Returns the first problem of a function's answers, or undefined if there is none. */
async function tryCell(
  plan: Plan,
  cell: Cell,
  { cells }: TryRequest,
  ports: DriverPorts,
  limits: CallLimits,
): Promise<string | undefined> {
  const functionName = cells.find(({ cellId }) => cellId === cell.id)?.functionName ?? cell.id;
  // These calls are not measured, so a throttled one may be retried.
  const measuring = ports.control;
  const target = functionTarget(plan, functionName, ports, {
    measuring,
    nonce: () => "",
    onCall: (of, call) => limits.count(of, call),
  });
  const operations = [plan.coldOperation, ...listWarmOperations(plan, cell.variant)];
  for (const operation of new Set(operations)) {
    if (!(await limits.mayGoOn())) return undefined;
    const event = makeEvent(plan, { operation });
    const problem = describeProblem(plan, operation, await target.invoke(cell, event, operation));
    if (problem !== undefined) {
      return `${cell.variant} called with the event ${operation} at ${cell.memoryMb} MB ${problem}`;
    }
  }
  return undefined;
}

/** Checks only a user's expected answers: Kelvin's own results are checked per sample against their contract. */
function describeProblem(
  { requests }: Plan,
  operation: string,
  { error, payload }: Invocation,
): string | undefined {
  if (error !== undefined) return `failed: ${error.type}: ${error.message}`;
  const wrong = wrongAnswer(payload, requests?.[operation]?.answer);
  return wrong === undefined ? undefined : `did not return the expected answer: ${wrong}`;
}

function largestOf(cells: readonly Cell[]): readonly Cell[] {
  return [...cells].sort((one, other) => other.memoryMb - one.memoryMb).slice(0, 1);
}
