import type { Cell } from "../contract/types/contract.ts";

/** The keys of AWS's documentation: the S3 stand-in checks signatures made with them. */
export const localCredentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
} as const;

/** What a local function is told, beside its own variables. */
export interface LambdaIdentity {
  readonly cell: Cell;
  readonly functionName: string;
  readonly region: string;
  readonly handler: string;
  readonly taskRoot: string;
  readonly runtimeApi: string;
}

/**
 * The environment map of a function's process: what Lambda sets and nothing of the caller's, so that
 * no credential of the user reaches a measured function. The keys are the documented example's.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function lambdaEnvironment(identity: LambdaIdentity): Readonly<Record<string, string>> {
  const { cell, functionName, region, handler, taskRoot, runtimeApi } = identity;
  return {
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(cell.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "local",
    AWS_EXECUTION_ENV: `AWS_Lambda_${cell.runtime}`,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    AWS_SESSION_TOKEN: "local",
    LAMBDA_TASK_ROOT: taskRoot,
    LAMBDA_RUNTIME_DIR: taskRoot,
    _HANDLER: handler,
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    PATH: "/usr/local/bin:/usr/bin:/bin",
  };
}
