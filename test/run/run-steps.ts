import { stripVTControlCharacters } from "node:util";
import { formatDuration } from "../../bin/progress.ts";
import { runStep, type Step } from "./step.ts";
import type { Counts } from "./step-counts.ts";

type Say = (line: string) => void;

/** Runs the steps, prints as they go, and ends with the failed tests and what all came to: in the last line and the exit code. */
export async function runAndCount(steps: readonly Step[]): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const { passed, failed, failures } = await runSteps(steps, print);
  if (failures.length > 0) print(`\nfailed:\n${failures.join("\n")}`);
  print(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/**
 * Runs each step as soon as those that it comes after are at their end, so that one fills the cores while
 * another waits for the network or links on one of them; then, one by one, those that have to be alone,
 * which print as they go. Returns the sum of what they counted. SIGINT and SIGTERM end the processes of all
 * steps under way, print what these have said, and end this one.
 */
export async function runSteps(steps: readonly Step[], print: Say): Promise<Counts> {
  const isAlone = (step: Step) => step.isAlone === true;
  const underWay = new Set<StepUnderWay>();
  const ending = new AbortController();
  const onSignal = () => {
    ending.abort();
    for (const { name, lines } of underWay) sayStep(name, lines, print);
    process.exit(130);
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const beside = steps.filter((step) => !isAlone(step));
    const together = await runTogether(beside, underWay, print, ending.signal);
    const alone: Counts[] = [];
    for (const step of steps.filter(isAlone)) {
      print(heading(step.name));
      alone.push(named(step, await runStep(step, print, ending.signal)));
    }
    return sumOf([...together, ...alone]);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

/**
 * What a step prints is kept together until it is at its end, or all are stopped; meanwhile a line a minute
 * names it.
 */
async function runTogether(
  steps: readonly Step[],
  underWay: Set<StepUnderWay>,
  print: Say,
  signal: AbortSignal,
): Promise<readonly Counts[]> {
  const endSaying = sayStillGoing(underWay, print);
  return await eachAfterItsOwn(steps, async (step) => {
    const { name } = step;
    print(`.. ${name}`);
    const lines: string[] = [];
    const going = { name, startedMs: performance.now(), lines };
    underWay.add(going);
    const counts = await runStep(step, (line) => lines.push(line), signal);
    underWay.delete(going);
    sayStep(name, lines, print);
    return named(step, counts);
  }).finally(endSaying);
}

/** Each failure behind its step's name, and the step alone where its runner names none. */
function named({ name }: Step, counts: Counts): Counts {
  const { failed, failures } = counts;
  if (failed === 0) return counts;
  const lines = failures.length === 0 ? [name] : failures.map((failure) => `${name}: ${failure}`);
  return { ...counts, failures: lines };
}

function sayStep(name: string, lines: readonly string[], print: Say): void {
  for (const line of [heading(name), ...lines]) print(line);
}

function heading(name: string): string {
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
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    failures: counts.flatMap(({ failures }) => failures),
  };
}

/** A step of which nothing is printed before its end. */
export interface StepUnderWay {
  readonly name: string;
  /** On performance.now()'s clock. */
  readonly startedMs: number;
  /** What it has printed so far. */
  readonly lines: readonly string[];
}

const everyMs = 60_000;
const longestDetail = 80;

/** Names the steps under way every minute, for as long as there are any; returns what ends that. */
function sayStillGoing(
  underWay: ReadonlySet<StepUnderWay>,
  print: (line: string) => void,
): () => void {
  const timer = setInterval(() => {
    if (underWay.size > 0) print(stillGoingText([...underWay], performance.now()));
  }, everyMs);
  return () => clearInterval(timer);
}

/** The steps, the longest first and with the line that it printed last. */
export function stillGoingText(steps: readonly StepUnderWay[], nowMs: number): string {
  const longestFirst = [...steps].sort((a, b) => a.startedMs - b.startedMs);
  const said = longestFirst.map(({ name, startedMs, lines }, index) => {
    const detail = index === 0 ? lastLineOf(lines) : "";
    return `${name} ${formatDuration(nowMs - startedMs)}${detail && ` (${detail})`}`;
  });
  return `.. still going: ${said.join(", ")}`;
}

/** Without colours and blank lines; shortened. */
function lastLineOf(lines: readonly string[]): string {
  const last = lines.findLast((line) => stripVTControlCharacters(line).trim() !== "") ?? "";
  const text = stripVTControlCharacters(last).trim();
  return text.length > longestDetail ? `${text.slice(0, longestDetail)}...` : text;
}
