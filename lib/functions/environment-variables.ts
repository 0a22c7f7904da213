import { InvalidInput } from "../contract/errors.ts";
import type { MeasuredFunction } from "../contract/types/contract.ts";

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html */
const reservedVariables: ReadonlySet<string> = new Set([
  "_HANDLER",
  "_X_AMZN_TRACE_ID",
  "AWS_DEFAULT_REGION",
  "AWS_REGION",
  "AWS_EXECUTION_ENV",
  "AWS_LAMBDA_FUNCTION_NAME",
  "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
  "AWS_LAMBDA_FUNCTION_VERSION",
  "AWS_LAMBDA_INITIALIZATION_TYPE",
  "AWS_LAMBDA_LOG_GROUP_NAME",
  "AWS_LAMBDA_LOG_STREAM_NAME",
  "AWS_ACCESS_KEY",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_LAMBDA_RUNTIME_API",
  "LAMBDA_TASK_ROOT",
  "LAMBDA_RUNTIME_DIR",
  // The driver changes it to make the copy cold.
  "KELVIN_NONCE",
]);
const variableName = /^[A-Za-z][A-Za-z0-9_]+$/;
/** Most bytes of names and values together: Lambda's limit, less the variable that makes a copy cold. */
const mostVariableBytes = 4096 - 128;

/** Checks environment variables by Lambda's rules (the page above). Throws InvalidInput for what Lambda would refuse. */
export function requireLambdaVariables({
  name,
  environment = {},
}: Pick<MeasuredFunction, "name" | "environment">): void {
  for (const variable of Object.keys(environment)) {
    const isReserved = reservedVariables.has(variable);
    if (!isReserved && variableName.test(variable)) continue;
    const allowed = isReserved
      ? "a name that neither Lambda nor Kelvin reserves"
      : "two or more letters, digits and underscores, a letter first";
    throw new InvalidInput(`${name}: environment`, variable, allowed);
  }
  const bytes = Object.entries(environment).reduce(
    (sum, entry) => sum + Buffer.byteLength(entry.join("")),
    0,
  );
  if (bytes <= mostVariableBytes) return;
  const allowed = `at most ${mostVariableBytes} bytes of names and values: Lambda takes 4 KB`;
  throw new InvalidInput(`${name}: environment`, bytes, allowed);
}
