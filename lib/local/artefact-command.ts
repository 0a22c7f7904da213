import { createRequire } from "node:module";
import { join } from "node:path";
import type { ArtefactSource } from "../plan/experiment.ts";
import { pythonClientFolder, pythonRuntimeClient } from "../toolchain/interpreters.ts";
import { projectPaths } from "../toolchain/project-paths.ts";

/** How a user's function is started in its folder. */
interface ArtefactCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly workingDirectory: string;
  readonly handler: string;
  /** What its runtime reads, beside Lambda's own variables and the function's. */
  readonly variables: Readonly<Record<string, string>>;
}

/** By its runtime: through Lambda's client for the language, or as the program that it is. */
export function artefactCommand(source: ArtefactSource, runtime: string): ArtefactCommand {
  const { folder, handler, interpreter } = source;
  const place = { workingDirectory: folder, handler };
  if (interpreter === undefined) {
    return { ...place, command: join(folder, "bootstrap"), args: [], variables: {} };
  }
  const { command } = interpreter;
  if (runtime.startsWith("python")) {
    const args = ["-B", "-m", pythonRuntimeClient, handler];
    const variables = pythonClientFolder === undefined ? {} : { PYTHONPATH: pythonClientFolder };
    return { ...place, command, args, variables };
  }
  const args = [join(projectPaths.node, "runtime.mjs")];
  return { ...place, command, args, variables: {} };
}

/**
 * The folder with AWS's SDK for JavaScript, which Lambda's Node.js runtimes bring for functions that
 * have none of their own.
 */
export function javascriptSdkFolder(): string {
  const own = createRequire(import.meta.url).resolve("@aws-sdk/client-s3/package.json");
  return join(own, "..", "..");
}
