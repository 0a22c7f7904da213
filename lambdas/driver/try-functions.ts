import type { Cell, Plan } from "../../lib/contract/types/contract.ts";
import { listWarmOperations } from "../../lib/plan/trial-calls.ts";
import type { TryRequest } from "../../lib/run/messages.ts";
import { wrongAnswer } from "../../lib/sampler/expected-answer.ts";
import { forEachConcurrently } from "../../lib/sampler/result-store.ts";
import { makeEvent } from "../../lib/sampler/sample-trial.ts";
import type { Invocation } from "../../lib/sampler/target.ts";
import { functionTarget } from "./function-target.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";
import { storedPlan } from "./stored-plan.ts";

/** No event is tried after this long: the driver has 15 minutes, and a call may take 10 of them. */
const triesEndMs = 240_000;

/** A function fails or gives a wrong answer at every size. Reported before anything is measured. */
class FunctionFails extends Error {
  override readonly name = "FunctionFails";
}

/** Calls each function once with each event before the first block, and measures nothing. */
export const handler = (request: TryRequest) => tryFunctions(request, awsPorts());

/**
 * Throws FunctionFails, with the function's own message, where a function fails at every size that it has: what
 * fails at some of them is measured, and told of by their samples. Each trial forces an environment of its own
 * afterwards, so that none of these calls warms one that is measured.
 */
export async function tryFunctions(
  request: TryRequest,
  ports: DriverPorts,
): Promise<{ readonly tried: number }> {
  const plan = await storedPlan(resultStore(ports, request.folder));
  const endMs = ports.clockMs() + triesEndMs;
  const problems = new Map<Cell, string>();
  await forEachConcurrently(plan.cells, plan.lanes, async (cell) => {
    const problem = await tryCell(plan, cell, request, ports, endMs);
    if (problem !== undefined) problems.set(cell, problem);
  });
  const failed = variantsOf(plan.cells).flatMap((variant) => {
    const cells = plan.cells.filter((cell) => cell.variant === variant);
    return cells.every((cell) => problems.has(cell)) ? largestOf(cells) : [];
  });
  const told = failed.flatMap((cell) => problems.get(cell) ?? []);
  if (told.length > 0) throw new FunctionFails(told.join("; "));
  return { tried: plan.cells.length };
}

/** The first thing that is wrong with a function's answers; undefined where nothing is. */
async function tryCell(
  plan: Plan,
  cell: Cell,
  { cells }: TryRequest,
  ports: DriverPorts,
  endMs: number,
): Promise<string | undefined> {
  const functionName = cells.find(({ cellId }) => cellId === cell.id)?.functionName ?? cell.id;
  // Nothing is measured: what is throttled may be called again.
  const measuring = ports.control;
  const target = functionTarget(plan, functionName, ports, { measuring, nonce: () => "" });
  const operations = [plan.coldOperation, ...listWarmOperations(plan, cell.variant)];
  for (const operation of new Set(operations)) {
    if (ports.clockMs() >= endMs) return undefined;
    const event = makeEvent(plan, { operation });
    const problem = describeProblem(plan, operation, await target.invoke(cell, event, operation));
    if (problem !== undefined) {
      return `${cell.variant} called with the event ${operation} at ${cell.memoryMb} MB ${problem}`;
    }
  }
  return undefined;
}

/** A result of Kelvin's own functions is held against their contract by each sample. */
function describeProblem(
  { requests }: Plan,
  operation: string,
  { error, payload }: Invocation,
): string | undefined {
  if (error !== undefined) return `failed: ${error.type}: ${error.message}`;
  const wrong = wrongAnswer(payload, requests?.[operation]?.answer);
  return wrong === undefined ? undefined : `did not return the expected answer: ${wrong}`;
}

function variantsOf(cells: readonly Cell[]): readonly string[] {
  return [...new Set(cells.map(({ variant }) => variant))];
}

function largestOf(cells: readonly Cell[]): readonly Cell[] {
  return [...cells].sort((one, other) => other.memoryMb - one.memoryMb).slice(0, 1);
}
