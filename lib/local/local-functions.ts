import { dirname } from "node:path";
import type { Cell } from "../contract/types/contract.ts";
import { bucketVariables } from "../experiment/bucket-variables.ts";
import type { Experiment, Variant } from "../experiment/experiment.ts";
import { workerVariables } from "../experiment/worker-variables.ts";
import { noopBinary } from "../toolchain/build-local.ts";
import { localWheels } from "../toolchain/local-wheels.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { venvPython } from "../toolchain/python-venv.ts";
import { rustBinaryPath } from "../toolchain/rust-build.ts";
import { lambdaEnvironment } from "./function-environment.ts";
import type { FunctionCommand } from "./function-process.ts";
import { floorCell } from "./measure-floor.ts";
import type { Standin } from "./standin.ts";
import { writeTrustStores } from "./trust-stores.ts";

export const localRegion = "us-east-1";
export const localTableName = "kelvin-local";
export const localBucketName = "kelvin-local";

/** AWS's own runtime client is built for Linux alone; elsewhere the project's stands in for it. */
export const pythonRuntimeClient = process.platform === "linux" ? "awslambdaric" : "local_runtime";

/** How to start each cell's function on this machine, against the stand-in where there is one. */
export function localCommands(
  experiment: Experiment,
  standin: Standin | undefined,
): (cell: Cell, runtimeApi: string) => FunctionCommand {
  const rootCertificate = standin?.rootCertificate;
  const trustStores =
    rootCertificate === undefined
      ? undefined
      : writeTrustStores(rootCertificate, dirname(rootCertificate));
  return (cell, runtimeApi) => {
    const variant = experiment.variants.find((candidate) => candidate.id === cell.variant);
    const { command, args, workingDirectory, handler } = startOf(experiment, cell, variant);
    const environment = lambdaEnvironment({
      cell,
      functionName: cell.id,
      region: localRegion,
      handler,
      taskRoot: workingDirectory,
      runtimeApi,
    });
    const store = trustStores?.[variant?.trustStore ?? "native"];
    const variables = {
      ...(standin !== undefined && serviceVariables(experiment, standin, store)),
      ...workerVariables(cell),
      ...packageVariables(variant),
    };
    return { command, args, workingDirectory, environment: { ...environment, ...variables } };
  };
}

/** The endpoint and what to trust, as each language's SDK reads them, and the data's name. */
function serviceVariables(
  { bucket }: Experiment,
  { endpoint }: Standin,
  trustStore: string | undefined,
): Readonly<Record<string, string>> {
  return {
    ...(bucket === undefined
      ? { TABLE_NAME: localTableName, AWS_ENDPOINT_URL_DYNAMODB: endpoint }
      : { ...bucketVariables(bucket, localBucketName), AWS_ENDPOINT_URL_S3: endpoint }),
    ...(trustStore !== undefined && { SSL_CERT_FILE: trustStore, AWS_CA_BUNDLE: trustStore }),
  };
}

/** A variant's own packages stand before those of the project's environment. */
function packageVariables(variant: Variant | undefined): Readonly<Record<string, string>> {
  const wheels = variant?.source.kind === "python" ? localWheels(variant.source) : undefined;
  return wheels === undefined ? {} : { PYTHONPATH: wheels };
}

function startOf(experiment: Experiment, cell: Cell, variant: Variant | undefined) {
  const source = variant?.source;
  if (source?.kind === "python") {
    const args = ["-B", "-m", pythonRuntimeClient, source.handler];
    return {
      command: venvPython,
      args,
      workingDirectory: projectPaths.python,
      handler: source.handler,
    };
  }
  const isFloor = cell.variant === floorCell.variant;
  if (source === undefined && !isFloor)
    throw new Error(`no variant ${cell.variant} in ${experiment.id}`);
  const command = rustBinaryPath(source ?? noopBinary);
  return { command, args: [], workingDirectory: projectPaths.rust, handler: "bootstrap" };
}
