import { randomUUID } from "node:crypto";
import { defined } from "../contract/defined.ts";
import { parseJson } from "../contract/lines.ts";
import type { Cell, FailedInit, Telemetry } from "../contract/types/contract.ts";
import type { CalledEnvironment, Invocation, Target } from "../sampler/target.ts";
import { type CgroupRoot, newGroupName, removeGroupsNamed } from "./cgroup.ts";
import {
  type EnvironmentSpec,
  ExecutionEnvironment,
  type InitOutcome,
  type InvokeOutcome,
} from "./execution-environment.ts";
import type { FunctionCommand } from "./function-process.ts";
import type { Usage } from "./usage-meter.ts";

/** Init may take 10 s: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html */
const lambdaInitTimeoutMs = 10_000;

export interface LocalTargetOptions {
  readonly timeoutSeconds: number;
  readonly command: (cell: Cell, runtimeApi: string) => FunctionCommand;
  readonly cgroupRoot?: CgroupRoot;
  readonly sandbox?: EnvironmentSpec["sandbox"];
  readonly network?: EnvironmentSpec["network"];
  /** Set if the kernel's bandwidth slice cannot be narrowed: see bandwidth-slice.ts. */
  readonly staysOnOneCpu?: EnvironmentSpec["staysOnOneCpu"];
  /** Measures resource use instead of the CPU time accounting. */
  readonly meter?: EnvironmentSpec["meter"];
  /** @default Lambda's 10 s */
  readonly initTimeoutMs?: number;
}

/** An invocation, and its Init if it was a cold start. */
interface Performed {
  readonly init?: InitOutcome;
  readonly outcome: InvokeOutcome;
  /** The last part of what the function printed. */
  readonly log: string;
  /** Absent if Init failed twice. */
  readonly environment?: CalledEnvironment;
  readonly failedInits?: FailedInit[];
}

/** A LocalTarget runs functions as processes of this machine, each with its own Lambda Runtime API. */
export class LocalTarget implements Target {
  readonly kind = "local";
  readonly #options: LocalTargetOptions;
  readonly #groups = new Set<string>();
  readonly #environments = new Map<string, ExecutionEnvironment>();
  /** Number of calls to each environment so far. */
  readonly #calls = new WeakMap<ExecutionEnvironment, number>();

  #isClosed = false;

  /** Connections to the Runtime APIs from processes that are not the function's. All were refused. */
  refusedConnections = 0;

  constructor(options: LocalTargetOptions) {
    this.#options = options;
  }

  async forceCold(cell: Cell): Promise<undefined> {
    await this.#environments.get(cell.id)?.destroy();
    this.#environments.delete(cell.id);
  }

  async invoke(cell: Cell, event: unknown): Promise<Invocation> {
    const requestId = randomUUID();
    const startedAt = new Date().toISOString();
    const sentMs = performance.now();
    const performed = await this.#perform(cell, requestId, JSON.stringify(event));
    const { init, outcome, log, environment, failedInits } = performed;
    const clientLatencyMs = outcome.endMs - sentMs;
    return {
      requestId,
      startedAt,
      clientLatencyMs,
      telemetry: makeTelemetry(cell, outcome, init),
      ...describeUsage(outcome, init),
      ...(outcome.firstByteMs !== undefined && { firstByteMs: outcome.firstByteMs }),
      ...(outcome.body !== undefined && { payload: parseJson(outcome.body, outcome.body) }),
      ...defined({ environment, failedInits }),
      log,
      ...(outcome.failure !== undefined && { error: outcome.failure }),
    };
  }

  /** Returns whether the cell's environment listens on a TCP port. */
  async listens(cell: Cell): Promise<boolean> {
    return (await this.#environments.get(cell.id)?.listens()) ?? false;
  }

  /** Ends every environment; one that is still starting ends once it has started. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const environments = [...this.#environments.values()];
    this.#environments.clear();
    await Promise.all(environments.map((environment) => environment.destroy()));
    const { cgroupRoot } = this.#options;
    if (cgroupRoot !== undefined) await removeGroupsNamed(cgroupRoot, this.#groups);
  }

  async #perform(cell: Cell, requestId: string, event: string): Promise<Performed> {
    const timeoutMs = this.#options.timeoutSeconds * 1000;
    const live = this.#environments.get(cell.id);
    if (live?.alive === true) {
      const called = this.#count(live);
      const outcome = await live.invoke(requestId, event, timeoutMs);
      return { outcome, log: live.takeLogTail(), environment: called };
    }
    await live?.destroy();
    const environment = await this.#start(cell);
    const init = await environment.init(this.#options.initTimeoutMs ?? lambdaInitTimeoutMs);
    if (init.kind === "failed") return await this.#initAgain(cell, requestId, event, init);
    const called = this.#count(environment);
    const outcome = await environment.invoke(requestId, event, timeoutMs);
    return { init, outcome, log: environment.takeLogTail(), environment: called };
  }

  /** Returns which environment is called now and how many calls it had before, and counts this call. */
  #count(environment: ExecutionEnvironment): CalledEnvironment {
    const invocation = this.#calls.get(environment) ?? 0;
    this.#calls.set(environment, invocation + 1);
    return { id: environment.id, invocation };
  }

  /** Repeats a failed Init inside the invocation, at the function's CPU share and within its timeout. */
  async #initAgain(
    cell: Cell,
    requestId: string,
    event: string,
    first: FailedInitOutcome,
  ): Promise<Performed> {
    const timeoutMs = this.#options.timeoutSeconds * 1000;
    const startMs = performance.now();
    const environment = await this.#start(cell);
    environment.throttle();
    const init = await environment.init(timeoutMs);
    const initMs = performance.now() - startMs;
    if (init.kind === "failed") {
      await environment.destroy();
      const { failure, status } = init;
      return {
        outcome: { durationMs: initMs, endMs: startMs + initMs, failure, status },
        log: environment.takeLogTail(),
        failedInits: [first, init].map(describeInit),
      };
    }
    // Usage covers only the second Init or the invocation, but Duration covers both, so it is dropped.
    const called = this.#count(environment);
    const { usage: _, ...outcome } = await environment.invoke(
      requestId,
      event,
      Math.max(1, timeoutMs - initMs),
    );
    const whole = { ...outcome, durationMs: outcome.durationMs + initMs };
    const failedInits = [describeInit(first)];
    return { outcome: whole, log: environment.takeLogTail(), environment: called, failedInits };
  }

  async #start(cell: Cell): Promise<ExecutionEnvironment> {
    await this.#environments.get(cell.id)?.destroy();
    const { command, cgroupRoot, sandbox, network, staysOnOneCpu, meter } = this.#options;
    const name = newGroupName();
    this.#groups.add(name);
    const environment = await ExecutionEnvironment.start({
      name,
      memoryMb: cell.memoryMb,
      functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${cell.id}`,
      command: (runtimeApi) => command(cell, runtimeApi),
      onStranger: () => {
        this.refusedConnections += 1;
      },
      ...defined({ cgroupRoot, sandbox, network, staysOnOneCpu, meter }),
    });
    if (this.#isClosed) {
      await environment.destroy();
      throw new Error("the run was stopped while an environment was being made");
    }
    this.#environments.set(cell.id, environment);
    return environment;
  }
}

/** Returns the telemetry that Lambda would report for the invocation, rounded to 0.01 ms. */
function makeTelemetry(
  { memoryMb }: Cell,
  { durationMs, peakMemoryMb, status, failure }: InvokeOutcome,
  init: InitOutcome | undefined,
): Telemetry {
  const reportedMs = hundredths(durationMs);
  const initDurationMs = init && hundredths(init.durationMs);
  return {
    durationMs: reportedMs,
    // Init is billed since 2025-08-01: the billed time is the sum of both printed durations, rounded up.
    billedDurationMs: Math.ceil(reportedMs + (initDurationMs ?? 0) - 1e-9),
    memorySizeMb: memoryMb,
    ...defined({ maxMemoryUsedMb: peakMemoryMb, initDurationMs, status, errorType: failure?.type }),
  };
}

/** Returns the resource use of the invocation and, on a cold start, of Init. */
function describeUsage(
  { usage }: InvokeOutcome,
  init: InitOutcome | undefined,
): Pick<Invocation, "cpu" | "instructions"> {
  const { cpuMs, instructions } = usage ?? {};
  const ofInit: Usage = init?.kind === "ready" ? init.usage : {};
  return {
    ...(cpuMs !== undefined && {
      cpu: {
        ...(ofInit.cpuMs !== undefined && { initCpuMs: ofInit.cpuMs }),
        invocationCpuMs: cpuMs,
      },
    }),
    ...(instructions !== undefined && {
      instructions: {
        ...(ofInit.instructions !== undefined && { init: ofInit.instructions }),
        invocation: instructions,
      },
    }),
  };
}

function hundredths(durationMs: number): number {
  return Number(durationMs.toFixed(2));
}

type FailedInitOutcome = Extract<InitOutcome, { readonly kind: "failed" }>;

/** Returns what Lambda's INIT_REPORT would say of an Init that failed. */
function describeInit({ status, durationMs, failure }: FailedInitOutcome): FailedInit {
  return { status, durationMs: hundredths(durationMs), errorType: failure.type };
}
