import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { DriverProps } from "./driver.ts";
import { measuredByTag } from "./project-tag.ts";

/** As lib/aws/run-lock.ts has it. */
const runLockKey = "lock.json";

export type HandlerName =
  | "plan"
  | "seed"
  | "measure"
  | "precision"
  | "record-failure"
  | "restore"
  | "report"
  | "overview";

/** What each handler calls, on exactly what it calls it. */
export function driverPermissions({
  bucket,
  functions,
  tables,
  dataBuckets,
}: DriverProps): Readonly<Record<HandlerName, readonly PolicyStatement[]>> {
  const stack = Stack.of(bucket);
  const logGroups = new Set(functions.map((measured) => measured.logGroup.logGroupArn));
  const ofRuns = (...paths: readonly string[]) =>
    paths.map((path) => bucket.arnForObjects(`runs/*/${path}`));
  const runLock = bucket.arnForObjects(runLockKey);
  // Reading is asked for by If-Match too, and listing tells a lock that was deleted from one that is denied.
  const readRunLock = [
    allow(["s3:GetObject"], [runLock]),
    new PolicyStatement({
      actions: ["s3:ListBucket"],
      resources: [bucket.bucketArn],
      conditions: { StringEquals: { "s3:prefix": runLockKey } },
    }),
  ];
  const listRuns = new PolicyStatement({
    actions: ["s3:ListBucket"],
    resources: [bucket.bucketArn],
    conditions: { StringLike: { "s3:prefix": ["runs/*"] } },
  });
  return {
    plan: [
      // GetAccountSettings takes no resource: its answer is the account's.
      allow(["lambda:GetAccountSettings"], ["*"]),
      // To look at executions: Conductor.
      ...readRunLock,
      allow(["s3:PutObject"], [runLock]),
      listRuns,
      allow(["s3:PutObject"], ofRuns("plan.json")),
    ],
    seed: [
      ...tables.map((table) => allow(["dynamodb:BatchWriteItem"], [table.tableArn])),
      ...dataBuckets.map((data) =>
        allow(["s3:PutObject"], [data.bucket.arnForObjects(`${data.prefix}*`)]),
      ),
    ],
    measure: [
      onMatrix(stack, [
        "lambda:GetFunction",
        "lambda:InvokeFunction",
        "lambda:UpdateFunctionConfiguration",
      ]),
      // For the REPORT of a function whose log was longer than its tail.
      allow(["logs:FilterLogEvents"], [...logGroups]),
      ...readRunLock,
      allow(["s3:GetObject"], ofRuns("plan.json")),
      allow(["s3:PutObject"], ofRuns("samples/*", "failures/*")),
    ],
    precision: [listRuns, allow(["s3:GetObject"], ofRuns("plan.json", "samples/*"))],
    "record-failure": [allow(["s3:PutObject"], ofRuns("failures/*"))],
    restore: [
      onMatrix(stack, ["lambda:GetFunction", "lambda:UpdateFunctionConfiguration"]),
      ...readRunLock,
    ],
    report: [
      onMatrix(stack, ["lambda:GetFunction"]),
      listRuns,
      allow(["s3:GetObject"], ofRuns("plan.json", "samples/*", "failures/*", "manifest.json")),
      allow(["s3:PutObject"], ofRuns("manifest.json", "summary.json", "report.*", "series.csv")),
      allow(["s3:PutObject"], ofRuns("SHA256SUMS")),
    ],
    overview: [
      listRuns,
      allow(["s3:GetObject"], ofRuns("report.json", "SHA256SUMS")),
      allow(["s3:PutObject"], ofRuns("summary.json", "report.*", "SHA256SUMS")),
    ],
  };
}

function allow(actions: readonly string[], resources: readonly string[]): PolicyStatement {
  return new PolicyStatement({ actions: [...actions], resources: [...resources] });
}

/**
 * On every measured function of the stack, known by its tag: their ARNs together would not fit into the
 * policies that a role may have. Every action on a function can be allowed by the function's tags.
 * https://docs.aws.amazon.com/lambda/latest/dg/attribute-based-access-control.html
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html#awslambda-resources-for-iam-policies
 */
function onMatrix(stack: Stack, actions: readonly string[]): PolicyStatement {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const name = { service: "lambda", resource: "function", resourceName: "*", arnFormat };
  return new PolicyStatement({
    actions: [...actions],
    resources: [stack.formatArn(name)],
    conditions: { StringEquals: { [`aws:ResourceTag/${measuredByTag}`]: stack.stackId } },
  });
}
