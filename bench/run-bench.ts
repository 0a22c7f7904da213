import type { Command } from "commander";
import { exitCodeFor, exitCodes } from "../bin/exit-codes.ts";
import { describeError } from "../lib/contract/errors.ts";
import { closeInheritedDescriptors } from "../lib/toolchain/command-environment.ts";

/** Reads the command line and runs the bench on its words; the process ends with the code that it gives. */
export async function runBench<Words extends object>(
  command: Command,
  bench: (words: Words, args: readonly string[]) => number | Promise<number>,
): Promise<void> {
  command.exitOverride(({ exitCode }) => process.exit(exitCode && exitCodes.badInput)).parse();
  closeInheritedDescriptors();
  // A reader that has had enough, as head has, waits for no further row.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  try {
    process.exitCode = await bench(command.opts<Words>(), command.args);
  } catch (error) {
    const { type, message } = describeError(error);
    process.stderr.write(`${command.name()}: ${message}\n`);
    process.exitCode = exitCodeFor(type);
  }
}
