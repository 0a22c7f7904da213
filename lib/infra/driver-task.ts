import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { TaskInput } from "aws-cdk-lib/aws-stepfunctions";
import { LambdaInvoke, type LambdaInvokeJsonataProps } from "aws-cdk-lib/aws-stepfunctions-tasks";
import type { Construct } from "constructs";

/** Errors in calling a driver, not of its work: on a control path they may be tried again. */
const callErrors = [
  "Lambda.ClientExecutionTimeoutException",
  "Lambda.ServiceException",
  "Lambda.AWSLambdaException",
  "Lambda.SdkClientException",
  "Lambda.TooManyRequestsException",
];

/** A driver's call that may be tried again: its work can be done twice, and does not measure. */
export function controlTask(
  scope: Construct,
  id: string,
  lambdaFunction: LambdaFunction,
  payload: object | string,
  results: Pick<LambdaInvokeJsonataProps, "assign" | "outputs"> = {},
): LambdaInvoke {
  const task = LambdaInvoke.jsonata(scope, id, {
    lambdaFunction,
    payload:
      typeof payload === "string"
        ? TaskInput.fromText(payload)
        : TaskInput.fromObject({ ...payload }),
    retryOnServiceExceptions: false,
    outputs: {},
    ...results,
  });
  task.addRetry({
    errors: callErrors,
    interval: Duration.seconds(2),
    maxAttempts: 3,
    backoffRate: 2,
  });
  return task;
}
