import type { Cell } from "../../../lib/contract/types/contract.ts";
import type { FunctionCommand } from "../../../lib/local/function-process.ts";
import { lambdaEnvironment } from "../../../lib/local/lambda-environment.ts";

export const scriptedCell: Cell = {
  id: "scripted",
  variant: "rust",
  runtime: "provided.al2023",
  architecture: "x86_64",
  memoryMb: 256,
};

/** The function that misbehaves as `fault` says. */
export function scriptedCommand(fault: string): MakeCommand {
  return (cell, runtimeApi) =>
    scriptCommand(cell, runtimeApi, {
      command: process.execPath,
      script: "scripted.mjs",
      environment: { FAULT: fault },
    });
}

/** The function that works on two threads. */
export const twoThreadsCommand: MakeCommand = (cell, runtimeApi) =>
  scriptCommand(cell, runtimeApi, {
    command: "python3",
    script: "two_threads.py",
    environment: {},
  });

type MakeCommand = (cell: Cell, runtimeApi: string) => FunctionCommand;

interface Script {
  readonly command: string;
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
}

function scriptCommand(
  cell: Cell,
  runtimeApi: string,
  { command, script, environment }: Script,
): FunctionCommand {
  return {
    command,
    args: [`${import.meta.dirname}/${script}`],
    workingDirectory: import.meta.dirname,
    environment: {
      ...lambdaEnvironment({
        cell,
        functionName: "scripted",
        region: "us-east-1",
        handler: "bootstrap",
        places: { taskRoot: import.meta.dirname, runtimeDir: import.meta.dirname },
        runtimeApi,
      }),
      ...environment,
    },
  };
}
