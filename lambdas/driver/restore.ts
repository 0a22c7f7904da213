import { FunctionEnvironments } from "../../lib/aws/function-environment.ts";
import { restoreFunctions } from "../../lib/aws/lambda-target.ts";
import { nameOfRun, RunReplaced } from "../../lib/aws/run-lock.ts";
import { notRestoredName, type RestoreRequest } from "../../lib/run/messages.ts";
import { awsPorts, type DriverPorts, runLock } from "./ports.ts";

/** Restores every function's environment variables, including those that a stopped run left changed. */
export const handler = (request: RestoreRequest) => restore(request, awsPorts());

/**
 * Throws RunReplaced, and changes no function, if another execution has the stack. That is possible: an execution
 * that was redriven keeps its ARN even if another run has taken over since.
 * https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html
 */
export async function restore(
  { functionNames, execution }: RestoreRequest,
  ports: DriverPorts,
): Promise<{ readonly restored: number }> {
  const holder = (await runLock(ports).read())?.holder;
  if (holder !== undefined && holder.execution !== execution) {
    throw new RunReplaced(`${nameOfRun(holder)}; the functions are left as they are`);
  }
  const environments = new FunctionEnvironments(ports.control, ports.updateWait);
  const { restored, failed } = await restoreFunctions(environments, functionNames);
  if (failed.length === 0) return { restored: restored.length };
  const list = failed.map(({ functionName, message }) => `${functionName}: ${message}`);
  throw new NotRestored(`${failed.length} functions were not restored: ${list.join("; ")}`);
}

class NotRestored extends Error {
  override readonly name = notRestoredName;
}
