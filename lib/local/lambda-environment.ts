import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Cell } from "../contract/types/contract.ts";

/** The keys of AWS's documentation: the S3 stand-in checks signatures made with them. */
export const localCredentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
} as const;

/** FunctionPlaces hold the files around a function's process: on Lambda /var/task, /var/runtime and /opt. */
export interface FunctionPlaces {
  readonly taskRoot: string;
  readonly runtimeDir: string;
  readonly layers: string;
}

/** LambdaIdentity is what a local function is told about itself, beside its own variables. */
interface LambdaIdentity {
  readonly cell: Cell;
  readonly functionName: string;
  readonly region: string;
  readonly handler: string;
  readonly places: Pick<FunctionPlaces, "taskRoot" | "runtimeDir">;
  readonly runtimeApi: string;
}

/**
 * The environment map of a function's process: what Lambda sets and nothing of the caller's, so that
 * no credential of the user reaches a measured function. The keys are the documented example's.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export function lambdaEnvironment(identity: LambdaIdentity): Readonly<Record<string, string>> {
  const { cell, functionName, region, handler, places, runtimeApi } = identity;
  const isManaged = !cell.runtime.startsWith("provided.");
  return {
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(cell.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName(new Date()),
    ...(isManaged && { AWS_EXECUTION_ENV: `AWS_Lambda_${cell.runtime}` }),
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY: localCredentials.accessKeyId,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    AWS_SESSION_TOKEN: "local",
    AWS_XRAY_CONTEXT_MISSING: "LOG_ERROR",
    // Lambda's daemon has an address of its own; nothing listens at this one, and no segment leaves the machine.
    AWS_XRAY_DAEMON_ADDRESS: "127.0.0.1:2000",
    LAMBDA_TASK_ROOT: places.taskRoot,
    LAMBDA_RUNTIME_DIR: places.runtimeDir,
    _HANDLER: handler,
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    PATH: "/usr/local/bin:/usr/bin:/bin",
  };
}

/** An execution environment has a log stream of its own: 2026/11/25/[$LATEST]72ff54cf... */
function logStreamName(at: Date): string {
  const day = at.toISOString().slice(0, 10).replaceAll("-", "/");
  return `${day}/[$LATEST]${randomUUID().replaceAll("-", "")}`;
}

/**
 * Returns the variables that name where programs and libraries are looked for, on Lambda /opt/bin and /opt/lib among
 * others. The values follow the table of unreserved variables, with this machine's places for Lambda's.
 */
export function searchPaths(
  runtime: string,
  { taskRoot, runtimeDir, layers }: FunctionPlaces,
): Readonly<Record<string, string>> {
  const libraries = [
    ...["/lib64", "/usr/lib64", runtimeDir, join(runtimeDir, "lib")],
    ...[taskRoot, join(taskRoot, "lib"), join(layers, "lib")],
  ];
  const paths = {
    PATH: `/usr/local/bin:/usr/bin:/bin:${join(layers, "bin")}`,
    LD_LIBRARY_PATH: libraries.join(":"),
  };
  const [, python] = /^python(\d+\.\d+)$/.exec(runtime) ?? [];
  if (python !== undefined) {
    // The runtime on Lambda itself puts the layers' folders before its own.
    // https://docs.aws.amazon.com/lambda/latest/dg/python-package.html#python-package-searchpath
    const ofLayers = [`lib/python${python}/site-packages`, "."].map((each) =>
      join(layers, "python", each),
    );
    return { ...paths, PYTHONPATH: [...ofLayers, runtimeDir].join(":") };
  }
  const [, node] = /^nodejs(\d+)\.x$/.exec(runtime) ?? [];
  if (node === undefined) return paths;
  const modules = [
    ...nodeModulesOfLayers(node, layers),
    ...[join(runtimeDir, "node_modules"), runtimeDir, taskRoot],
  ];
  return { ...paths, NODE_PATH: modules.join(":") };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/packaging-layers.html#packaging-layers-paths */
export function nodeModulesOfLayers(major: string, layers: string): readonly string[] {
  return [`node${major}/node_modules`, "node_modules"].map((each) => join(layers, "nodejs", each));
}
