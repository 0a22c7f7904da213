import type { Cell, Plan, UnavailableCalls } from "../contract/types/contract.ts";
import { wrongAnswer } from "../sampler/expected-answer.ts";
import type { Invocation, Target } from "../sampler/target.ts";
import type { AbsentServices } from "./absent-services.ts";

/** Thrown before the measurement if a user's function fails or returns a wrong answer. */
class FunctionFails extends Error {
  override readonly name = "FunctionFails";
}

/** A call of a user's function, with its outcome. */
interface TriedCall {
  readonly cell: Cell;
  readonly event: string;
  readonly invocation: Invocation;
  /** Calls to services that do not exist on this machine. */
  readonly absentCalls: readonly string[];
}

/**
 * Calls each function once with each event, in one environment of its largest size, without measuring. Throws
 * FunctionFails, with the function's own message, if a call fails or returns a wrong answer; returns what functions
 * called that nothing here answers, although they succeeded.
 * @param provide called with the message of a failed call. @default nothing is added
 * @param observe called for each function's cell before its environment ends. @default does nothing
 */
export async function tryFunctions(
  plan: Plan,
  target: Target,
  absentServices: Pick<AbsentServices, "takeCalls">,
  provide: ProvidePackage = async () => false,
  observe: (cell: Cell) => Promise<void> = async () => undefined,
): Promise<readonly UnavailableCalls[]> {
  const unavailable: UnavailableCalls[] = [];
  for (const cell of largestCells(plan)) {
    await target.forceCold(cell);
    const calls = new Set<string>();
    for (const event of new Set([plan.coldOperation, ...plan.warmOperations])) {
      const request = plan.requests?.[event] ?? {};
      const invocation = await invokeWithPackages(cell, request.event, target, provide);
      const absentCalls = absentServices.takeCalls();
      const tried = { cell, event, invocation, absentCalls };
      const problem = describeFailure(tried) ?? describeAnswer(tried, plan);
      if (problem !== undefined) throw new FunctionFails(withLog(problem, tried));
      for (const call of absentCalls) calls.add(call);
    }
    await observe(cell);
    if (calls.size > 0) unavailable.push({ variant: cell.variant, calls: [...calls] });
    await target.forceCold(cell);
  }
  return unavailable;
}

/**
 * Installs a package that Lambda's runtime includes and the function lacks here. Returns false if the message names
 * no such package, or it was added before.
 */
export type ProvidePackage = (cell: Cell, message: string) => Promise<boolean>;

/** Calls the function, and repeats the call in a new environment after each missing package that `provide` adds. */
async function invokeWithPackages(
  cell: Cell,
  event: unknown,
  target: Target,
  provide: ProvidePackage,
): Promise<Invocation> {
  const invocation = await target.invoke(cell, event);
  const { error } = invocation;
  if (error === undefined || !(await provide(cell, error.message))) return invocation;
  await target.forceCold(cell);
  return await invokeWithPackages(cell, event, target, provide);
}

/** Returns one cell per function: what fails at its largest size fails at the others too. */
function largestCells({ cells }: Plan): readonly Cell[] {
  const largest = new Map<string, Cell>();
  for (const cell of cells) {
    const known = largest.get(cell.variant);
    if (known === undefined || cell.memoryMb > known.memoryMb) largest.set(cell.variant, cell);
  }
  return [...largest.values()];
}

function describeFailure({ cell, event, invocation }: TriedCall): string | undefined {
  const { error, environment } = invocation;
  const called = `${cell.variant} called with the event ${event} at ${cell.memoryMb} MB`;
  if (error === undefined) return undefined;
  const { type, message } = error;
  const crash = /^extension (\S+) exited with status (\d+)$/m.exec(invocation.log ?? "");
  if (type === "Runtime.ExitError" && crash !== null) {
    const when = environment === undefined ? "during Init" : "during a call";
    return `${cell.variant} ended with its extension ${crash[1]}, which exited with status ${crash[2]} ${when}`;
  }
  // If there is no environment, Init failed.
  if (environment === undefined) return describeInit(cell.variant, type, message);
  if (type === "Sandbox.Timedout") return `${called} timed out: ${message} (--timeout sets more)`;
  if (type === "Runtime.ExitError") return `${called} exited before it answered: ${message}`;
  return `${called} failed: ${type}: ${message}`;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/troubleshooting-invocation.html */
function describeInit(name: string, type: string, message: string): string {
  const failure = `${type}: ${message}`;
  if (/HandlerNotFound|MalformedHandlerName/.test(type)) {
    return `${name} has no such handler (use --handler to name another): ${failure}`;
  }
  if (/ImportModuleError/.test(type)) {
    const remedy = /Cannot find (module|package) 'aws-sdk'/.test(message) ? noOldSdk : "";
    return `${name} could not load its code or one of its imports: ${failure}${remedy}`;
  }
  if (/SyntaxError/.test(type)) return `${name} has a syntax error: ${failure}`;
  if (type === "Sandbox.Timedout") return `${name} timed out during Init: ${message}`;
  if (/ENOEXEC|exec format/i.test(message)) {
    return `${name} cannot be started here (${message}): it was built for another architecture or operating system`;
  }
  return `${name} failed during Init: ${failure}`;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html#nodejs-sdk-included */
const noOldSdk =
  "\nLambda's Node.js runtimes have the AWS SDK v3, not aws-sdk (v2): package that with the function";

function describeAnswer(
  { cell, event, invocation }: TriedCall,
  { requests }: Plan,
): string | undefined {
  const wrong = wrongAnswer(invocation.payload, requests?.[event]?.answer);
  return wrong === undefined
    ? undefined
    : `${cell.variant} did not return the expected answer to the event ${event}: ${wrong}`;
}

const longestLogLines = 20;

/** Adds the calls that could not be answered, as the likeliest cause, and the last lines of the log. */
function withLog(problem: string, { invocation, absentCalls }: TriedCall): string {
  const lines = (invocation.log ?? "")
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== "" && !isOfRuntime(line))
    .slice(-longestLogLines);
  const log = lines.length === 0 ? "its log is empty" : "the last lines of its log:";
  const missing =
    absentCalls.length === 0
      ? []
      : [
          `It called ${absentCalls.join(", ")}: not available on this machine${adviceFor(absentCalls)}.`,
        ];
  return [problem, ...missing, log, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** Returns whether the line is one that AWS's runtime client prints for every failure. */
function isOfRuntime(line: string): boolean {
  return line.includes("LAMBDA_WARNING: ");
}

/** Returns how calls like these can be measured. */
function adviceFor(calls: readonly string[]): string {
  const emulated = "--service emulates dynamodb and s3 alone; kelvin measure ARN measures on AWS";
  const isHost = (call: string) => call.startsWith("the host ");
  const ofAws = calls.filter((call) => isHost(call) && /\.amazonaws\.com(\.cn)?\.?$/.test(call));
  if (ofAws.length > 0) {
    return `: its code, or an old SDK such as JavaScript v2 or Go v1, does not read AWS_ENDPOINT_URL (${emulated})`;
  }
  return calls.every((call) => isHost(call) || call.startsWith("an IP address"))
    ? ", where functions have no network (kelvin measure ARN measures on AWS)"
    : ` (${emulated})`;
}
