import { existsSync } from "node:fs";
import { InvalidInput } from "../lib/contract/errors.ts";
import { waysToStart } from "./help.ts";
import { kelvinProgram } from "./program.ts";

/**
 * Runs the command that the words name; without words, prints three ways to start. Throws InvalidInput if there is no
 * such command, or if it rejects its input.
 */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  if (args.length === 0) return void process.stdout.write(waysToStart);
  const program = kelvinProgram();
  const commands = program.commands.map((command) => command.name());
  requireCommand(args, commands);
  await program.parseAsync(args, { from: "user" });
}

/** Names that other tools use for one of Kelvin's commands. */
const otherNames: Readonly<Record<string, string>> = {
  bench: "local",
  benchmark: "local",
  init: "setup",
  install: "setup",
  invoke: "measure",
  diff: "compare",
  download: "fetch",
  estimate: "plan",
  remove: "destroy",
  cost: "plan",
};

/** Throws InvalidInput if the first word is not a command. The message suggests a similar one, if any. */
function requireCommand(args: readonly string[], commands: readonly string[]): void {
  const [first, ...others] = args;
  // After `help` comes the command.
  const [word, ...rest] = first === "help" ? others : args;
  if (word === undefined || word.startsWith("-") || [...commands, "help"].includes(word)) return;
  const meant = meantCommand(word, commands);
  const hint =
    meant === undefined
      ? "kelvin --help lists the commands"
      : `did you mean kelvin ${[...meant, ...rest].join(" ")}?`;
  const message = `there is no command ${word}; ${hint}`;
  throw new InvalidInput("command", word, commands.join(", "), message);
}

function meantCommand(word: string, commands: readonly string[]): readonly string[] | undefined {
  if (/^arn:|\.(zip|jar)$/i.test(word)) return ["measure", word];
  const near = commands.find((command) => editDistance(word.toLowerCase(), command) <= 2);
  const meant = otherNames[word.toLowerCase()] ?? near;
  if (meant !== undefined) return [meant];
  return existsSync(word) ? ["measure", word] : undefined;
}

/** Returns the number of letters to insert, delete or replace (Levenshtein, 1966). */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (above[column] ?? 0) + Number(letter !== otherLetter);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above.at(-1) ?? 0;
}
