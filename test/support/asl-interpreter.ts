import type { AslCatch, AslMachine, AslState } from "./asl-definition.ts";
import { type AslScope, evaluated, QueryEvaluationError } from "./asl-expression.ts";

/** Runs a function in place of lambda:invoke. A thrown error is the function's error. */
export type InvokeFunction = (functionName: string, payload: unknown) => Promise<unknown>;

type ExecutionEnd =
  | { readonly status: "SUCCEEDED"; readonly output: unknown }
  | { readonly status: "FAILED"; readonly error: string; readonly cause: string }
  | { readonly status: "ABORTED" };

export interface Execution {
  readonly end: ExecutionEnd;
  /** Names of the entered states, including those of a Map's children. */
  readonly history: readonly string[];
  /** Size of the largest value that was passed on or stored, bytes. */
  readonly largestBytes: number;
  /** Step to redrive from; absent after success. */
  readonly unsuccessful?: UnsuccessfulStep;
}

/** A state that did not succeed, with the input and variables for a redrive. */
interface UnsuccessfulStep {
  readonly state: string;
  readonly input: unknown;
  readonly variables: Variables;
}

/** https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html */
const stateLimitBytes = 256 * 1024;
/** https://docs.aws.amazon.com/step-functions/latest/apireference/API_TaskFailedEventDetails.html */
const causeLimit = 32_768;

/** Thrown to simulate that a person stops the execution in the console: no further state runs. */
export class ExecutionStopped extends Error {
  override readonly name = "ExecutionStopped";
}

class StateFailed extends Error {
  readonly error: string;
  override readonly cause: string;
  constructor(error: string, cause: string) {
    super(cause);
    this.error = error;
    this.cause = cause;
  }
}

/** Interprets the part of the Amazon States Language that Kelvin uses. Throws on anything else. */
export class AslInterpreter {
  readonly #invoke: InvokeFunction;
  readonly #history: string[] = [];
  #redriveCount = 0;
  #largestBytes = 0;
  #unsuccessful: UnsuccessfulStep | undefined;

  constructor(invoke: InvokeFunction) {
    this.#invoke = invoke;
  }

  /** @param arn the execution's ARN, for `$states.context` */
  async execute(machine: AslMachine, input: unknown, arn: string): Promise<Execution> {
    return await this.#ended(machine, { state: machine.StartAt, input, variables: {} }, arn);
  }

  /**
   * Continues at the step that did not succeed, with the same ARN and the variables assigned before it.
   * https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html
   */
  async redrive(machine: AslMachine, from: UnsuccessfulStep, arn: string): Promise<Execution> {
    this.#redriveCount = 1;
    return await this.#ended(machine, from, arn);
  }

  async #ended(machine: AslMachine, from: UnsuccessfulStep, arn: string): Promise<Execution> {
    const end = await this.#run(machine, from, arn).then(
      (output): ExecutionEnd => ({ status: "SUCCEEDED", output }),
      (error: unknown): ExecutionEnd => {
        if (error instanceof ExecutionStopped) return { status: "ABORTED" };
        if (!(error instanceof StateFailed)) throw error;
        return { status: "FAILED", error: error.error, cause: error.cause };
      },
    );
    const unsuccessful = end.status === "SUCCEEDED" ? undefined : this.#unsuccessful;
    const run = { end, history: this.#history, largestBytes: this.#largestBytes };
    return { ...run, ...(unsuccessful && { unsuccessful }) };
  }

  /** Children of a distributed Map are separate executions: they have none of the parent's variables. */
  async #run(machine: AslMachine, from: UnsuccessfulStep, arn: string): Promise<unknown> {
    const context = { Execution: { Id: arn, RedriveCount: this.#redriveCount } };
    const variables: Record<string, unknown> = { ...from.variables };
    let name: string | undefined = from.state;
    let value = from.input;
    while (name !== undefined) {
      const state: AslState | undefined = machine.States[name];
      if (state === undefined) throw new Error(`no state ${name}`);
      this.#history.push(name);
      // An execution's own step is set last, after those of its children.
      const here = { state: name, input: value, variables };
      const step: Step = await this.#step(state, { input: value, context }, variables).catch(
        (error: unknown) => {
          this.#unsuccessful = here;
          throw error;
        },
      );
      Object.assign(variables, step.assigned);
      name = step.next;
      value = step.output;
    }
    return value;
  }

  async #step(state: AslState, states: Entered, variables: Variables): Promise<Step> {
    checkKnown(state);
    const scope = { states, variables };
    try {
      const result = await this.#result(state, states, scope);
      const after = { states: { ...states, result }, variables };
      const assigned = await this.#value(state.Assign ?? {}, after);
      const output = state.Output === undefined ? result : await this.#value(state.Output, after);
      return { output, assigned: assigned as Variables, next: await this.#next(state, scope) };
    } catch (error) {
      return await this.#caught(state, states, variables, failureOf(error));
    }
  }

  async #result(state: AslState, { input, context }: Entered, scope: AslScope): Promise<unknown> {
    switch (state.Type) {
      case "Task":
        return await this.#task(state, scope);
      case "Map":
        return await this.#map(state, scope, context.Execution.Id);
      case "Fail":
        throw new StateFailed(
          String(await evaluated(state.Error, scope)),
          String(await evaluated(state.Cause, scope)),
        );
      default:
        return input;
    }
  }

  async #task(state: AslState, scope: AslScope): Promise<unknown> {
    if (!state.Resource?.endsWith(":states:::lambda:invoke")) {
      throw new Error(`unknown resource ${state.Resource}`);
    }
    const { FunctionName, Payload } = (await this.#value(state.Arguments, scope)) as {
      readonly FunctionName: string;
      readonly Payload: unknown;
    };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const payload = copied(await this.#invoke(FunctionName, copied(Payload)));
        this.#weigh(payload);
        return { Payload: payload, StatusCode: 200 };
      } catch (error) {
        if (error instanceof ExecutionStopped) throw error;
        const { name, message } = error as Error;
        const retry = state.Retry?.find(({ ErrorEquals }) => ErrorEquals.includes(name));
        if (retry !== undefined && attempt < retry.MaxAttempts) continue;
        const cause = { errorType: name, errorMessage: message, trace: [] };
        throw new StateFailed(name, JSON.stringify(cause).slice(0, causeLimit));
      }
    }
  }

  async #map(state: AslState, scope: AslScope, arn: string): Promise<unknown> {
    const { ItemProcessor } = state;
    const items = await this.#value(state.Items, scope);
    const lanes = await evaluated(state.MaxConcurrency, scope);
    const { Mode, ExecutionType } = ItemProcessor?.ProcessorConfig ?? {};
    if (ItemProcessor === undefined || Mode !== "DISTRIBUTED" || ExecutionType !== "STANDARD") {
      throw new Error(`unknown Map: ${Mode}, ${ExecutionType}`);
    }
    if (!Array.isArray(items)) throw new QueryEvaluationError("Items is no array");
    if (!Number.isInteger(lanes)) throw new QueryEvaluationError("MaxConcurrency is no integer");
    const outputs: unknown[] = [];
    for (const item of items) {
      try {
        const start = { state: ItemProcessor.StartAt, input: item, variables: {} };
        outputs.push(await this.#run(ItemProcessor, start, `${arn}/child-${outputs.length}`));
      } catch (error) {
        if (!(error instanceof StateFailed)) throw error;
        throw new StateFailed("States.ExceedToleratedFailureThreshold", error.cause);
      }
    }
    return outputs;
  }

  async #next(state: AslState, scope: AslScope): Promise<string | undefined> {
    for (const choice of state.Choices ?? []) {
      if ((await evaluated(choice.Condition, scope)) === true) return choice.Next;
    }
    return state.Type === "Choice" ? state.Default : state.Next;
  }

  async #caught(
    state: AslState,
    states: Entered,
    variables: Variables,
    failure: StateFailed,
  ): Promise<Step> {
    const catches = (each: AslCatch) =>
      each.ErrorEquals.includes("States.ALL") || each.ErrorEquals.includes(failure.error);
    const found = state.Catch?.find(catches);
    if (found === undefined) throw failure;
    const errorOutput = { Error: failure.error, Cause: failure.cause };
    const scope = { states: { ...states, errorOutput }, variables };
    const output =
      found.Output === undefined ? errorOutput : await this.#value(found.Output, scope);
    const assigned = (await this.#value(found.Assign ?? {}, scope)) as Variables;
    return { output, assigned, next: found.Next };
  }

  async #value(template: unknown, scope: AslScope): Promise<unknown> {
    const value = await evaluated(template, scope);
    this.#weigh(value);
    return value;
  }

  #weigh(value: unknown): void {
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? "");
    this.#largestBytes = Math.max(this.#largestBytes, bytes);
    if (bytes > stateLimitBytes)
      throw new StateFailed("States.DataLimitExceeded", `${bytes} bytes`);
  }
}

/** The part of `$states` that is available when a state is entered. */
interface Entered {
  readonly input: unknown;
  readonly context: { readonly Execution: { readonly Id: string } };
}

type Variables = Readonly<Record<string, unknown>>;

interface Step {
  readonly output: unknown;
  readonly assigned: Variables;
  readonly next: string | undefined;
}

const knownFields = new Set(
  (
    "Type Comment QueryLanguage Next End Resource Arguments Output Assign TimeoutSeconds Retry Catch " +
    "Choices Default Error Cause Items MaxConcurrency ItemProcessor"
  ).split(" "),
);

function checkKnown(state: AslState): void {
  const unknown = Object.keys(state).find((field) => !knownFields.has(field));
  if (unknown !== undefined) throw new Error(`the interpreter does not know the field ${unknown}`);
}

function failureOf(error: unknown): StateFailed {
  if (error instanceof StateFailed) return error;
  if (error instanceof QueryEvaluationError) return new StateFailed(error.name, error.message);
  throw error;
}

function copied(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
