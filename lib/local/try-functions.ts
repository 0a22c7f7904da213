import type { Cell, Plan } from "../contract/types/contract.ts";
import { wrongAnswer } from "../sampler/expected-answer.ts";
import type { Invocation, Target } from "../sampler/target.ts";
import type { AbsentServices } from "./absent-services.ts";

/** A user's function does not do what it is to be measured for. Told before anything is measured. */
class FunctionFails extends Error {
  override readonly name = "FunctionFails";
}

/** A call of a user's function, and what is known of it. */
interface TriedCall {
  readonly cell: Cell;
  readonly event: string;
  readonly invocation: Invocation;
  /** Calls of services that are not on this machine. */
  readonly absentCalls: readonly string[];
}

/**
 * Calls each function once with each event in one environment of its largest size, and measures nothing.
 * Throws FunctionFails in the words of the function where a call fails or gives a wrong answer; returns
 * what is to be known of those that succeeded.
 */
export async function tryFunctions(
  plan: Plan,
  target: Target,
  absentServices: Pick<AbsentServices, "takeCalls">,
): Promise<readonly string[]> {
  const remarks = new Set<string>();
  for (const cell of largestCells(plan)) {
    await target.forceCold(cell);
    for (const event of new Set([plan.coldOperation, ...plan.warmOperations])) {
      const request = plan.requests?.[event] ?? {};
      const invocation = await target.invoke(cell, request.event);
      const absentCalls = absentServices.takeCalls();
      const tried = { cell, event, invocation, absentCalls };
      const problem = describeFailure(tried) ?? describeAnswer(tried, plan);
      if (problem !== undefined) throw new FunctionFails(withLog(problem, tried));
      if (absentCalls.length > 0) remarks.add(absentRemark(tried));
    }
    await target.forceCold(cell);
  }
  return [...remarks];
}

/** One a function: what fails at its largest size fails at the others. */
function largestCells({ cells }: Plan): readonly Cell[] {
  const largest = new Map<string, Cell>();
  for (const cell of cells) {
    const known = largest.get(cell.variant);
    if (known === undefined || cell.memoryMb > known.memoryMb) largest.set(cell.variant, cell);
  }
  return [...largest.values()];
}

function describeFailure({ cell, event, invocation }: TriedCall): string | undefined {
  const { error, environment, isText, payload } = invocation;
  const called = `${cell.variant} called with the event ${event} at ${cell.memoryMb} MB`;
  if (isText) {
    const text = String(payload).slice(0, 200);
    return `${called} answered what is no JSON: ${text === "" ? "nothing at all" : text}`;
  }
  if (error === undefined) return undefined;
  const { type, message } = error;
  // Without an environment its Init failed.
  if (environment === undefined) return describeInit(cell.variant, type, message);
  if (type === "Sandbox.Timedout") return `${called} did not end in time: ${message}`;
  if (type === "Runtime.ExitError") return `${called} ended its process: ${message}`;
  return `${called} failed: ${type}: ${message}`;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/troubleshooting-invocation.html */
function describeInit(name: string, type: string, message: string): string {
  const said = `${type}: ${message}`;
  if (/HandlerNotFound|MalformedHandlerName/.test(type)) {
    return `${name} has no such handler (--handler names another one): ${said}`;
  }
  if (/ImportModuleError/.test(type)) {
    return `${name} could not load its code, or something that it imports: ${said}`;
  }
  if (/SyntaxError/.test(type)) return `${name} has a syntax error: ${said}`;
  if (type === "Sandbox.Timedout") return `${name} did not end its Init in time: ${message}`;
  if (/ENOEXEC|exec format/i.test(message)) {
    return `${name} cannot be started here (${message}): it is built for another architecture or system`;
  }
  return `${name} failed in its Init: ${said}`;
}

function describeAnswer(
  { cell, event, invocation }: TriedCall,
  { requests }: Plan,
): string | undefined {
  const wrong = wrongAnswer(invocation.payload, requests?.[event]?.answer);
  return wrong === undefined
    ? undefined
    : `${cell.variant} gives another answer to the event ${event} than is expected: ${wrong}`;
}

const longestLogLines = 20;

/** With the calls that could not be answered, the likeliest cause, and the last lines of the log. */
function withLog(problem: string, { invocation, absentCalls }: TriedCall): string {
  const lines = (invocation.log ?? "")
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== "" && !isOfRuntime(line))
    .slice(-longestLogLines);
  const log = lines.length === 0 ? "its log is empty" : "the last lines of its log:";
  const missing =
    absentCalls.length === 0
      ? []
      : [`It called ${absentCalls.join(", ")}: no such service is on this machine (${howToHave}).`];
  return [problem, ...missing, log, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** What the host and AWS's client print of every failure. */
function isOfRuntime(line: string): boolean {
  return line.startsWith("INIT_REPORT ") || line.includes("LAMBDA_WARNING: ");
}

const howToHave = "--service has dynamodb and s3";

function absentRemark({ cell, absentCalls }: TriedCall): string {
  return `${cell.variant} calls ${absentCalls.join(", ")}, which is not on this machine: it was answered with an error, which its times include`;
}
