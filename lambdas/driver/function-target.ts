import { FunctionEnvironments } from "../../lib/aws/function-environment.ts";
import { LambdaTarget, type LambdaTargetOptions } from "../../lib/aws/lambda-target.ts";
import { LogTelemetry } from "../../lib/aws/log-telemetry.ts";
import { defined } from "../../lib/contract/defined.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import type { CallSpacing } from "../../lib/plan/trial-calls.ts";
import type { DriverPorts } from "./ports.ts";

type OwnOptions = Pick<LambdaTargetOptions, "measuring" | "nonce" | "updateDelayMs">;

/** The target of one function, whose calls are spaced as the plan says. */
export function functionTarget(
  plan: Plan,
  functionName: string,
  ports: DriverPorts,
  own: OwnOptions,
): LambdaTarget {
  return new LambdaTarget({
    ...own,
    environments: new FunctionEnvironments(ports.control, ports.updateWait),
    logs: new LogTelemetry(ports),
    functionName: () => functionName,
    invokeLimitMs: invokeLimitMs(plan),
    spacing: findSpacing(plan),
    now: ports.now,
    clockMs: ports.clockMs,
    sleep: ports.sleep,
  });
}

/** The plan's; one made before it had any is spaced as Lambda asks for. */
function findSpacing({ callSpacingMs, operationSpacingMs }: Plan): Partial<CallSpacing> {
  return {
    ...defined({ callSpacingMs, operationSpacingMs }),
  };
}

/** The function's timeout, its Init before, and the way there and back. */
export function invokeLimitMs(plan: Plan): number {
  return (plan.timeoutSeconds + 15) * 1000;
}
