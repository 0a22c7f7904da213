import { Duration } from "aws-cdk-lib";
import type { IRole } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type FunctionOptions,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  RuntimeFamily,
} from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { RustFunction } from "cargo-lambda-cdk";
import type { Construct } from "constructs";
import type { Cell } from "../contract/types/contract.ts";
import type { CargoBuild, Variant } from "../experiment/experiment.ts";
import { workerVariables } from "../experiment/worker-variables.ts";
import { cargoLambdaFlags } from "../toolchain/cargo-lambda.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { pythonCode } from "./python-code.ts";

export interface MeasuredFunctionProps {
  readonly cell: Cell;
  readonly variant: Variant;
  readonly role: IRole;
  readonly logGroup: LogGroup;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** The function of a cell. Functions of one variant and architecture share one archive, built once. */
export function measuredFunction(scope: Construct, props: MeasuredFunctionProps): LambdaFunction {
  const { cell, variant } = props;
  const { source } = variant;
  switch (source.kind) {
    case "cargo":
      return rustFunction(scope, cell.id, source, optionsOf(props));
    case "python":
      return new LambdaFunction(scope, cell.id, {
        ...optionsOf(props),
        runtime: new Runtime(cell.runtime, RuntimeFamily.PYTHON),
        handler: source.handler,
        code: pythonCode(source, cell),
      });
  }
}

/** Built by the command of the run on one machine, so that what is deployed is what was measured there. */
function rustFunction(
  scope: Construct,
  id: string,
  build: CargoBuild,
  options: FunctionOptions,
): LambdaFunction {
  return new RustFunction(scope, id, {
    ...options,
    runtime: "provided.al2023",
    manifestPath: projectPaths.rust,
    binaryName: build.binaryName,
    bundling: {
      profile: build.profile,
      cargoLambdaFlags: [...cargoLambdaFlags(build)],
      ...(build.environment !== undefined && { environment: { ...build.environment } }),
    },
  });
}

function optionsOf(props: MeasuredFunctionProps): FunctionOptions {
  const { cell, variant, role, logGroup, timeoutSeconds, environment } = props;
  return {
    description: `Kelvin: ${variant.label}, ${cell.id}`,
    architecture: cell.architecture === "arm64" ? Architecture.ARM_64 : Architecture.X86_64,
    memorySize: cell.memoryMb,
    timeout: Duration.seconds(timeoutSeconds),
    environment: { ...environment, ...workerVariables(cell) },
    role,
    logGroup,
    // The REPORT line of the text format is what Invoke's log tail is read for.
    loggingFormat: LoggingFormat.TEXT,
  };
}
