import {
  type AccountClients,
  type DeployedStack,
  readDeployment,
} from "../../lib/aws/deployed-stack.ts";
import { listWrites } from "../../lib/aws/role-policies.ts";
import { describeError, InvalidInput } from "../../lib/contract/errors.ts";
import type { ConsoleInput } from "../../lib/contract/types/contract.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { usualLanes } from "../../lib/plan/driver-size.ts";
import { functionsExperimentId } from "../../lib/plan/functions-subject.ts";
import { mostCalls } from "../../lib/plan/trial-calls.ts";
import { parseConsoleInput } from "../../lib/run/console-input.ts";
import { deployedPrices } from "../../lib/run/estimated-plan.ts";
import { expandChoices } from "../../lib/run/expand-choices.ts";
import { type Ask, isYes } from "../ask.ts";
import type { Progress } from "../progress.ts";
import { runCostText } from "./plan-text.ts";

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

/** Says what a run may cost, and asks before it calls copies of a user's functions. */
export async function requireConsentToRun(
  stack: DeployedStack,
  input: ConsoleInput,
  { stepFunctions, ...asking }: Asking & AccountClients,
): Promise<void> {
  const deployment = await readDeployment(stepFunctions, stack).catch((error: unknown) => {
    if (stack.functionRoles !== undefined) throw error;
    asking.progress.say(`what the run may cost is not known: ${describeError(error).message}`);
  });
  if (deployment === undefined) return;
  const choices = parseConsoleInput(input, deployment);
  const { lanes = usualLanes(choices.experiments.map(({ cells }) => cells.length)) } = choices;
  const run = { runId: "planned", createdAt: new Date().toISOString(), seed: 0, lanes };
  const plans = expandChoices(choices, run).map(({ plan }) => plan);
  const prices = deployedPrices(deployment) ?? publishedPrices;
  const region = await asking.iam.config.region();
  asking.progress.say(runCostText(plans, { region, prices }));
  const own = plans.find(({ experiment }) => experiment === functionsExperimentId);
  if (stack.functionRoles === undefined || own === undefined) return;
  const called = Object.entries(stack.functionRoles)
    .map(([name, roleArn]) => ({ name, roleArn, calls: mostCalls(own, name) }))
    .filter(({ calls }) => calls > 0);
  await requireConsent(called, "Start the run?", asking);
}
