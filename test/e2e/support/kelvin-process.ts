import { type ChildProcess, spawn } from "node:child_process";
import { projectPaths } from "../../../lib/toolchain/project-paths.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the command line as a process group of its own, with no AWS account but what it is given.
 * @param marks words before the command: see markedBy
 */
export function startKelvin(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  marks: readonly string[] = [],
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AWS_"));
  const kelvin = [process.execPath, "--import", "tsx", "bin/kelvin.ts"];
  const [command = "", ...args] = [...marks, ...kelvin, ...words];
  const child = spawn(command, args, {
    cwd: projectPaths.root,
    env: { ...Object.fromEntries(own), ...environment },
    detached: true,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}
