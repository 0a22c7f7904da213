#!/usr/bin/env -S npx tsx
import { describeError } from "../lib/contract/errors.ts";
import { runCommandLine } from "./command-line.ts";
import { exitCodeFor } from "./exit-codes.ts";
import { printable } from "./progress.ts";

// The engines field states the required Node version; the SDK would repeat it on every run.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

// A reader such as head that closes the pipe early is no failure, and a run continues.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

runCommandLine(process.argv.slice(2)).catch((error: unknown) => {
  const { type, message } = describeError(error);
  process.stderr.write(printable(`kelvin: ${message}\n`));
  process.exitCode = exitCodeFor(type);
});
