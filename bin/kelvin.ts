#!/usr/bin/env -S npx tsx
import { describeError } from "../lib/contract/errors.ts";
import { runCommandLine } from "./command-line.ts";
import { exitCodeFor } from "./exit-codes.ts";
import { printable } from "./progress.ts";

// The engines field states the required Node version; the SDK would repeat it on every run.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

// A reader such as head that closes the pipe early is no failure, nor is a terminal that is gone: a run continues.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE" && !process.stdout.isTTY) throw error;
});
process.stderr.on("error", () => undefined);

/** Prints the error and returns its exit code. */
function printError(error: unknown): number {
  const { type, message } = describeError(error);
  process.stderr.write(printable(`kelvin: ${message}\n`));
  return exitCodeFor(type);
}

// By itself, Node.js would end with 1, the code of a gate that found something slower.
process.on("uncaughtException", (error) => process.exit(printError(error)));

runCommandLine(process.argv.slice(2)).catch((error: unknown) => {
  process.exitCode = printError(error);
});
