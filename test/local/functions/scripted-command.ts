import type { Cell } from "../../../lib/contract/types/contract.ts";
import { type FunctionCommand, lambdaEnvironment } from "../../../lib/local/function-process.ts";

export const scriptedCell: Cell = {
  id: "scripted",
  variant: "rust",
  runtime: "provided.al2023",
  architecture: "x86_64",
  memoryMb: 256,
};

/** The function that misbehaves as `fault` says. */
export function scriptedCommand(
  fault: string,
): (cell: Cell, runtimeApi: string) => FunctionCommand {
  return (cell, runtimeApi) => ({
    command: process.execPath,
    args: [`${import.meta.dirname}/scripted.mjs`],
    workingDirectory: import.meta.dirname,
    environment: {
      ...lambdaEnvironment({
        cell,
        functionName: "scripted",
        region: "us-east-1",
        handler: "bootstrap",
        taskRoot: import.meta.dirname,
        runtimeApi,
      }),
      FAULT: fault,
    },
  });
}
