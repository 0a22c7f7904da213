import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { DockerImage, Duration, IgnoreMode, Stack, Tags } from "aws-cdk-lib";
import { type IRole, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  type FunctionOptions,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  RuntimeFamily,
} from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Cell } from "../contract/types/contract.ts";
import type { CargoBuild, PythonSource, Variant } from "../plan/experiment.ts";
import { bucketVariables, workerVariables } from "../plan/function-data.ts";
import { findVariant } from "../plan/matrix.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { pythonWheels } from "../toolchain/python.ts";
import { cargoLambdaFlags } from "../toolchain/rust-build.ts";
import { copiedFunction, grantTracing, vpcPolicies } from "./copied-function.ts";
import {
  type ExperimentData,
  grantCalls,
  grantPermissions,
  listManagedPolicies,
} from "./function-permissions.ts";
import { measuredByTag, ownLogGroup } from "./own-resources.ts";

interface FunctionMatrixProps extends ExperimentData {
  readonly cells: readonly Cell[];
}

interface OwnOfVariant {
  readonly role: IRole;
  readonly logGroup: LogGroup;
}

/**
 * The functions of an experiment, one per cell. The functions of a variant share a role and a log group, which no
 * other variant may write to (docs/decisions/0029-a-role-and-a-log-group-a-variant.md).
 */
export class FunctionMatrix extends Construct {
  readonly logGroups: readonly LogGroup[];
  /** Role by variant. A user's functions may share an existing one. */
  readonly roles: ReadonlyMap<string, IRole>;
  readonly functions: ReadonlyMap<string, LambdaFunction>;

  constructor(scope: Construct, id: string, props: FunctionMatrixProps) {
    super(scope, id);
    const { experiment, cells } = props;
    const { timeoutSeconds } = experiment;
    const environment = dataVariables(props);
    const owned = new Map<string, OwnOfVariant>();
    this.functions = new Map(
      cells.map((cell) => {
        const variant = findVariant(experiment, cell.variant);
        const own = owned.get(variant.id) ?? this.#ownOf(variant, props);
        owned.set(variant.id, own);
        const options = { cell, variant, ...own, timeoutSeconds, environment };
        return [cell.id, measuredFunction(this, options)];
      }),
    );
    this.logGroups = [...owned.values()].map(({ logGroup }) => logGroup);
    this.roles = new Map([...owned].map(([variant, { role }]) => [variant, role]));
    const includeResourceTypes = ["AWS::Lambda::Function"];
    Tags.of(this).add(measuredByTag, Stack.of(this).stackId, { includeResourceTypes });
  }

  #ownOf(variant: Variant, props: FunctionMatrixProps): OwnOfVariant {
    const logGroup = ownLogGroup(this, `${variant.id}-LogGroup`);
    const { permissions, copySettings } = variant.source.kind === "artefact" ? variant.source : {};
    if (permissions?.roleArn !== undefined) {
      const existing = Role.fromRoleArn(this, `${variant.id}-Role`, permissions.roleArn, {
        mutable: false,
      });
      return { role: existing, logGroup };
    }
    const role = new Role(this, `${variant.id}-Role`, {
      description: `The measured functions of Kelvin's experiment ${props.experiment.id}, ${variant.id}`,
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      managedPolicies: [
        ...listManagedPolicies(this, variant.id, permissions),
        ...vpcPolicies(copySettings),
      ],
    });
    logGroup.grantWrite(role);
    grantCalls(role, variant, props);
    if (variant.source.kind === "artefact") grantPermissions(role, permissions);
    grantTracing(role, copySettings);
    return { role, logGroup };
  }
}

function dataVariables({ experiment, table, bucket }: FunctionMatrixProps) {
  return {
    ...(table !== undefined && { TABLE_NAME: table.tableName }),
    ...(bucket !== undefined &&
      experiment.bucket !== undefined &&
      bucketVariables(experiment.bucket, bucket.bucketName)),
  };
}

interface MeasuredFunctionProps {
  readonly cell: Cell;
  readonly variant: Variant;
  readonly role: IRole;
  readonly logGroup: LogGroup;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** Creates the function of a cell. Functions of the same variant and architecture share one archive, built once. */
export function measuredFunction(scope: Construct, props: MeasuredFunctionProps): LambdaFunction {
  const { cell, variant } = props;
  const { source } = variant;
  switch (source.kind) {
    case "cargo":
      return rustFunction(scope, cell.id, source, functionOptions(props));
    case "python":
      return new LambdaFunction(scope, cell.id, {
        ...functionOptions(props),
        runtime: new Runtime(cell.runtime, RuntimeFamily.PYTHON),
        handler: source.handler,
        code: pythonCode(source, cell),
      });
    case "artefact":
      return copiedFunction(scope, { cell, source, options: functionOptions(props) });
  }
}

/** Builds with the same command as a local run, so that the deployed program is the measured one. */
function rustFunction(
  scope: Construct,
  id: string,
  build: CargoBuild,
  options: FunctionOptions,
): LambdaFunction {
  // Loaded lazily: the installed package deploys none of Kelvin's Rust functions and lacks this dependency.
  const cargoLambda: typeof import("cargo-lambda-cdk") = createRequire(import.meta.url)(
    "cargo-lambda-cdk",
  );
  return new cargoLambda.RustFunction(scope, id, {
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

function functionOptions(props: MeasuredFunctionProps): FunctionOptions {
  const { cell, variant, role, logGroup, timeoutSeconds, environment } = props;
  const ownVariables = variant.source.kind === "artefact" ? variant.source.environment : {};
  return {
    description: `Kelvin: ${variant.label}, ${cell.id}`,
    architecture: cell.architecture === "arm64" ? Architecture.ARM_64 : Architecture.X86_64,
    memorySize: cell.memoryMb,
    timeout: Duration.seconds(timeoutSeconds),
    environment: { ...environment, ...ownVariables, ...workerVariables(cell) },
    role,
    logGroup,
    // The sampler reads the text format's REPORT line from Invoke's log tail.
    loggingFormat: LoggingFormat.TEXT,
  };
}

/**
 * Packs the variant's package, the shared package and, if the variant has a lock file, its wheels. Any other file
 * would change the archive's hash and size.
 */
function pythonCode(
  { handler, requirements }: PythonSource,
  { architecture, runtime }: Pick<Cell, "architecture" | "runtime">,
): Code {
  const packages = ["bench_core", handler.split(".")[0] as string];
  const files = {
    ignoreMode: IgnoreMode.GIT,
    exclude: ["/*", ...packages.map((name) => `!/${name}`), "__pycache__", "*.pyc"],
  };
  if (requirements === undefined) return Code.fromAsset(projectPaths.python, files);
  const python = runtime.replace("python", "");
  const tryBundle = (folder: string) => {
    cpSync(pythonWheels(requirements, { architecture, python }), folder, { recursive: true });
    for (const name of packages) copyPackage(name, folder);
    return true;
  };
  return Code.fromAsset(projectPaths.python, {
    ...files,
    bundling: {
      local: { tryBundle },
      // Never run. CDK identifies assets by these values, so each architecture gets its own archive.
      image: DockerImage.fromRegistry("scratch"),
      environment: { architecture, python, requirements },
    },
  });
}

function copyPackage(name: string, folder: string): void {
  cpSync(join(projectPaths.python, name), join(folder, name), {
    recursive: true,
    filter: (path) => basename(path) !== "__pycache__" && !path.endsWith(".pyc"),
  });
}
