import { FunctionEnvironments } from "../../lib/aws/function-environment.ts";
import { restoreFunctions } from "../../lib/aws/restore-functions.ts";
import type { RestoreRequest } from "./messages.ts";
import { awsPorts, type DriverPorts } from "./ports.ts";

/** Gives every function its environment back, also what an earlier, stopped run left changed. */
export const handler = (request: RestoreRequest) => restore(request, awsPorts());

export async function restore(
  { functionNames }: RestoreRequest,
  ports: DriverPorts,
): Promise<{ readonly restored: number }> {
  const environments = new FunctionEnvironments(ports.control, ports.updateWait);
  const { restored, failed } = await restoreFunctions(environments, functionNames);
  if (failed.length === 0) return { restored: restored.length };
  const list = failed.map(({ functionName, message }) => `${functionName}: ${message}`);
  throw new Error(`${failed.length} functions were not restored: ${list.join("; ")}`);
}
