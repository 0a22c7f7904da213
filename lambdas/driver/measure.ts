import { FunctionEnvironments } from "../../lib/aws/function-environment.ts";
import { LambdaTarget } from "../../lib/aws/lambda-target.ts";
import { S3Recorder } from "../../lib/aws/s3-recorder.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { measureVisit } from "../../lib/protocol/measure-visit.ts";
import { visitOf } from "../../lib/protocol/run-plan.ts";
import type { MeasureRequest } from "./messages.ts";
import { awsPorts, type DriverPorts, resultStore } from "./ports.ts";
import { storedPlan } from "./stored-plan.ts";

/** Kept from the driver's own time for the last write. */
const lastWriteMs = 15_000;

interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** One visit of one cell: the sampler of lib/protocol on Lambda, its samples to S3 as they come. */
export const handler = (request: MeasureRequest, context: LambdaContext) =>
  measure(request, awsPorts(), context.getRemainingTimeInMillis());

export async function measure(
  request: MeasureRequest,
  ports: DriverPorts,
  remainingMs: number,
): Promise<{ readonly cellId: string }> {
  const { cellId, block: index, runId } = request;
  const store = resultStore(ports, runId);
  const plan = await storedPlan(store);
  const recorder = new S3Recorder(store);
  // No call may be begun that could outlive the driver.
  const usableMs = Math.max(0, remainingMs - invokeLimitMs(plan) - lastWriteMs);
  const signal = AbortSignal.timeout(usableMs);
  const context = { plan, ...visitOf(plan, cellId, index), seenBootIds: new Set<string>() };
  try {
    await measureVisit(lambdaTarget(request, plan, ports), context, recorder, signal);
  } finally {
    await recorder.flush();
  }
  if (signal.aborted) {
    const message = `stopped after ${usableMs} ms, before the driver's own timeout`;
    await recorder.failure({ cellId, block: index, type: "VisitCutShort", message });
  }
  return { cellId };
}

function lambdaTarget(request: MeasureRequest, plan: Plan, ports: DriverPorts): LambdaTarget {
  const { runId, block, functionName } = request;
  return new LambdaTarget({
    measuring: ports.measuring,
    environments: new FunctionEnvironments(ports.control, ports.updateWait),
    functionName: () => functionName,
    nonce: () => `${runId}.${block}.${ports.randomBytes(6).toString("hex")}`,
    invokeLimitMs: invokeLimitMs(plan),
    now: ports.now,
  });
}

/** The function's timeout, its Init before, and the way there and back. */
function invokeLimitMs(plan: Plan): number {
  return (plan.timeoutSeconds + 15) * 1000;
}
