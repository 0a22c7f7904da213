import { ArnFormat, AssetHashType, DockerImage, Duration, Stack } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { Cell } from "../contract/types/contract.ts";
import { runLockKey } from "../plan/deployment.ts";
import { driverArchitecture, driverMemoryMb } from "../plan/driver-size.ts";
import { driverModule, writeDriverBundle } from "../toolchain/driver-bundle.ts";
import { isRepository, projectPaths } from "../toolchain/project-paths.ts";
import { measuredByTag, ownLogGroup } from "./own-resources.ts";

interface DriverProps {
  readonly bucket: Bucket;
  /** Cells of the whole stack. */
  readonly cells: readonly Cell[];
  /** All measured functions of the stack. */
  readonly functions: readonly LambdaFunction[];
  readonly tables: readonly Table[];
  /** Buckets and prefixes that are seeded with objects before a run. */
  readonly dataBuckets: readonly { readonly bucket: Bucket; readonly prefix: string }[];
}

interface Handler {
  readonly description: string;
  readonly timeout: Duration;
  /** The calls that the handler makes, and no others. */
  readonly statements: (grants: ReturnType<typeof makeGrants>) => readonly PolicyStatement[];
}

/** The handlers of lambdas/driver. */
const handlers = {
  plan: {
    description: "validates the input and plans the run",
    timeout: Duration.minutes(1),
    // Permission to look at executions is in the construct Conductor.
    statements: ({ readAccount, readRunLock, writeRunLock, listRuns, writeRun }) => [
      readAccount,
      ...readRunLock,
      writeRunLock,
      listRuns,
      writeRun("plan.json"),
    ],
  },
  seed: {
    description: "writes the items or objects that a run starts with",
    timeout: Duration.minutes(1),
    statements: ({ writeSeed }) => writeSeed,
  },
  "try-functions": {
    description: "calls each function once with each event before anything is measured",
    timeout: Duration.minutes(15),
    statements: ({ onMatrix, readRunLock, readRun }) => [
      onMatrix("lambda:InvokeFunction"),
      ...readRunLock,
      readRun("plan.json"),
    ],
  },
  "first-block": {
    description: "ends a run of whose first block nothing counts",
    timeout: Duration.minutes(1),
    statements: ({ listRuns, readRun }) => [listRuns, readRun("samples/*", "failures/*")],
  },
  measure: {
    description: "measures one trial of one cell",
    timeout: Duration.minutes(15),
    statements: ({ onMatrix, readLogs, readRunLock, readRun, writeRun }) => [
      onMatrix("lambda:GetFunction", "lambda:InvokeFunction", "lambda:UpdateFunctionConfiguration"),
      readLogs,
      ...readRunLock,
      readRun("plan.json"),
      writeRun("samples/*", "failures/*"),
    ],
  },
  precision: {
    description: "decides whether a run with a stopping rule goes on",
    timeout: Duration.minutes(15),
    statements: ({ listRuns, readRun }) => [listRuns, readRun("plan.json", "samples/*")],
  },
  "record-failure": {
    description: "records a trial whose driver failed",
    timeout: Duration.minutes(1),
    statements: ({ writeRun }) => [writeRun("failures/*")],
  },
  restore: {
    description: "restores the environment variables of the measured functions",
    timeout: Duration.minutes(15),
    statements: ({ onMatrix, readRunLock }) => [
      onMatrix("lambda:GetFunction", "lambda:UpdateFunctionConfiguration"),
      ...readRunLock,
    ],
  },
  report: {
    description: "writes the report of an experiment",
    timeout: Duration.minutes(15),
    statements: ({ onMatrix, listRuns, readRun, writeRun }) => [
      onMatrix("lambda:GetFunction"),
      listRuns,
      readRun("plan.json", "samples/*", "failures/*", "manifest.json"),
      writeRun("manifest.json", "summary.json", "report*", "series.csv"),
      writeRun("SHA256SUMS"),
    ],
  },
  overview: {
    description: "combines the reports of a run's experiments into one",
    timeout: Duration.minutes(5),
    statements: ({ listRuns, readRun, writeRun }) => [
      listRuns,
      readRun("report.json", "manifest.json", "SHA256SUMS"),
      writeRun("summary.json", "report*", "SHA256SUMS"),
    ],
  },
} satisfies Readonly<Record<string, Handler>>;

type HandlerName = keyof typeof handlers;

/** The functions that the states call. Each may make exactly the calls of its handler. */
export class Driver extends Construct {
  readonly logGroup: LogGroup;
  readonly #functions: ReadonlyMap<HandlerName, DriverFunction>;

  constructor(scope: Construct, id: string, props: DriverProps) {
    super(scope, id);
    this.logGroup = ownLogGroup(this, "LogGroup");
    const { bucketName } = props.bucket;
    const grants = makeGrants(props);
    const isArm = driverArchitecture(props.cells) === "arm64";
    const architecture = isArm ? Architecture.ARM_64 : Architecture.X86_64;
    const names = Object.keys(handlers) as HandlerName[];
    const code = driverCode();
    this.#functions = new Map(
      names.map((handler) => {
        const { description, timeout, statements } = handlers[handler];
        const memoryMb = driverMemoryMb[handler];
        const shared = { code, bucketName, logGroup: this.logGroup, architecture };
        const own = { handler, description, timeout, memoryMb, statements: statements(grants) };
        return [handler, new DriverFunction(this, handler, { ...shared, ...own })];
      }),
    );
  }

  functionFor(handler: HandlerName): LambdaFunction {
    return this.#driver(handler).function;
  }

  roleOf(handler: HandlerName): Role {
    return this.#driver(handler).role;
  }

  get all(): readonly LambdaFunction[] {
    return [...this.#functions.values()].map((driver) => driver.function);
  }

  #driver(handler: HandlerName): DriverFunction {
    return this.#functions.get(handler) as DriverFunction;
  }
}

interface DriverFunctionProps {
  readonly code: Code;
  readonly handler: HandlerName;
  readonly description: string;
  readonly bucketName: string;
  readonly logGroup: LogGroup;
  readonly statements: readonly PolicyStatement[];
  readonly memoryMb: number;
  readonly timeout: Duration;
  readonly architecture: Architecture;
}

/** The Lambda function of a state's handler, with its own role. */
class DriverFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: DriverFunctionProps) {
    super(scope, id);
    this.role = new Role(this, "Role", {
      description: `Kelvin's driver: ${props.description}`,
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    for (const statement of props.statements) this.role.addToPolicy(statement);
    props.logGroup.grantWrite(this.role);
    this.function = new LambdaFunction(this, "Function", {
      description: `Kelvin's driver: ${props.description}`,
      code: props.code,
      handler: `${driverModule}.${props.handler}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: props.architecture,
      memorySize: props.memoryMb,
      timeout: props.timeout,
      environment: { BUCKET_NAME: props.bucketName, NODE_OPTIONS: "--enable-source-maps" },
      role: this.role,
      logGroup: props.logGroup,
    });
  }
}

/** Returns the code of all handlers, one archive. An installed package contains it already built. */
function driverCode(): Code {
  if (!isRepository) return Code.fromAsset(projectPaths.driver);
  const tryBundle = (folder: string) => {
    writeDriverBundle(folder);
    return true;
  };
  return Code.fromAsset(projectPaths.driver, {
    // The handlers import from lib, which a hash of this folder alone would miss.
    assetHashType: AssetHashType.OUTPUT,
    // The image is never run.
    bundling: { local: { tryBundle }, image: DockerImage.fromRegistry("scratch") },
  });
}

/** Returns the permissions that handlers need, on exactly the stack's resources. */
function makeGrants({ bucket, functions, tables, dataBuckets }: DriverProps) {
  const logGroups = new Set(functions.map((measured) => measured.logGroup.logGroupArn));
  const ofRuns = (paths: readonly string[]) =>
    paths.map((path) => bucket.arnForObjects(`runs/*/${path}`));
  const runLock = bucket.arnForObjects(runLockKey);
  const list = (conditions: Readonly<Record<string, object>>) =>
    new PolicyStatement({ actions: ["s3:ListBucket"], resources: [bucket.bucketArn], conditions });
  return {
    // GetAccountSettings cannot be limited to a resource: it returns the account's settings.
    readAccount: allow(["lambda:GetAccountSettings"], ["*"]),
    onMatrix: (...actions: readonly string[]) => allowOnMatrix(Stack.of(bucket), actions),
    // Logs are read for a REPORT line that the log tail lacks, and for the log streams of a user's functions.
    readLogs: allow(["logs:FilterLogEvents"], [...logGroups]),
    writeSeed: [
      ...tables.map((table) => allow(["dynamodb:BatchWriteItem"], [table.tableArn])),
      ...dataBuckets.map((data) =>
        allow(["s3:PutObject"], [data.bucket.arnForObjects(`${data.prefix}*`)]),
      ),
    ],
    // If-Match requires read permission too. Listing distinguishes a deleted lock from a denied one.
    readRunLock: [
      allow(["s3:GetObject"], [runLock]),
      list({ StringEquals: { "s3:prefix": runLockKey } }),
    ],
    writeRunLock: allow(["s3:PutObject"], [runLock]),
    listRuns: list({ StringLike: { "s3:prefix": ["runs/*"] } }),
    readRun: (...paths: readonly string[]) => allow(["s3:GetObject"], ofRuns(paths)),
    writeRun: (...paths: readonly string[]) => allow(["s3:PutObject"], ofRuns(paths)),
  };
}

function allow(actions: readonly string[], resources: readonly string[]): PolicyStatement {
  return new PolicyStatement({ actions: [...actions], resources: [...resources] });
}

/**
 * Allows actions on every measured function of the stack, identified by its tag: all their ARNs would exceed the size
 * limit of a role's policies. Every action on a function can be limited by the function's tags.
 * https://docs.aws.amazon.com/lambda/latest/dg/attribute-based-access-control.html
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awslambda.html#awslambda-resources-for-iam-policies
 */
function allowOnMatrix(stack: Stack, actions: readonly string[]): PolicyStatement {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const name = { service: "lambda", resource: "function", resourceName: "*", arnFormat };
  return new PolicyStatement({
    actions: [...actions],
    resources: [stack.formatArn(name)],
    conditions: { StringEquals: { [`aws:ResourceTag/${measuredByTag}`]: stack.stackId } },
  });
}
