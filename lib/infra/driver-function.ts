import type { Duration } from "aws-cdk-lib";
import { type PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type Architecture, Runtime } from "aws-cdk-lib/aws-lambda";
import { NodejsFunction, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { projectPaths } from "../toolchain/project-paths.ts";

export interface DriverFunctionProps {
  /** The handler's file below lambdas/driver, without its ending. */
  readonly handler: string;
  readonly description: string;
  readonly bucketName: string;
  readonly logGroup: LogGroup;
  /** What the handler calls, all of it. */
  readonly statements: readonly PolicyStatement[];
  readonly memoryMb: number;
  readonly timeout: Duration;
  readonly architecture: Architecture;
}

/** A state's handler: bundled by esbuild on this machine, the SDK included, with a role of its own. */
export class DriverFunction extends Construct {
  readonly function: NodejsFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: DriverFunctionProps) {
    super(scope, id);
    this.role = new Role(this, "Role", {
      description: `Kelvin's driver: ${props.description}`,
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    for (const statement of props.statements) this.role.addToPolicy(statement);
    props.logGroup.grantWrite(this.role);
    this.function = new NodejsFunction(this, "Function", {
      description: `Kelvin's driver: ${props.description}`,
      entry: `${projectPaths.driver}/${props.handler}.ts`,
      projectRoot: projectPaths.root,
      depsLockFilePath: projectPaths.lockfile,
      runtime: Runtime.NODEJS_24_X,
      architecture: props.architecture,
      memorySize: props.memoryMb,
      timeout: props.timeout,
      environment: { BUCKET_NAME: props.bucketName, NODE_OPTIONS: "--enable-source-maps" },
      role: this.role,
      logGroup: props.logGroup,
      awsSdkConnectionReuse: false,
      bundling: {
        format: OutputFormat.CJS,
        target: "node24",
        minify: true,
        sourceMap: true,
        sourcesContent: false,
        bundleAwsSDK: true,
      },
    });
  }
}
