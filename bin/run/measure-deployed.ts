import { rmSync } from "node:fs";
import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { Summary } from "../../lib/analysis/summary.ts";
import { callerCredentials } from "../../lib/aws/account-access.ts";
import { adoptingClient } from "../../lib/aws/adopt-function.ts";
import { accountClients } from "../../lib/aws/deployed-stack.ts";
import { pricingClient } from "../../lib/aws/price-list.ts";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { requireJson } from "../../lib/contract/lines.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { estimatedUsdText } from "../../lib/cost/estimate.ts";
import type { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { newScratchFolder } from "../../lib/local/scratch-folder.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import { estimatedPlan, estimateWithin, type PricedRegion } from "../../lib/run/estimated-plan.ts";
import { askAtTerminal, isYes } from "../ask.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { type AppliedSize, applyMemory, requireApplicable } from "./apply-memory.ts";
import { type CostOptions, costBasis } from "./cost-basis.ts";
import { pricesToDeploy } from "./deployed-prices.ts";
import type { FunctionsRunOptions } from "./functions-run.ts";
import type { FunctionOptions } from "./measure-choice.ts";
import { type FunctionArn, parseFunctionArn, writeCopies } from "./measured-copies.ts";
import { type DeployedSurroundings, measureInStack, requirePlace } from "./measurement-stack.ts";
import { planText } from "./plan-text.ts";
import { planOfFunctions, priced } from "./planned-run.ts";
import { consoleInput } from "./run-input.ts";
import { openRun } from "./stored-run.ts";

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
export interface ArnOptions {
  readonly yes?: true;
  readonly maxCost?: number;
  readonly keep?: true;
  readonly apply?: AppliedSize;
  readonly copySecrets?: true;
}

/** Options of `kelvin measure` that have no meaning for a deployed function. */
const ofThisMachine = [
  ...["functions", "save", "runtime", "handler", "layer", "service", "table", "bucket", "network"],
  ...[
    "idle",
    "python",
    "node",
    "anyVersion",
    "resume",
    "margin",
    "alpha",
    "waitForQuiet",
    "verbose",
  ],
];

/** Turns the end of a run that serves as a gate into its exit code. */
type Gate = (run: { readonly store: DiskResultStore }, code: number) => Promise<number>;

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
  const arns = requireArns(texts, options);
  const progress = new Progress();
  useRegion(arns[0].region);
  const folder = newScratchFolder("functions");
  try {
    const client = surroundings.lambda(arns[0].arn);
    const functions = await writeCopies(arns, options, { folder, client, progress });
    const say = (line: string) => progress.say(line);
    const { region } = arns[0];
    const sources = { region, folder, say, client: surroundings.pricing };
    const { table, path: prices } = await pricesToDeploy(options.prices, sources);
    const plan = await showPlan(functions, { region, prices: table }, options, progress);
    const clients = await surroundings.clients();
    const stack = await requirePlace(arns, { ...surroundings, clients, progress });
    await agree(plan, arns, options, { ...surroundings, progress });
    const { code, folder: run } = await measureInStack({
      ...surroundings,
      clients,
      progress,
      chosen: { ...options, ...defined({ prices }) },
      stack,
      functions,
      folder,
      input: inputOf(options),
    });
    const stored = run === undefined ? undefined : await openRun("run", run);
    if (stored === undefined || code === exitCodes.interrupted) return code;
    await apply(arns[0], stored.store, options, { ...surroundings, client, progress });
    return gate === undefined ? code : await gate(stored, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the functions to measure. Throws InvalidInput. */
function requireArns(
  texts: readonly string[],
  options: DeployedOptions,
): readonly [FunctionArn, ...FunctionArn[]] {
  costBasis(options);
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
  if (options.apply !== undefined) requireApplicable([first, ...others]);
  return [first, ...others];
}

/** Makes the CDK's command and the SDK's clients use the functions' region. */
function useRegion(region: string): void {
  process.env.AWS_REGION = region;
  process.env.AWS_DEFAULT_REGION = region;
}

/** The prompt and the progress output of the command. */
type Asking = Pick<DeployedSurroundings, "ask"> & { readonly progress: Progress };

/** Asks whether to deploy and measure. Throws InvalidInput unless the user agrees. */
async function agree(
  { estimate }: Plan,
  [{ region, account }]: readonly [FunctionArn, ...FunctionArn[]],
  { yes, maxCost, keep }: DeployedOptions,
  { ask }: Asking,
): Promise<void> {
  if (yes === true || maxCost !== undefined) return;
  const cost =
    estimate === undefined ? "a cost that is not known" : estimatedUsdText(estimate.costUsd);
  const fate = keep === true ? "kept" : "destroyed afterwards";
  const question = `Deploy copies to ${region} in account ${account} and measure them for about ${cost}? The stack is ${fate}. [y/N] `;
  const answer = await ask(question);
  if (isYes(answer)) return;
  throw new InvalidInput("a yes", answer?.trim(), "y at the terminal, --yes, or --max-cost USD");
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
  const { untilPrecision, maxSamples, maxMinutes, limit } = rule;
  return consoleInput({
    preset,
    ...defined({ cold, warm, seed, maxCost }),
    ...(untilPrecision !== undefined && {
      untilPrecision: `${Number((100 * untilPrecision).toFixed(6))}%`,
    }),
    ...defined({ maxSamples, maxMinutes, limit }),
  });
}

async function apply(
  arn: FunctionArn,
  store: DiskResultStore,
  { apply: which, yes }: DeployedOptions,
  { client, ask, progress }: Asking & { readonly client: LambdaClient },
): Promise<void> {
  if (which === undefined) return;
  const summary = requireJson("summary.json", (await store.readText("summary.json")) ?? "");
  const applying = { client, ask, progress, isAgreed: yes === true };
  await applyMemory(arn, summary as Pick<Summary, "recommendation">, which, applying);
}

/** Returns the command's dependencies outside tests. */
async function deployedSurroundings(): Promise<DeployedSurroundings> {
  const { runCdk: cdk } = await import("./run-cdk.ts");
  return {
    ask: askAtTerminal,
    cdk,
    lambda: adoptingClient,
    pricing: pricingClient({ credentials: callerCredentials() }),
    clients: async () => await accountClients(),
  };
}
