import type { Command } from "commander";
import { exitCodeFor, exitCodes } from "../bin/exit-codes.ts";
import { describeError } from "../lib/contract/errors.ts";
import { closeInheritedDescriptors } from "../lib/toolchain/command-environment.ts";

/** Parses the command line and runs the bench with its options; the process exits with the code it returns. */
export async function runBench<Options extends object>(
  command: Command,
  bench: (options: Options, args: readonly string[]) => number | Promise<number>,
): Promise<void> {
  command.exitOverride(({ exitCode }) => process.exit(exitCode && exitCodes.badInput)).parse();
  closeInheritedDescriptors();
  // A reader such as head closes the pipe when it needs no more rows.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  try {
    process.exitCode = await bench(command.opts<Options>(), command.args);
  } catch (error) {
    const { type, message } = describeError(error);
    process.stderr.write(`${command.name()}: ${message}\n`);
    process.exitCode = exitCodeFor(type);
  }
}
