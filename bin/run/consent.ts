import {
  type AccountClients,
  type DeployedStack,
  readDeployment,
} from "../../lib/aws/deployed-stack.ts";
import { listWrites } from "../../lib/aws/role-policies.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { ConsoleInput } from "../../lib/contract/types/contract.ts";
import { functionsExperimentId } from "../../lib/plan/functions-subject.ts";
import { mostCalls } from "../../lib/plan/trial-calls.ts";
import { parseConsoleInput } from "../../lib/run/console-input.ts";
import { expandChoices } from "../../lib/run/expand-choices.ts";
import { type Ask, isYes } from "../ask.ts";
import type { Progress } from "../progress.ts";

/** A user's function, with the most calls of its copies in a run's plan. */
interface CalledFunction {
  readonly name: string;
  readonly roleArn: string;
  readonly calls: number;
}

interface Asking extends Pick<AccountClients, "iam"> {
  /** --yes was given. */
  readonly isAgreed: boolean;
  readonly ask: Ask;
  readonly progress: Progress;
}

/**
 * Asks before copies are called: each acts as its original does, with the same role. If --yes answers, the same text is
 * logged. Throws InvalidInput unless the user agrees.
 */
export async function requireConsent(
  called: readonly CalledFunction[],
  question: string,
  { iam, isAgreed, ask, progress }: Asking,
): Promise<void> {
  const acts = await Promise.all(called.map((each) => describeActs(each, iam)));
  const text = acts.join("\n");
  const answer = isAgreed ? "yes" : await ask(`${text}\n${question} [y/N] `);
  if (isAgreed || answer === undefined) progress.say(text);
  if (isYes(answer)) return;
  throw new InvalidInput("a yes", answer?.trim(), "y at the terminal, or --yes");
}

async function describeActs({ name, roleArn, calls }: CalledFunction, iam: AccountClients["iam"]) {
  const [, , , , account] = roleArn.split(":");
  const place = `in account ${account}, region ${await iam.config.region()}`;
  const writes = await listWrites(iam, roleArn).then(
    (all) => `besides reading and logging, its policies allow ${all.join("; ") || "nothing"}`,
    (error: unknown) => `which of its actions write is unknown (${describeError(error).message})`,
  );
  return `up to ${calls} calls of the plan do what ${name} does, with its variables and layers, ${place}, as the role ${roleArn}: ${writes}`;
}

/** Asks before a run calls copies of a user's functions, if the stack has any and the input chooses one. */
export async function requireConsentToRun(
  stack: DeployedStack,
  input: ConsoleInput,
  { stepFunctions, ...asking }: Asking & AccountClients,
): Promise<void> {
  if (stack.functionRoles === undefined) return;
  const choices = parseConsoleInput(input, await readDeployment(stepFunctions, stack));
  const run = { runId: "planned", createdAt: new Date().toISOString(), seed: 0, lanes: 1 };
  const own = expandChoices(choices, run).find(
    ({ plan }) => plan.experiment === functionsExperimentId,
  );
  if (own === undefined) return;
  const called = Object.entries(stack.functionRoles)
    .map(([name, roleArn]) => ({ name, roleArn, calls: mostCalls(own.plan, name) }))
    .filter(({ calls }) => calls > 0);
  await requireConsent(called, "Start the run?", asking);
}
