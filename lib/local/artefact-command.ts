import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ArtefactSource } from "../plan/experiment.ts";
import { javascriptPackagesFolder } from "../toolchain/javascript-sdk.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { pythonBootstrap } from "../toolchain/python-runtime.ts";
import { withExtensions } from "./extension-processes.ts";
import type { FunctionCommand } from "./function-process.ts";
import { type FunctionPlaces, searchPaths } from "./lambda-environment.ts";
import { installationOf, visible } from "./sandbox/mounts.ts";
import { lambdaPlaces, type Mount } from "./sandbox/places.ts";

export interface StartCommand extends Omit<FunctionCommand, "environment"> {
  readonly handler: string;
  /** Locations of the code, the runtime and the layers; absent for Kelvin's own functions. */
  readonly places?: FunctionPlaces;
  /** Interpreter that runs the function, if `command` is a wrapper around it. */
  readonly interpreter?: string;
  /** Variables that the runtime reads, in addition to Lambda's and the function's. */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Returns the command that starts a user's function in its folder: through the language's Lambda runtime client, or
 * `bootstrap` directly: the function's own, else that of its layers.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html
 */
export function artefactCommand(
  source: ArtefactSource,
  runtime: string,
  isEnclosed: boolean,
): StartCommand {
  const hosts = findPlaces(source);
  const places: FunctionPlaces = isEnclosed ? lambdaPlaces : hosts;
  const { handler, interpreter } = source;
  const mounts = isEnclosed ? mountsOf(source, hosts) : [];
  const place = { workingDirectory: places.taskRoot, handler, places, mounts };
  const variables = searchPaths(runtime, places, interpreter?.command);
  const extended = (program: Pick<FunctionCommand, "command" | "args">) =>
    withExtensions(program, hosts.layers, places.layers);
  if (interpreter === undefined) {
    const isOwn = existsSync(join(hosts.taskRoot, "bootstrap"));
    const program = {
      command: join(isOwn ? places.taskRoot : places.layers, "bootstrap"),
      args: [],
    };
    return { ...place, ...extended(program), variables };
  }
  const { command } = interpreter;
  const client = runtime.startsWith("python")
    ? ["-B", join(places.runtimeDir, pythonBootstrap)]
    : [join(projectPaths.node, "runtime.mjs")];
  return {
    ...place,
    ...extended(wrapped(source, places, [command, ...client])),
    interpreter: command,
    variables,
  };
}

/** Lists the mounts: the function's files at Lambda's paths, its interpreter's at their paths on this machine. */
function mountsOf(source: ArtefactSource, hosts: FunctionPlaces): readonly Mount[] {
  const { folder, interpreter, layers } = source;
  const mounts: Mount[] = [{ from: folder, to: lambdaPlaces.taskRoot }];
  if (layers !== undefined)
    mounts.push({ from: realpathSync(layers.folder), to: lambdaPlaces.layers });
  if (interpreter === undefined) return mounts;
  if (interpreter.packages !== undefined) {
    mounts.push({ from: interpreter.packages, to: lambdaPlaces.runtimeDir });
  }
  const packages = join(hosts.runtimeDir, "node_modules");
  if (interpreter.packages === undefined && existsSync(packages)) {
    // Imports of ES modules are resolved only in folders above the function's own files.
    for (const folder of [lambdaPlaces.runtimeDir, dirname(lambdaPlaces.taskRoot)]) {
      mounts.push({ from: packages, to: join(folder, "node_modules"), leadsElsewhere: true });
    }
    const own = javascriptPackagesFolder;
    mounts.push(...(own === undefined ? [] : visible(own)), ...visible(projectPaths.cache));
  }
  return [...mounts, ...installationOf(interpreter.command), ...visible(projectPaths.node)];
}

/** Returns where the function's files are on this machine. In a sandbox, the function sees them at Lambda's paths. */
export function findPlaces({ folder, interpreter, layers }: ArtefactSource): FunctionPlaces {
  const runtimeDir = interpreter?.packages ?? dirname(folder);
  return { taskRoot: folder, runtimeDir, layers: layers?.folder ?? "/opt" };
}

/**
 * Puts the wrapper script in front: it starts the runtime and gets the runtime's command line as arguments. OS-only
 * runtimes have no wrapper. https://docs.aws.amazon.com/lambda/latest/dg/runtimes-modify.html#runtime-wrapper
 */
function wrapped(
  { environment }: ArtefactSource,
  places: FunctionPlaces,
  [command = "", ...args]: readonly string[],
): Pick<FunctionCommand, "command" | "args"> {
  const wrapper = environment.AWS_LAMBDA_EXEC_WRAPPER;
  if (wrapper === undefined) return { command, args };
  return { command: placeOf(wrapper, places), args: [command, ...args] };
}

/** Returns the location here of a file that the function names by its path on Lambda. */
export function placeOf(
  path: string,
  { taskRoot, layers }: Pick<FunctionPlaces, "taskRoot" | "layers">,
): string {
  return path.replace(/^\/opt(?=\/)/, layers).replace(/^\/var\/task(?=\/)/, taskRoot);
}
