import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { DriverProps } from "./driver.ts";

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
  const matrix = functions.map((measured) => measured.functionArn);
  const logGroups = new Set(functions.map((measured) => measured.logGroup.logGroupArn));
  const ofRuns = (...paths: readonly string[]) =>
    paths.map((path) => bucket.arnForObjects(`runs/*/${path}`));
  const runLock = [bucket.arnForObjects("lock.json")];
  const listRuns = new PolicyStatement({
    actions: ["s3:ListBucket"],
    resources: [bucket.bucketArn],
    conditions: { StringLike: { "s3:prefix": ["runs/*"] } },
  });
  return {
    plan: [
      // GetAccountSettings takes no resource: its answer is the account's.
      allow(["lambda:GetAccountSettings"], ["*"]),
      // Reading is asked for by If-Match too. To look at executions: Conductor.
      allow(["s3:GetObject", "s3:PutObject"], runLock),
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
      allow(
        ["lambda:GetFunction", "lambda:InvokeFunction", "lambda:UpdateFunctionConfiguration"],
        matrix,
      ),
      // For the REPORT of a function whose log was longer than its tail.
      allow(["logs:FilterLogEvents"], [...logGroups]),
      allow(["s3:GetObject"], [...ofRuns("plan.json"), ...runLock]),
      allow(["s3:PutObject"], ofRuns("samples/*", "failures/*")),
    ],
    precision: [listRuns, allow(["s3:GetObject"], ofRuns("plan.json", "samples/*"))],
    "record-failure": [allow(["s3:PutObject"], ofRuns("failures/*"))],
    restore: [
      allow(["lambda:GetFunction", "lambda:UpdateFunctionConfiguration"], matrix),
      allow(["s3:GetObject"], runLock),
    ],
    report: [
      allow(["lambda:GetFunction"], matrix),
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
