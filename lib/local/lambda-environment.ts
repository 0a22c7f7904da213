import { randomUUID } from "node:crypto";
import { dirname, isAbsolute, join } from "node:path";
import type { Cell } from "../contract/types/contract.ts";
import { nodeMajor } from "../toolchain/interpreters.ts";

/** Example keys from AWS's documentation. The S3 stand-in verifies signatures made with them. */
export const localCredentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
} as const;

/** FunctionPlaces are the folders of a function's files: on Lambda /var/task, /var/runtime and /opt. */
export interface FunctionPlaces {
  readonly taskRoot: string;
  readonly runtimeDir: string;
  readonly layers: string;
}

/** A LambdaIdentity determines the environment variables that Lambda sets for a function. */
interface LambdaIdentity {
  readonly cell: Cell;
  readonly functionName: string;
  readonly region: string;
  readonly handler: string;
  readonly places: Pick<FunctionPlaces, "taskRoot" | "runtimeDir">;
  readonly runtimeApi: string;
}

/**
 * Returns the environment variables of a function's process: those that Lambda sets and none of the caller's, so that
 * a measured function never sees the user's credentials. The keys are AWS's documented example.
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
    // On Lambda, the daemon has another address. Nothing listens at this one, so no segment leaves the machine.
    AWS_XRAY_DAEMON_ADDRESS: "127.0.0.1:2000",
    LAMBDA_TASK_ROOT: places.taskRoot,
    LAMBDA_RUNTIME_DIR: places.runtimeDir,
    _HANDLER: handler,
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    PATH: "/usr/local/bin:/usr/bin:/bin",
  };
}

/** Returns a name like 2026/11/25/[$LATEST]72ff54cf...: each execution environment has its own log stream. */
function logStreamName(at: Date): string {
  const day = at.toISOString().slice(0, 10).replaceAll("-", "/");
  return `${day}/[$LATEST]${randomUUID().replaceAll("-", "")}`;
}

/**
 * Returns the variables with search paths for programs and libraries, such as /opt/bin and /opt/lib on Lambda. The
 * values follow the table of unreserved variables, with this machine's paths instead of Lambda's. The interpreter's
 * folder comes first, like /var/lang/bin in Lambda's base images: scripts find python or node in the runtime's version.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export function searchPaths(
  runtime: string,
  { taskRoot, runtimeDir, layers }: FunctionPlaces,
  interpreter = "",
): Readonly<Record<string, string>> {
  const language = isAbsolute(interpreter) ? [dirname(interpreter)] : [];
  const libraries = [
    ...["/lib64", "/usr/lib64", runtimeDir, join(runtimeDir, "lib")],
    ...[taskRoot, join(taskRoot, "lib"), join(layers, "lib")],
  ];
  const paths = {
    PATH: [...language, "/usr/local/bin", "/usr/bin", "/bin", join(layers, "bin")].join(":"),
    LD_LIBRARY_PATH: libraries.join(":"),
  };
  const [, python] = /^python(\d+\.\d+)$/.exec(runtime) ?? [];
  if (python !== undefined) {
    // On Lambda, the runtime itself puts the layers' folders before its own.
    // https://docs.aws.amazon.com/lambda/latest/dg/python-package.html#python-package-searchpath
    const ofLayers = [`lib/python${python}/site-packages`, "."].map((each) =>
      join(layers, "python", each),
    );
    return { ...paths, PYTHONPATH: [...ofLayers, runtimeDir].join(":") };
  }
  const node = nodeMajor(runtime);
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
