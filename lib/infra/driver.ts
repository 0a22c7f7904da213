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

interface Size {
  readonly description: string;
  readonly timeout: Duration;
}

const sizes = {
  plan: {
    description: "validates the input and plans the run",
    timeout: Duration.minutes(1),
  },
  seed: {
    description: "writes the items or objects that a run starts with",
    timeout: Duration.minutes(1),
  },
  "try-functions": {
    description: "calls each function once with each event before anything is measured",
    timeout: Duration.minutes(15),
  },
  "first-block": {
    description: "ends a run of whose first block nothing counts",
    timeout: Duration.minutes(1),
  },
  measure: {
    description: "measures one trial of one cell",
    timeout: Duration.minutes(15),
  },
  precision: {
    description: "decides whether a run with a stopping rule goes on",
    timeout: Duration.minutes(15),
  },
  "record-failure": {
    description: "records a trial whose driver failed",
    timeout: Duration.minutes(1),
  },
  restore: {
    description: "restores the environment variables of the measured functions",
    timeout: Duration.minutes(15),
  },
  report: {
    description: "writes the report of an experiment",
    timeout: Duration.minutes(15),
  },
  overview: {
    description: "combines the reports of a run's experiments into one",
    timeout: Duration.minutes(5),
  },
} as const satisfies Readonly<Record<string, Size>>;

/** The handlers of lambdas/driver. */
type HandlerName = keyof typeof sizes;

/** The functions that the states call. Each may make exactly the calls of its handler. */
export class Driver extends Construct {
  readonly logGroup: LogGroup;
  readonly #functions: ReadonlyMap<HandlerName, DriverFunction>;

  constructor(scope: Construct, id: string, props: DriverProps) {
    super(scope, id);
    this.logGroup = ownLogGroup(this, "LogGroup");
    const { bucketName } = props.bucket;
    const permissions = driverPermissions(props);
    const isArm = driverArchitecture(props.cells) === "arm64";
    const architecture = isArm ? Architecture.ARM_64 : Architecture.X86_64;
    const handlers = Object.keys(permissions) as HandlerName[];
    const code = driverCode();
    this.#functions = new Map(
      handlers.map((handler) => {
        const statements = permissions[handler];
        const memoryMb = driverMemoryMb[handler];
        const shared = { code, bucketName, logGroup: this.logGroup, architecture };
        const own = { handler, statements, memoryMb, ...sizes[handler] };
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

/** Returns each handler's permissions: its calls, on exactly the resources that it uses. */
function driverPermissions({
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
  // If-Match requires read permission too. Listing distinguishes a deleted lock from a denied one.
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
      // GetAccountSettings cannot be limited to a resource: it returns the account's settings.
      allow(["lambda:GetAccountSettings"], ["*"]),
      // Permission to look at executions is in the construct Conductor.
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
    "try-functions": [
      onMatrix(stack, ["lambda:InvokeFunction"]),
      allow(["s3:GetObject"], ofRuns("plan.json")),
    ],
    "first-block": [listRuns, allow(["s3:GetObject"], ofRuns("samples/*", "failures/*"))],
    measure: [
      onMatrix(stack, [
        "lambda:GetFunction",
        "lambda:InvokeFunction",
        "lambda:UpdateFunctionConfiguration",
      ]),
      // Logs are read for a REPORT line that the log tail lacks, and for the log streams of a user's functions.
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
      allow(["s3:PutObject"], ofRuns("manifest.json", "summary.json", "report*", "series.csv")),
      allow(["s3:PutObject"], ofRuns("SHA256SUMS")),
    ],
    overview: [
      listRuns,
      allow(["s3:GetObject"], ofRuns("report.json", "manifest.json", "SHA256SUMS")),
      allow(["s3:PutObject"], ofRuns("summary.json", "report*", "SHA256SUMS")),
    ],
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
function onMatrix(stack: Stack, actions: readonly string[]): PolicyStatement {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const name = { service: "lambda", resource: "function", resourceName: "*", arnFormat };
  return new PolicyStatement({
    actions: [...actions],
    resources: [stack.formatArn(name)],
    conditions: { StringEquals: { [`aws:ResourceTag/${measuredByTag}`]: stack.stackId } },
  });
}
