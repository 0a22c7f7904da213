import { FunctionEnvironments } from "../../lib/aws/function-environment.ts";
import { LambdaTarget, type LambdaTargetOptions } from "../../lib/aws/lambda-target.ts";
import { LogTelemetry } from "../../lib/aws/log-telemetry.ts";
import { defined } from "../../lib/contract/defined.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import type { DriverPorts } from "./ports.ts";

type OwnOptions = Pick<LambdaTargetOptions, "measuring" | "nonce" | "onCall" | "updateDelayMs">;

/** Returns the target for one function, with the plan's call spacing. */
export function functionTarget(
  plan: Plan,
  functionName: string,
  ports: DriverPorts,
  own: OwnOptions,
): LambdaTarget {
  const { callSpacingMs, operationSpacingMs } = plan;
  return new LambdaTarget({
    ...own,
    environments: new FunctionEnvironments(ports.control, ports.updateWait),
    logs: new LogTelemetry(ports),
    functionName: () => functionName,
    invokeLimitMs: invokeLimitMs(plan),
    // An old plan has none, and gets the spacing that Lambda requires.
    spacing: defined({ callSpacingMs, operationSpacingMs }),
    now: ports.now,
    clockMs: ports.clockMs,
    sleep: ports.sleep,
  });
}

/** Time limit of a call: the function's timeout plus 15 s for Init and the network. */
export function invokeLimitMs(plan: Plan): number {
  return (plan.timeoutSeconds + 15) * 1000;
}
