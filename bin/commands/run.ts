import {
  type AccountClients,
  accountClients,
  commandOn,
  type DeployedStack,
  requireStack,
} from "../../lib/aws/deployed-stack.ts";
import { requireWholeStack, resourceClients } from "../../lib/aws/missing-resources.ts";
import {
  runningExecution,
  startExecution,
  stepFunctionsProblem,
  stopExecution,
} from "../../lib/aws/run-execution.ts";
import { RunLock } from "../../lib/aws/run-lock.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { type Ask, askAtTerminal } from "../ask.ts";
import { exitCodes, type FailOn, gravestCode } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { requireConsentToRun } from "../run/consent.ts";
import { type CostOptions, costBasis } from "../run/cost-basis.ts";
import { type FinishedRun, finishRun } from "../run/finish-run.ts";
import { type EndedExecution, type FollowOptions, followRun } from "../run/follow-run.ts";
import { measureGate } from "../run/measure-gate.ts";
import { consoleInput, type InputOptions } from "../run/run-input.ts";
import { stackName } from "../run/stack-name.ts";
import { interruption } from "../run/until-ended.ts";

/** The options of `kelvin run`. */
interface RunOptions extends CostOptions, InputOptions {
  /** @default "Kelvin" */
  readonly stack?: string;
  /** The same as words of the CDK: -c stack=NAME. */
  readonly context?: readonly string[];
  /** True for the run in progress. */
  readonly attach?: string | true;
  readonly out?: string;
  readonly json?: true;
  readonly failOn?: FailOn;
  readonly yes?: true;
}

/** The command's dependencies; tests pass their own. */
interface RunSurroundings {
  readonly clients: AccountClients;
  readonly pollMs?: NonNullable<FollowOptions["pollMs"]>;
  /** Asks the person at the terminal what should happen to the run. */
  readonly ask?: () => Promise<RunFate>;
  /** Asks the person at the terminal whether to start it. */
  readonly askConsent?: Ask;
}

export type RunFate = "stop" | "leave" | "continue";

/**
 * `kelvin run`: starts the deployed state machine, or finds the run in progress, follows it to its end,
 * fetches it and prints its first screen; returns the exit code, which is the same as for a local run.
 */
export async function run(options: RunOptions, given?: RunSurroundings): Promise<number> {
  costBasis(options);
  const name = stackName(options.stack, options.context);
  const surroundings = given ?? { clients: await accountClients() };
  const { cloudFormation } = surroundings.clients;
  const progress = new Progress();
  const stack = await requireStack(cloudFormation, name);
  const execution = await findExecution(stack, options, surroundings, progress).catch(
    (error: unknown) => {
      throw stepFunctionsProblem(error);
    },
  );
  progress.say(execution);
  const ended = await untilDecided({ ...surroundings, stack, execution, progress });
  if (ended === undefined) {
    progress.say(`the run goes on; to follow it again: ${attachCommand(stack, execution)}`);
    return exitCodes.interrupted;
  }
  const { clients } = surroundings;
  const finished = await finishRun(ended, stack, options, { clients, progress });
  return gatedCode(finished, options, progress);
}

/** Returns the exit code of a run that serves as a gate: the most severe of its experiments. */
function gatedCode(
  { code, summaries }: FinishedRun,
  { failOn }: RunOptions,
  progress: Progress,
): number {
  if (failOn === undefined || summaries === undefined) return code;
  const judging = { failOn, args: process.argv.slice(2), progress };
  return gravestCode([code, ...summaries.map((each) => measureGate(each, code, judging))]);
}

function attachCommand(stack: DeployedStack, execution: string): string {
  return `${commandOn("run", stack)} --attach ${execution}`;
}

/** Returns the ARN of the execution to follow. */
async function findExecution(
  stack: DeployedStack,
  options: RunOptions,
  { clients, askConsent: ask = askAtTerminal }: RunSurroundings,
  progress: Progress,
): Promise<string> {
  const { stepFunctions, s3 } = clients;
  if (typeof options.attach === "string") return options.attach;
  const running = await runningExecution(stepFunctions, stack.stateMachineArn);
  if (options.attach === true) {
    const last = running?.arn ?? (await new RunLock(s3, stack.bucket).read())?.holder.execution;
    if (last !== undefined) return last;
    throw new InvalidInput("attach", undefined, `a run: none was started on ${stack.name} yet`);
  }
  if (running === undefined) {
    const unchecked = await requireWholeStack(stack.name, resourceClients(clients.cloudFormation));
    if (unchecked !== undefined) progress.say(unchecked);
    const input = consoleInput(options);
    const isAgreed = options.yes === true;
    await requireConsentToRun(stack, input, { ...clients, isAgreed, ask, progress });
    return await startExecution(stepFunctions, stack.stateMachineArn, input);
  }
  const allowed = `one run at a time on a stack: ${attachCommand(stack, running.arn)} follows this one`;
  throw new InvalidInput("a run under way", running.arn, allowed);
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

/** Asks what should happen to the run. Without a terminal it is left running. */
async function askForFate(): Promise<RunFate> {
  const question = "Stop the run (s), leave it running (l), or go on watching (Enter)? ";
  const answer = await askAtTerminal(question);
  if (answer === undefined) return "leave";
  const [letter = ""] = answer.trim().toLowerCase();
  return letter === "s" ? "stop" : letter === "l" ? "leave" : "continue";
}
