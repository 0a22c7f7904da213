import {
  type AccountClients,
  accountClients,
  type DeployedStack,
  requireStack,
} from "../../lib/aws/deployed-stack.ts";
import { type RunAddress, s3Problem } from "../../lib/aws/results-bucket.ts";
import {
  runningExecution,
  startExecution,
  stepFunctionsProblem,
  stopExecution,
} from "../../lib/aws/run-execution.ts";
import { RunLock } from "../../lib/aws/run-lock.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { ConsoleInput, Limit } from "../../lib/contract/types/contract.ts";
import { formatLimit } from "../../lib/plan/limits.ts";
import { askAtTerminal } from "../ask.ts";
import { exitCodeFor, exitCodes, type FailOn, gravestCode } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import type { CostOptions } from "./cost-basis.ts";
import { costBasis } from "./cost-basis.ts";
import { downloadRun } from "./fetch.ts";
import { type EndedExecution, type FollowOptions, followRun } from "./follow-run.ts";
import { measureGate } from "./measure-gate.ts";
import { report } from "./report.ts";
import { requireWhole, runCommandOf } from "./stack-guard.ts";
import { openRun } from "./stored-run.ts";
import { interruption, stoppingText } from "./until-ended.ts";

/** The options of `kelvin run`. */
interface RunWords extends CostOptions, InputWords {
  readonly stack: string;
  /** True for the run in progress. */
  readonly attach?: string | true;
  readonly out?: string;
  readonly json?: true;
  readonly failOn?: FailOn;
}

/** The options that become the state machine's input. */
interface InputWords {
  readonly experiment?: readonly string[];
  readonly variants?: readonly string[];
  readonly memory?: readonly number[];
  readonly architectures?: readonly string[];
  readonly preset?: "quick" | "standard";
  readonly cold?: number;
  readonly warm?: number;
  readonly seed?: number;
  readonly lanes?: number;
  readonly maxCost?: number;
  /** The share as typed, e.g. 5%. */
  readonly untilPrecision?: string;
  readonly maxSamples?: number;
  readonly maxMinutes?: number;
  readonly limit?: readonly Limit[];
}

/** The command's dependencies; tests pass their own. */
interface RunSurroundings {
  readonly clients: AccountClients;
  readonly pollMs?: NonNullable<FollowOptions["pollMs"]>;
  /** Asks the person at the terminal what should happen to the run. */
  readonly ask?: () => Promise<RunFate>;
}

export type RunFate = "stop" | "leave" | "continue";

/**
 * `kelvin run`: starts the deployed state machine, or finds the run in progress, follows it to its end,
 * fetches it and prints its first screen; returns the exit code, which is the same as for a local run.
 */
export async function run(words: RunWords, given?: RunSurroundings): Promise<number> {
  costBasis(words);
  const surroundings = given ?? { clients: await accountClients() };
  const { cloudFormation } = surroundings.clients;
  const progress = new Progress();
  const stack = await requireStack(cloudFormation, words.stack);
  const execution = await begin(stack, words, surroundings.clients, progress).catch(
    (error: unknown) => {
      throw stepFunctionsProblem(error);
    },
  );
  progress.say(execution);
  const ended = await untilDecided({ ...surroundings, stack, execution, progress });
  if (ended === undefined) {
    progress.say(`the run goes on; to follow it again: ${attachCommand(words.stack, execution)}`);
    return exitCodes.interrupted;
  }
  const { clients } = surroundings;
  const finished = await finishRun(ended, stack, words, { clients, progress });
  return await gatedCode(finished, words, progress);
}

/** The exit code of a run that serves as a gate: the gravest of its experiments'. */
async function gatedCode(
  { code, folder }: FinishedRun,
  { failOn }: RunWords,
  progress: Progress,
): Promise<number> {
  if (failOn === undefined || folder === undefined) return code;
  const options = { failOn, words: process.argv.slice(2), progress };
  const codes: number[] = [];
  for (const each of (await openRun("run", folder)).experiments) {
    codes.push(await measureGate(each, code, options));
  }
  return gravestCode(codes);
}

function attachCommand(stack: string, execution: string): string {
  return `${runCommandOf(stack)} --attach ${execution}`;
}

/** Returns the ARN of the execution to follow. */
async function begin(
  stack: DeployedStack,
  words: RunWords,
  clients: AccountClients,
  progress: Progress,
): Promise<string> {
  const { stepFunctions, s3 } = clients;
  if (typeof words.attach === "string") return words.attach;
  const running = await runningExecution(stepFunctions, stack.stateMachineArn);
  if (words.attach === true) {
    const last = running?.arn ?? (await new RunLock(s3, stack.bucket).read())?.holder.execution;
    if (last !== undefined) return last;
    throw new InvalidInput("attach", undefined, `a run: none was started on ${stack.name} yet`);
  }
  if (running === undefined) {
    await requireWhole({ clients, stack, progress });
    return await startExecution(stepFunctions, stack.stateMachineArn, consoleInput(words));
  }
  const allowed = `one run at a time on a stack: ${attachCommand(stack.name, running.arn)} follows this one`;
  throw new InvalidInput("a run under way", running.arn, allowed);
}

/** The input as one would type it into the console; `{}` if no option was given. */
export function consoleInput(words: InputWords): ConsoleInput {
  const { experiment, variants, memory, architectures, maxCost, ...rest } = words;
  const { preset, cold, warm, seed, lanes, untilPrecision, maxSamples, maxMinutes, limit } = rest;
  const isAll = experiment?.length === 1 && experiment[0] === "all";
  const asked = {
    ...{ experiment: isAll ? undefined : experiment, variants, memoryMb: memory, architectures },
    ...{ preset, cold, warm, seed, lanes, maxCostUsd: maxCost },
    ...{ untilPrecision, maxSamples, maxMinutes, limits: limit?.map(formatLimit) },
  };
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as ConsoleInput;
}

/** Follows the run to its end; undefined if it was left running. Ctrl-C asks what should happen to it. */
async function untilDecided(
  options: Omit<FollowOptions, "signal"> & RunSurroundings,
): Promise<EndedExecution | undefined> {
  const { clients, execution, progress, ask = askForFate } = options;
  for (;;) {
    const interrupted = interruption(
      progress,
      "the run goes on in AWS (press again to leave it there and end at once)",
    );
    try {
      const ended = await followRun({ ...options, signal: interrupted.signal });
      if (ended !== undefined) return ended;
      const fate = interrupted.first === "SIGINT" ? await ask() : "leave";
      if (fate === "leave") return undefined;
      if (fate === "stop") {
        await stopExecution(clients.stepFunctions, execution);
        progress.say("stopped: what was measured is kept");
      }
    } finally {
      interrupted.release();
    }
  }
}

/** Nobody answers without a terminal, so the run is then left as it is. */
async function askForFate(): Promise<RunFate> {
  const question = "Stop the run (s), leave it running (l), or go on watching (Enter)? ";
  const answer = await askAtTerminal(question);
  if (answer === undefined) return "leave";
  const [letter = ""] = answer.trim().toLowerCase();
  return letter === "s" ? "stop" : letter === "l" ? "leave" : "continue";
}

/** Options for where an ended run is stored and how it is printed. */
type FinishWords = CostOptions & {
  readonly out?: string;
  readonly json?: true;
  readonly markdown?: string;
};

/** Everything needed to fetch and print an ended run. */
interface Finishing {
  readonly clients: Pick<AccountClients, "s3">;
  readonly progress: Progress;
}

/** The outcome of a run. */
export interface FinishedRun {
  readonly code: number;
  /** The folder of its files. Absent if nothing was fetched. */
  readonly folder?: string;
}

/** Fetches what was measured and prints the first screen; if nothing was measured, prints the reason. */
export async function finishRun(
  { execution, runId }: EndedExecution,
  { bucket }: Pick<DeployedStack, "bucket">,
  words: FinishWords,
  { clients, progress }: Finishing,
): Promise<FinishedRun> {
  const { status, error = status, cause = "" } = execution;
  if (status !== "SUCCEEDED") progress.say(`the execution ended as ${status}: ${cause || error}`);
  const withoutResult = status === "ABORTED" ? exitCodes.interrupted : exitCodeFor(error);
  if (runId === undefined) return { code: withoutResult };
  const fetched = await fetchEnded({ bucket, runId }, words.out, { clients, progress });
  if (fetched === undefined) return { code: exitCodes.interrupted };
  if (!fetched.files.some(({ path }) => path.includes("samples/"))) return { code: withoutResult };
  const folder = fetched.folder === "" ? "." : fetched.folder;
  const code = await report(folder, words);
  if (status === "ABORTED") return { folder, code: exitCodes.interrupted };
  const isPartOnly = status !== "SUCCEEDED" && code === exitCodes.complete;
  return { folder, code: isPartOnly ? exitCodes.partial : code };
}

/** Undefined if Ctrl-C ended it. */
async function fetchEnded(
  address: Required<RunAddress>,
  out: string | undefined,
  { clients, progress }: Finishing,
) {
  const { signal, release } = interruption(progress, stoppingText("what was fetched"));
  try {
    return await downloadRun(address, out, progress, signal, clients.s3);
  } catch (error) {
    if (!signal.aborted) throw s3Problem(error, address.bucket);
    const { bucket, runId } = address;
    return void progress.say(
      `stopped; to fetch the rest: kelvin fetch s3://${bucket}/runs/${runId}`,
    );
  } finally {
    release();
  }
}
