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
  /** Charged transitions: the start, every state, retry and child execution. */
  readonly transitions: number;
  /** Events of the execution's own history. */
  readonly events: number;
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
  /** Outputs of the iterations, or children, that a Map had completed. */
  readonly completed?: readonly unknown[];
}

/** An execution of the run, or of a distributed Map's child. */
interface Running {
  readonly arn: string;
  readonly redriveCount: number;
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
  #transitions = 1;
  /** Every execution begins and ends with an event. */
  #events = 2;
  #largestBytes = 0;
  #unsuccessful: UnsuccessfulStep | undefined;

  constructor(invoke: InvokeFunction) {
    this.#invoke = invoke;
  }

  /** @param arn the execution's ARN, for `$states.context` */
  async execute(machine: AslMachine, input: unknown, arn: string): Promise<Execution> {
    const start = { state: machine.StartAt, input, variables: {} };
    return await this.#ended(machine, start, { arn, redriveCount: 0 });
  }

  /**
   * Continues at the step that did not succeed, with the same ARN and the variables assigned before it. Of a Map, only
   * the iterations or children that did not complete are run.
   * https://docs.aws.amazon.com/step-functions/latest/dg/redrive-executions.html
   */
  async redrive(machine: AslMachine, from: UnsuccessfulStep, arn: string): Promise<Execution> {
    return await this.#ended(machine, from, { arn, redriveCount: 1 });
  }

  async #ended(machine: AslMachine, from: UnsuccessfulStep, running: Running): Promise<Execution> {
    const end = await this.#run(machine, from, running).then(
      (output): ExecutionEnd => ({ status: "SUCCEEDED", output }),
      (error: unknown): ExecutionEnd => {
        if (error instanceof ExecutionStopped) return { status: "ABORTED" };
        if (!(error instanceof StateFailed)) throw error;
        return { status: "FAILED", error: error.error, cause: error.cause };
      },
    );
    const unsuccessful = end.status === "SUCCEEDED" ? undefined : this.#unsuccessful;
    const counts = { transitions: this.#transitions, events: this.#events };
    const run = { end, history: this.#history, ...counts, largestBytes: this.#largestBytes };
    return { ...run, ...(unsuccessful && { unsuccessful }) };
  }

  /** Runs the states of an execution, or of an iteration, which sees the variables but has none of its own. */
  async #run(machine: AslMachine, from: UnsuccessfulStep, running: Running): Promise<unknown> {
    const { arn, redriveCount } = running;
    const variables: Record<string, unknown> = { ...from.variables };
    let name: string | undefined = from.state;
    let value = from.input;
    let { completed } = from;
    while (name !== undefined) {
      const state: AslState | undefined = machine.States[name];
      if (state === undefined) throw new Error(`no state ${name}`);
      this.#history.push(name);
      this.#transitions += 1;
      this.#events += eventsOf[state.Type];
      // An execution's own step is set last, after those of its children.
      const here = { state: name, input: value, variables };
      const context = {
        Execution: { Id: arn, RedriveCount: redriveCount },
        State: { RetryCount: 0 },
      };
      const entered = {
        input: value,
        context,
        completed: [...(completed ?? [])],
        stopped: completed?.length,
      };
      const step: Step = await this.#step(state, entered, variables).catch((error: unknown) => {
        this.#unsuccessful = { ...here, completed: entered.completed };
        throw error;
      });
      Object.assign(variables, step.assigned);
      name = step.next;
      value = step.output;
      completed = undefined;
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
      const { next, assigned: chosen } = await this.#next(state, scope);
      return { output, assigned: { ...(assigned as Variables), ...chosen }, next };
    } catch (error) {
      return await this.#caught(state, states, variables, failureOf(error));
    }
  }

  async #result(state: AslState, entered: Entered, scope: AslScope): Promise<unknown> {
    switch (state.Type) {
      case "Task":
        return await this.#task(state, entered, scope);
      case "Map":
        return await this.#map(state, entered, scope);
      case "Fail":
        throw new StateFailed(
          String(await evaluated(state.Error, scope)),
          String(await evaluated(state.Cause, scope)),
        );
      default:
        return entered.input;
    }
  }

  async #task(state: AslState, { context }: Entered, scope: AslScope): Promise<unknown> {
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
        if (retry !== undefined && attempt < retry.MaxAttempts) {
          context.State.RetryCount += 1;
          this.#transitions += 1;
          this.#events += eventsOfAttempt;
          continue;
        }
        const cause = { errorType: name, errorMessage: message, trace: [] };
        throw new StateFailed(name, JSON.stringify(cause).slice(0, causeLimit));
      }
    }
  }

  async #map(state: AslState, entered: Entered, scope: AslScope): Promise<unknown> {
    const { ItemProcessor } = state;
    const items = await this.#value(state.Items, scope);
    const lanes = await evaluated(state.MaxConcurrency, scope);
    if (ItemProcessor === undefined) throw new Error("a Map without ItemProcessor");
    if (!Array.isArray(items)) throw new QueryEvaluationError("Items is no array");
    if (!Number.isInteger(lanes)) throw new QueryEvaluationError("MaxConcurrency is no integer");
    const { Mode, ExecutionType } = ItemProcessor.ProcessorConfig;
    const isInline = Mode === "INLINE";
    if (!isInline && (Mode !== "DISTRIBUTED" || ExecutionType !== "STANDARD")) {
      throw new Error(`unknown Map: ${Mode}, ${ExecutionType}`);
    }
    const { completed: outputs } = entered;
    while (outputs.length < items.length) {
      const item: unknown = items[outputs.length];
      outputs.push(
        isInline
          ? await this.#iteration(ItemProcessor, item, entered, scope.variables)
          : await this.#child(ItemProcessor, item, entered),
      );
    }
    return outputs;
  }

  /** https://docs.aws.amazon.com/step-functions/latest/dg/state-map-inline.html */
  async #iteration(
    machine: AslMachine & Pick<NonNullable<AslState["ItemProcessor"]>, "ProcessorConfig">,
    input: unknown,
    { context }: Entered,
    variables: Variables,
  ): Promise<unknown> {
    const { Id: arn, RedriveCount: redriveCount } = context.Execution;
    const assigning = Object.keys(machine.States).find((name) => machine.States[name]?.Assign);
    if (assigning !== undefined) throw new Error(`${assigning} in a Map assigns a variable`);
    this.#events += eventsOfIteration;
    return await this.#run(
      machine,
      { state: machine.StartAt, input, variables },
      { arn, redriveCount },
    );
  }

  /**
   * An execution of its own, without the parent's variables; only its own redrives count.
   * https://docs.aws.amazon.com/step-functions/latest/dg/state-map-distributed.html
   */
  async #child(
    machine: AslMachine,
    input: unknown,
    { context, completed, stopped }: Entered,
  ): Promise<unknown> {
    const arn = `${context.Execution.Id}/child-${completed.length}`;
    const redriveCount = completed.length === stopped ? context.Execution.RedriveCount : 0;
    this.#transitions += 1;
    const events = this.#events;
    try {
      const start = { state: machine.StartAt, input, variables: {} };
      return await this.#run(machine, start, { arn, redriveCount });
    } catch (error) {
      if (!(error instanceof StateFailed)) throw error;
      throw new StateFailed("States.ExceedToleratedFailureThreshold", error.cause);
    } finally {
      this.#events = events;
    }
  }

  async #next(state: AslState, scope: AslScope): Promise<Omit<Step, "output">> {
    for (const choice of state.Choices ?? []) {
      if ((await evaluated(choice.Condition, scope)) !== true) continue;
      const assigned = (await this.#value(choice.Assign ?? {}, scope)) as Variables;
      return { next: choice.Next, assigned };
    }
    return { next: state.Type === "Choice" ? state.Default : state.Next, assigned: {} };
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

/** The part of `$states` that is available when a state is entered, and what a Map has completed. */
interface Entered {
  readonly input: unknown;
  readonly context: {
    readonly Execution: { readonly Id: string; readonly RedriveCount: number };
    readonly State: { RetryCount: number };
  };
  readonly completed: unknown[];
  /** Index of the iteration or child that did not complete, in a redrive of the Map. */
  readonly stopped: number | undefined;
}

/** TaskScheduled, TaskStarted and TaskSucceeded or TaskFailed. */
const eventsOfAttempt = 3;
/** MapIterationStarted and MapIterationSucceeded. */
const eventsOfIteration = 2;
/**
 * Events of a state, without those of a Map's iterations; all but Fail are entered and exited. A distributed Map has
 * two more than an inline one: MapRunStarted and MapRunSucceeded.
 * https://docs.aws.amazon.com/step-functions/latest/apireference/API_HistoryEvent.html
 */
const eventsOf = { Task: 2 + eventsOfAttempt, Map: 6, Choice: 2, Pass: 2, Succeed: 2, Fail: 1 };

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
