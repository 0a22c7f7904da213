import { dirname, join } from "node:path";
import type { ArtefactSource } from "../plan/experiment.ts";
import { pythonClientFolder, pythonRuntimeClient } from "../toolchain/interpreters.ts";
import { projectPaths } from "../toolchain/project-paths.ts";
import { withExtensions } from "./extension-processes.ts";
import type { FunctionCommand } from "./function-process.ts";
import { type FunctionPlaces, searchPaths } from "./lambda-environment.ts";

/** How a function is started. */
export interface StartCommand extends Omit<FunctionCommand, "environment"> {
  readonly handler: string;
  /** Where its own files, its runtime's and its layers' are; absent of Kelvin's own functions. */
  readonly places?: FunctionPlaces;
  /** What runs it, where the command is a wrapper of that. */
  readonly interpreter?: string;
  /** What its runtime reads, beside Lambda's own variables and the function's. */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Starts a user's function in its folder, by its runtime: through Lambda's client for the language, or as the
 * program that it is.
 */
export function artefactCommand(source: ArtefactSource, runtime: string): StartCommand {
  const places = findPlaces(source);
  const { handler, interpreter } = source;
  const place = { workingDirectory: source.folder, handler, places };
  const variables = searchPaths(runtime, places);
  if (interpreter === undefined) {
    const program = { command: join(source.folder, "bootstrap"), args: [] };
    return { ...place, ...withExtensions(program, places.layers), variables };
  }
  const { command } = interpreter;
  const client = runtime.startsWith("python")
    ? ["-B", "-m", pythonRuntimeClient, handler]
    : [join(projectPaths.node, "runtime.mjs")];
  return {
    ...place,
    ...withExtensions(wrapped(source, places, [command, ...client]), places.layers),
    interpreter: command,
    variables: runtime.startsWith("python") ? withClient(variables) : variables,
  };
}

/**
 * Where the function's files are. This is the only place that knows that they are not at /var/task, /var/runtime
 * and /opt: a mount namespace that shows them there changes nothing else.
 */
export function findPlaces({ folder, interpreter, layers }: ArtefactSource): FunctionPlaces {
  const runtimeDir = interpreter?.packages ?? dirname(folder);
  return { taskRoot: folder, runtimeDir, layers: layers?.folder ?? "/opt" };
}

function withClient(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const paths = [variables.PYTHONPATH, pythonClientFolder].filter((path) => path !== undefined);
  return { ...variables, PYTHONPATH: paths.join(":") };
}

/**
 * A wrapper script starts the runtime, with the runtime's own command line as its arguments. OS-only runtimes have
 * none. https://docs.aws.amazon.com/lambda/latest/dg/runtimes-modify.html#runtime-wrapper
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

/** The file that a function knows by its path on Lambda. */
export function placeOf(
  path: string,
  { taskRoot, layers }: Pick<FunctionPlaces, "taskRoot" | "layers">,
): string {
  return path.replace(/^\/opt(?=\/)/, layers).replace(/^\/var\/task(?=\/)/, taskRoot);
}
