import { createInterface } from "node:readline/promises";

/** Asks the user at the terminal. Undefined if there is no terminal, or if the input ends before an answer. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Asks on stderr and reads a line. Ctrl-C reaches the process as a signal, as it does without a question. */
export const askAtTerminal: Ask = async (question) => {
  if (process.stdin.isTTY !== true) return undefined;
  const { stdin: input, stderr: output } = process;
  const terminal = createInterface({ input, output, terminal: false });
  try {
    const closed = new Promise<undefined>((settle) =>
      terminal.once("close", () => settle(undefined)),
    );
    return await Promise.race([terminal.question(question), closed]);
  } finally {
    terminal.close();
  }
};

/** Returns whether the answer is yes. Anything else, including no answer, is no. */
export function isYes(answer: string | undefined): boolean {
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}
