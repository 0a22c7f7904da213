import { runStep, type Step } from "./step.ts";
import type { Counts } from "./step-counts.ts";

type Say = (line: string) => void;

/**
 * Runs each step as soon as those that it comes after are at their end, so that one fills the cores while
 * another waits for the network or links on one of them; then, one by one, those that have to be alone.
 * Returns the sum of what they counted.
 *
 * A step that is alone prints as it goes. What others print is kept together until they are at their end, or
 * all are stopped.
 */
export async function runSteps(steps: readonly Step[], print: Say): Promise<Counts> {
  const kept = new Set<readonly string[]>();
  const say = (lines: readonly string[]) => {
    for (const line of lines) print(line);
    kept.delete(lines);
  };
  const onSignal = () => {
    for (const lines of kept) say(lines);
    process.exit(130);
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);

  const runTogether = async (step: Step): Promise<Counts> => {
    print(`.. ${step.name}`);
    const lines = [heading(step)];
    kept.add(lines);
    const counts = await runStep(step, (line) => lines.push(line));
    say(lines);
    return counts;
  };
  const together = await eachAfterItsOwn(
    steps.filter(({ isAlone }) => isAlone !== true),
    runTogether,
  );
  const alone: Counts[] = [];
  for (const step of steps.filter(({ isAlone }) => isAlone === true)) {
    print(heading(step));
    alone.push(await runStep(step, print));
  }
  return sumOf([...together, ...alone]);
}

function heading({ name }: Step): string {
  return `\n== ${name}`;
}

/** Runs each once those that it comes after, which are among them, have ended. */
async function eachAfterItsOwn<Result>(
  steps: readonly Step[],
  run: (step: Step) => Promise<Result>,
): Promise<readonly Result[]> {
  const ended = new Map<Step, Promise<Result>>();
  const begin = (step: Step): Promise<Result> => {
    const known = ended.get(step);
    if (known !== undefined) return known;
    const before = (step.after ?? []).map(begin);
    const result = Promise.all(before).then(() => run(step));
    ended.set(step, result);
    return result;
  };
  return await Promise.all(steps.map(begin));
}

function sumOf(counts: readonly Counts[]): Counts {
  const sum = (of: (counts: Counts) => number) =>
    counts.reduce((total, each) => total + of(each), 0);
  return { passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed) };
}
