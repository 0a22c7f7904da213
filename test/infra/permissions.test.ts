import { describe, expect, it } from "vitest";
import { deployedRoles } from "../support/iam/deployed-roles.ts";
import { decide, type IamRequest } from "../support/iam/policy-evaluator.ts";
import { permissionsOf } from "../support/policy-statements.ts";
import { synthTemplate } from "../support/synth.ts";

const template = synthTemplate({ memory: "128" });
const measured = [
  "dynamodbpythonarm64128",
  "dynamodbrustarm64128",
  "dynamodbrustarm64128replica",
  "dynamodbrusttunedarm64128",
];
const handlers = [
  "plan",
  "seed",
  "tryfunctions",
  "firstblock",
  "measure",
  "precision",
  "recordfailure",
  "restore",
  "report",
  "overview",
];
const objects = (path: string) => `ResultsBucket.Arn/runs/*/${path}`;
const runLock = "ResultsBucket.Arn/lock.json";
const executions =
  "arn:AWS::Partition:states:AWS::Region:AWS::AccountId:execution:ConductorStateMachine split by :[6]:*";
const listRunLock =
  's3:ListBucket on ResultsBucket.Arn if {"StringEquals":{"s3:prefix":"lock.json"}}';
const listRuns = 's3:ListBucket on ResultsBucket.Arn if {"StringLike":{"s3:prefix":["runs/*"]}}';
const withTag = '{"StringEquals":{"aws:ResourceTag/kelvin-measured-by":{"Ref":"AWS::StackId"}}}';
const onMatrix = (who: string, action: string) =>
  `${who}: ${action} on arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:function:* if ${withTag}`;
const onLog = (who: string, logGroup: string) => [
  `${who}: logs:CreateLogStream on ${logGroup}.Arn`,
  `${who}: logs:PutLogEvents on ${logGroup}.Arn`,
];
const bucketEmptier = "CustomS3AutoDeleteObjectsCustomResourceProviderRole";
const emptierActions = ["s3:DeleteObject*", "s3:GetBucket*", "s3:List*", "s3:PutBucketPolicy"];
const bucketAndObjects = ["ResultsBucket.Arn", "ResultsBucket.Arn/*"];
const insecure = [
  '{"Bool":{"aws:SecureTransport":"false"}}',
  '{"NumericLessThan":{"s3:TlsVersion":1.2}}',
];

const ownKeys = 'if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["put-*","batch-*"]}}';
const onTable = (role: string) => [
  `${role}: dynamodb:BatchWriteItem on dynamodbdataTable.Arn ${ownKeys}`,
  `${role}: dynamodb:GetItem on dynamodbdataTable.Arn`,
  `${role}: dynamodb:PutItem on dynamodbdataTable.Arn ${ownKeys}`,
  `${role}: dynamodb:Query on dynamodbdataTable.Arn`,
];
const variants = ["dynamodbpython", "dynamodbrust", "dynamodbrusttuned"];

const written = [
  ...variants.flatMap((variant) => onTable(`${variant}Role`)),
  ...variants.flatMap((variant) => onLog(`${variant}Role`, `${variant}LogGroup`)),
  ...handlers.flatMap((handler) => onLog(`Driver${handler}Role`, "DriverLogGroup")),
  "DriverplanRole: lambda:GetAccountSettings on *",
  `DriverplanRole: s3:PutObject on ${objects("plan.json")}`,
  `DriverplanRole: s3:GetObject on ${runLock}`,
  `DriverplanRole: ${listRunLock}`,
  `DriverplanRole: s3:PutObject on ${runLock}`,
  `DriverplanRole: ${listRuns}`,
  ...["plan", "tryfunctions", "measure"].map(
    (handler) => `Driver${handler}Role: states:DescribeExecution on ${executions}`,
  ),
  "DriverseedRole: dynamodb:BatchWriteItem on dynamodbdataTable.Arn",
  onMatrix("DrivertryfunctionsRole", "lambda:InvokeFunction"),
  `DrivertryfunctionsRole: s3:GetObject on ${objects("plan.json")}`,
  `DrivertryfunctionsRole: s3:GetObject on ${runLock}`,
  `DrivertryfunctionsRole: ${listRunLock}`,
  `DriverfirstblockRole: ${listRuns}`,
  ...["samples/*", "failures/*"].map(
    (path) => `DriverfirstblockRole: s3:GetObject on ${objects(path)}`,
  ),
  onMatrix("DrivermeasureRole", "lambda:GetFunction"),
  onMatrix("DrivermeasureRole", "lambda:InvokeFunction"),
  onMatrix("DrivermeasureRole", "lambda:UpdateFunctionConfiguration"),
  ...variants.map((id) => `DrivermeasureRole: logs:FilterLogEvents on ${id}LogGroup.Arn`),
  `DrivermeasureRole: s3:GetObject on ${objects("plan.json")}`,
  `DrivermeasureRole: s3:GetObject on ${runLock}`,
  `DrivermeasureRole: ${listRunLock}`,
  `DrivermeasureRole: s3:PutObject on ${objects("samples/*")}`,
  `DrivermeasureRole: s3:PutObject on ${objects("failures/*")}`,
  `DriverprecisionRole: ${listRuns}`,
  ...["plan.json", "samples/*"].map(
    (path) => `DriverprecisionRole: s3:GetObject on ${objects(path)}`,
  ),
  `DriverrecordfailureRole: s3:PutObject on ${objects("failures/*")}`,
  onMatrix("DriverrestoreRole", "lambda:GetFunction"),
  onMatrix("DriverrestoreRole", "lambda:UpdateFunctionConfiguration"),
  "DriverrestoreRole: s3:GetObject on ResultsBucket.Arn/lock.json",
  `DriverrestoreRole: ${listRunLock}`,
  onMatrix("DriverreportRole", "lambda:GetFunction"),
  `DriverreportRole: ${listRuns}`,
  ...["plan.json", "samples/*", "failures/*", "manifest.json"].map(
    (path) => `DriverreportRole: s3:GetObject on ${objects(path)}`,
  ),
  ...["manifest.json", "summary.json", "report*", "series.csv", "SHA256SUMS"].map(
    (path) => `DriverreportRole: s3:PutObject on ${objects(path)}`,
  ),
  `DriveroverviewRole: ${listRuns}`,
  ...["report.json", "manifest.json", "SHA256SUMS"].map(
    (path) => `DriveroverviewRole: s3:GetObject on ${objects(path)}`,
  ),
  ...["summary.json", "report*", "SHA256SUMS"].map(
    (path) => `DriveroverviewRole: s3:PutObject on ${objects(path)}`,
  ),
  ...handlers.map(
    (handler) => `ConductorRole: lambda:InvokeFunction on Driver${handler}Function.Arn`,
  ),
  "ConductorRole: states:StartExecution on ConductorStateMachine",
  ...["states:DescribeExecution", "states:StopExecution"].map(
    (action) => `ConductorRole: ${action} on ${executions}`,
  ),
  `ConductorRole: states:RedriveExecution on ${executions.replace(/:\*$/, "/*:*")}`,
  ...onLog(bucketEmptier, "BucketEmptierLogGroup"),
  ...emptierActions.flatMap((action) =>
    bucketAndObjects.map(
      (resource) => `AWS::S3::BucketPolicy: ${action} on ${resource} by ${bucketEmptier}.Arn`,
    ),
  ),
  ...insecure.flatMap((condition) =>
    bucketAndObjects.map(
      (resource) => `AWS::S3::BucketPolicy: Deny s3:* on ${resource} by * if ${condition}`,
    ),
  ),
];

describe("the stack's permissions", () => {
  const permissions = permissionsOf(template);

  it("are exactly those written down here", () => {
    expect(permissions).toEqual([...written].sort());
  });

  it("to read, update and invoke functions are on those that have the stack's tag: the measured ones alone", () => {
    const tagged = Object.entries(template.findResources("AWS::Lambda::Function"))
      .filter(([, { Properties }]) =>
        Properties.Tags.some(({ Key }: { readonly Key: string }) => Key === "kelvin-measured-by"),
      )
      .map(([id, { Properties }]) => {
        const tag = { Key: "kelvin-measured-by", Value: { Ref: "AWS::StackId" } };
        expect(Properties.Tags).toContainEqual(tag);
        return id.slice(0, -8);
      });
    expect(tagged.sort()).toEqual(measured);
  });

  it("of an experiment's functions are the calls that it names: on its own table, and on no other", () => {
    const both = synthTemplate({ memory: "128", experiments: "dynamodb,first-request" });
    const lines = permissionsOf(both).filter((line) => /^\w*Role: dynamodb:/.test(line));
    expect(lines).toEqual(
      [
        ...variants.flatMap((variant) => onTable(`${variant}Role`)),
        "DriverseedRole: dynamodb:BatchWriteItem on dynamodbdataTable.Arn",
        "DriverseedRole: dynamodb:BatchWriteItem on firstrequestdataTable.Arn",
        ...["breakdown", "nojitter", "ring", "tuned", "unwarmed", "warmed"].map(
          (id) => `firstrequest${id}Role: dynamodb:GetItem on firstrequestdataTable.Arn`,
        ),
        "firstrequestwarmedRole: dynamodb:ListTables on *",
      ].sort(),
    );
  });

  it("on a bucket of objects are its listing below one prefix and the calls on the objects there", () => {
    const context = { memory: "128", experiments: "s3-fanout", variants: "rust-serial" };
    const template = synthTemplate(context);
    const onObjects = permissionsOf(template).filter(
      (line) => line.includes("s3fanoutobjectsBucket") && !line.startsWith("AWS::S3::BucketPolicy"),
    );
    expect(onObjects).toEqual([
      "DriverseedRole: s3:PutObject on s3fanoutobjectsBucket.Arn/fanout/*",
      "s3fanoutrustserialRole: s3:GetObjectAcl on s3fanoutobjectsBucket.Arn/fanout/*",
      's3fanoutrustserialRole: s3:ListBucket on s3fanoutobjectsBucket.Arn if {"StringEquals":{"s3:prefix":"fanout/"}}',
    ]);
    expect(permissionsOf(template).filter((line) => line.includes("dynamodb:"))).toEqual([]);
  });

  it("to read logs end at the variants' own log groups", () => {
    const context = { memory: "128", experiments: "dynamodb,compute", variants: "rust" };
    const lines = permissionsOf(synthTemplate(context));
    expect(lines.filter((line) => line.includes("logs:Filter"))).toEqual([
      "DrivermeasureRole: logs:FilterLogEvents on computerustLogGroup.Arn",
      "DrivermeasureRole: logs:FilterLogEvents on dynamodbrustLogGroup.Arn",
    ]);
  });

  it("to look at executions stand in a policy that no function waits for: it would wait for itself", () => {
    const resources: Readonly<Record<string, { readonly DependsOn?: readonly string[] }>> =
      template.toJSON().Resources;
    const policies = Object.keys(resources).filter((id) => /^ConductorExecutionsPolicy/.test(id));
    expect(policies).toHaveLength(1);
    const waited = Object.values(resources).flatMap(({ DependsOn }) => DependsOn ?? []);
    expect(waited).not.toContain(policies[0]);
  });
});

describe("a variant's role", () => {
  const roles = deployedRoles(template);
  const functionsOf = Object.keys(template.findResources("AWS::Lambda::Function"));
  const functionOf = (name: string) => functionsOf.find((id) => id.slice(0, -8) === name) as string;
  const python = functionOf("dynamodbpythonarm64128");
  const rust = functionOf("dynamodbrustarm64128");
  const others = ["dynamodbrusttunedarm64128", "dynamodbpythonarm64128", "DrivermeasureFunction"];
  const may = (functionId: string, request: Omit<IamRequest, "context">, keys?: object) =>
    decide(roles.ofFunction(functionId).grants, { context: { ...keys }, ...request }).isAllowed;
  const onLogOf = (functionId: string, action: string) => ({
    action,
    resource: `arn:aws:logs:us-east-1:123456789012:log-group:${roles.logGroupOf(functionId)}:log-stream:s`,
  });
  const onTable = (action: string) => {
    const [table] = Object.keys(template.findResources("AWS::DynamoDB::Table"));
    return { action, resource: `arn:aws:dynamodb:us-east-1:123456789012:table/${table}` };
  };

  it.each(["logs:CreateLogStream", "logs:PutLogEvents"])(
    "has %s on its own log group, which the replica shares, and on no other's",
    (action) => {
      for (const own of [rust, functionOf("dynamodbrustarm64128replica")])
        expect(may(rust, onLogOf(own, action))).toBe(true);
      for (const other of others) expect(may(rust, onLogOf(functionOf(other), action))).toBe(false);
    },
  );

  it("reads no log, and the driver reads every variant's", () => {
    const measure = functionOf("DrivermeasureFunction");
    for (const measured of [rust, python, functionOf("dynamodbrusttunedarm64128")]) {
      expect(may(measure, onLogOf(measured, "logs:FilterLogEvents"))).toBe(true);
      expect(may(measured, onLogOf(measured, "logs:FilterLogEvents"))).toBe(false);
      expect(may(measure, onLogOf(measured, "logs:PutLogEvents"))).toBe(false);
    }
  });

  it("writes items of its own partitions, and not those that every variant reads", () => {
    const keys = (...found: readonly string[]) => ({ "dynamodb:LeadingKeys": found });
    for (const action of ["dynamodb:PutItem", "dynamodb:BatchWriteItem"]) {
      expect(may(python, onTable(action), keys("put-1"))).toBe(true);
      expect(may(python, onTable(action), keys("batch-1"))).toBe(true);
      expect(may(python, onTable(action), keys("seed"))).toBe(false);
      expect(may(python, onTable(action), keys("batch-1", "seed"))).toBe(false);
    }
    expect(may(python, onTable("dynamodb:Query"), keys("seed"))).toBe(true);
    for (const action of ["dynamodb:UpdateItem", "dynamodb:DeleteItem"])
      expect(may(python, onTable(action), keys("put-1"))).toBe(false);
  });
});
