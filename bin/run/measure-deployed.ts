import { rmSync } from "node:fs";
import type { Summary } from "../../lib/analysis/summary.ts";
import { callerCredentials } from "../../lib/aws/account-access.ts";
import { adoptingClient } from "../../lib/aws/adopt-function.ts";
import type { ControlLambdaClient } from "../../lib/aws/clients.ts";
import { type AccountClients, accountClients } from "../../lib/aws/deployed-stack.ts";
import { pricingClient } from "../../lib/aws/price-list.ts";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { estimatedUsdText } from "../../lib/cost/estimate.ts";
import { readFunctionsFile } from "../../lib/functions/functions-file.ts";
import { parseRoleProps } from "../../lib/infra/stack-context.ts";
import { newScratchFolder } from "../../lib/local/scratch-folder.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import { mostCalls } from "../../lib/plan/trial-calls.ts";
import { estimatedPlan, estimateWithin, type PricedRegion } from "../../lib/run/estimated-plan.ts";
import { askAtTerminal } from "../ask.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { type AppliedSize, applyMemory, requireApplicable } from "./apply-memory.ts";
import { requireConsent } from "./consent.ts";
import { type CostOptions, costBasis } from "./cost-basis.ts";
import { pricesToDeploy } from "./deployed-prices.ts";
import type { FunctionsRunOptions } from "./functions-run.ts";
import type { FunctionOptions } from "./measure-choice.ts";
import { type FunctionArn, parseFunctionArn, writeCopies } from "./measured-copies.ts";
import { type DeployedSurroundings, measureInStack, requirePlace } from "./measurement-stack.ts";
import { planText } from "./plan-text.ts";
import { planOfFunctions, priced } from "./planned-run.ts";
import type { BootstrapOptions } from "./run-cdk.ts";
import { consoleInput } from "./run-input.ts";
import { readContext } from "./stack-name.ts";

/** The options of `kelvin measure ARN`. */
interface DeployedOptions
  extends CostOptions,
    ArnOptions,
    Pick<FunctionOptions, "event" | "expect" | "expectStatus" | "env" | "timeout">,
    Omit<FunctionsRunOptions, "network" | "idle" | "margin" | "alpha"> {
  readonly json?: true;
  readonly markdown?: string;
}

/** Options that only apply to deployed functions. */
export interface ArnOptions extends BootstrapOptions {
  /** CDK context, as words of the CDK's command. */
  readonly context?: readonly string[];
  readonly yes?: true;
  readonly maxCost?: number;
  readonly keep?: true;
  readonly apply?: AppliedSize;
  readonly applyWithoutAsking?: true;
  readonly copySecrets?: true;
}

/** Options of `kelvin measure` that have no meaning for a deployed function. */
const ofThisMachine =
  "functions save runtime handler layer service table bucket network idle python node anyVersion resume margin alpha waitForQuiet verbose".split(
    " ",
  );

/** Turns the end of a run that serves as a gate into its exit code. */
type Gate = (summary: Summary, code: number) => number;

/**
 * `kelvin measure ARN`: measures copies of one or two deployed functions on AWS, in a separate stack that is
 * destroyed at the end; returns the exit code. The functions themselves are only read, unless --apply is given.
 * @param gate absent if the comparison is no gate
 */
export async function measureDeployed(
  texts: readonly string[],
  options: DeployedOptions,
  gate: Gate | undefined,
  given?: DeployedSurroundings,
): Promise<number> {
  const surroundings = given ?? (await deployedSurroundings());
  const arns = requireArns(texts, options, surroundings);
  const progress = new Progress();
  const { region } = arns[0];
  // The region of the CDK's command and of the SDK's clients.
  Object.assign(process.env, { AWS_REGION: region, AWS_DEFAULT_REGION: region });
  const folder = newScratchFolder("functions");
  try {
    const client = surroundings.lambda(arns[0].arn);
    const measuring = { ...surroundings, client, progress, folder };
    const { code, summaries = [] } = await measureCopies(arns, options, measuring);
    const [summary] = summaries;
    if (summary === undefined || code === exitCodes.interrupted) return code;
    const { apply, applyWithoutAsking: isAgreed = false } = options;
    if (apply !== undefined) {
      await applyMemory(arns[0], summary, apply, { ...measuring, isAgreed });
    }
    return gate === undefined ? code : gate(summary, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Arns = readonly [FunctionArn, ...FunctionArn[]];

interface Measuring extends DeployedSurroundings {
  readonly client: ControlLambdaClient;
  readonly progress: Progress;
  /** A folder that is removed afterwards. */
  readonly folder: string;
}

/** Shows what is measured and what it costs, asks, and measures. */
async function measureCopies(arns: Arns, options: DeployedOptions, measuring: Measuring) {
  const { progress, pricing } = measuring;
  const copies = await writeCopies(arns, options, measuring);
  const { region } = arns[0];
  const priced = await pricesToDeploy(options.prices, region, progress, pricing);
  const plan = await showPlan(copies.path, { region, prices: priced.table }, options, progress);
  const clients = await measuring.clients();
  const stack = await requirePlace(arns, { ...measuring, clients, chosen: options });
  await agree(plan, copies.path, arns, options, { ...measuring, ...clients });
  const chosen = { ...options, ...defined({ prices: priced.path }) };
  const input = inputOf(options);
  const { client: lambda } = measuring;
  return await measureInStack({ ...measuring, clients, chosen, stack, copies, lambda, input });
}

/** Returns the functions to measure. Throws InvalidInput. */
function requireArns(
  texts: readonly string[],
  options: DeployedOptions,
  { isTerminal }: Pick<DeployedSurroundings, "isTerminal">,
): Arns {
  costBasis(options);
  const context = new Map(readContext(options.context ?? []));
  parseRoleProps((name) => context.get(name));
  const other = Object.entries(options).find(([name]) => ofThisMachine.includes(name));
  if (other !== undefined) {
    const allowed = "no value with a function's ARN, whose copy is measured on AWS as it is";
    throw new InvalidInput(other[0], other[1], allowed);
  }
  const [first, ...others] = texts.map(parseFunctionArn);
  if (first === undefined || others.length > 1) {
    throw new InvalidInput("functions", texts, "one ARN, or two, which are compared");
  }
  const away = others.find(
    ({ region, account }) => region !== first.region || account !== first.account,
  );
  if (away !== undefined) {
    throw new InvalidInput("functions", away.arn, `one in the account and region of ${first.arn}`);
  }
  if (others[0]?.name === first.name && others[0].qualifier === first.qualifier) {
    const allowed = "two functions, or two versions of one: a function is not compared with itself";
    throw new InvalidInput("functions", texts, allowed);
  }
  requireApplicable([first, ...others], options, isTerminal);
  return [first, ...others];
}

/** Asks whether to deploy the copies and measure them. Throws InvalidInput unless the user agrees. */
async function agree(
  plan: Plan,
  functionsPath: string,
  arns: Arns,
  { yes, keep }: DeployedOptions,
  asking: Measuring & AccountClients,
): Promise<void> {
  const { functions } = readFunctionsFile(functionsPath);
  const names = arns.map(({ arn }) => arn.split(":function:")[1] ?? arn);
  const copies = functions.map(({ name, permissions }, index) => ({
    name: (functions.length === names.length && names[index]) || names.join(" and "),
    roleArn: permissions?.roleArn ?? "",
    calls: mostCalls(plan, name),
  }));
  const usd = plan.estimate?.costUsd;
  const cost = usd === undefined ? "a cost that is not known" : `about ${estimatedUsdText(usd)}`;
  const fate = keep === true ? "kept" : "destroyed afterwards";
  const question = `Deploy copies and measure them for ${cost}? The stack is ${fate}.`;
  await requireConsent(copies, question, { ...asking, isAgreed: yes === true });
}

/** Prints the plan, and returns it. Throws InvalidInput if --max-cost is below the estimate or cannot be checked. */
async function showPlan(
  functions: string,
  where: PricedRegion,
  { memory: _, ...sized }: DeployedOptions,
  progress: Progress,
): Promise<Plan> {
  const { region, prices } = where;
  const input = { ...sized, experiment: "functions", architectures: [], functions, region };
  const plan = await planOfFunctions(input);
  const least = [smallestPlan(plan)];
  const { estimate, warnings } = estimateWithin(least, sized.maxCost, where, "max-cost");
  const isPriced = estimate !== undefined;
  progress.say(isPriced ? planText(priced(plan, input, prices)) : warnings.join("\n"));
  return estimatedPlan(plan, where);
}

/** Returns the input of the state machine. */
function inputOf({ preset, cold, warm, seed, maxCost, ...rule }: DeployedOptions) {
  const { untilPrecision: share, maxSamples, maxMinutes, limit } = rule;
  const untilPrecision = share === undefined ? undefined : `${Number((100 * share).toFixed(6))}%`;
  const sizes = { preset, cold, warm, seed, maxCost };
  return consoleInput(defined({ ...sizes, untilPrecision, maxSamples, maxMinutes, limit }));
}

/** Returns the command's dependencies outside tests. */
async function deployedSurroundings(): Promise<DeployedSurroundings> {
  const { runCdk: cdk } = await import("./run-cdk.ts");
  return {
    ask: askAtTerminal,
    isTerminal: process.stdin.isTTY === true,
    cdk,
    lambda: adoptingClient,
    pricing: pricingClient({ credentials: callerCredentials() }),
    clients: async () => await accountClients(),
  };
}
