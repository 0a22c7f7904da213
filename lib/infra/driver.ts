import { Duration } from "aws-cdk-lib";
import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Role } from "aws-cdk-lib/aws-iam";
import { Architecture, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { driverArchitecture } from "../contract/driver-architecture.ts";
import { driverMemoryMb } from "../contract/driver-memory.ts";
import type { Cell } from "../contract/types/contract.ts";
import { DriverFunction } from "./driver-function.ts";
import { driverPermissions, type HandlerName } from "./driver-permissions.ts";
import { ownLogGroup } from "./own-log-group.ts";

export interface DriverProps {
  readonly bucket: Bucket;
  /** Of the whole stack. */
  readonly cells: readonly Cell[];
  /** Every measured function of the stack. */
  readonly functions: readonly LambdaFunction[];
  readonly tables: readonly Table[];
  /** Where objects are written before a run. */
  readonly dataBuckets: readonly { readonly bucket: Bucket; readonly prefix: string }[];
}

interface Size {
  readonly description: string;
  readonly timeout: Duration;
}

const sizes: Readonly<Record<HandlerName, Size>> = {
  plan: {
    description: "validates the input and plans the run",
    timeout: Duration.minutes(1),
  },
  seed: {
    description: "writes what the table or bucket holds before a run",
    timeout: Duration.minutes(1),
  },
  measure: {
    description: "measures one visit of one cell",
    timeout: Duration.minutes(15),
  },
  precision: {
    description: "decides whether a run with a stopping rule goes on",
    timeout: Duration.minutes(15),
  },
  "record-failure": {
    description: "records a visit whose driver failed",
    timeout: Duration.minutes(1),
  },
  restore: {
    description: "gives the measured functions their environment back",
    timeout: Duration.minutes(15),
  },
  report: {
    description: "writes the report of an experiment",
    timeout: Duration.minutes(15),
  },
  overview: {
    description: "puts the report of a run together from its experiments' reports",
    timeout: Duration.minutes(5),
  },
};

/** The functions behind the states, each allowed exactly what its handler calls. */
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
    this.#functions = new Map(
      handlers.map((handler) => {
        const statements = permissions[handler];
        const memoryMb = driverMemoryMb[handler];
        const shared = { handler, statements, bucketName, logGroup: this.logGroup, architecture };
        const size = { memoryMb, ...sizes[handler] };
        return [handler, new DriverFunction(this, handler, { ...shared, ...size })];
      }),
    );
  }

  of(handler: HandlerName): LambdaFunction {
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
