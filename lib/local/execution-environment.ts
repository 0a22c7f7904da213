import { randomUUID } from "node:crypto";
import { cpuCredit } from "../contract/cpu-credit.ts";
import { holdToOneCpu } from "./bandwidth-slice.ts";
import type { CgroupRoot } from "./cgroup.ts";
import { type CpuShare, createCpuShare } from "./cpu-share.ts";
import { type EnvironmentNetwork, machineNetwork } from "./environment-network.ts";
import { endExtensions } from "./extension-processes.ts";
import type { ExtendedFunction } from "./extensions-api.ts";
import { type FunctionCommand, FunctionProcess } from "./function-process.ts";
import { isPeerInGroup, listensOnPort } from "./loopback-peer.ts";
import { MemoryMeter } from "./memory-meter.ts";
import { RuntimeApi } from "./runtime-api.ts";
import { RuntimeSignals, type Signal } from "./runtime-signals.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { CpuMeter, type Usage, type UsageMeter } from "./usage-meter.ts";

interface FunctionFailure {
  readonly type: string;
  readonly message: string;
}

export type InitOutcome =
  | { readonly kind: "ready"; readonly durationMs: number; readonly usage: Usage }
  | {
      readonly kind: "failed";
      readonly status: "error" | "timeout";
      readonly durationMs: number;
      readonly failure: FunctionFailure;
    };

export interface InvokeOutcome {
  readonly durationMs: number;
  /** End of the invocation, by this machine's monotonic clock. */
  readonly endMs: number;
  /** Absent if the environment did not survive the invocation. */
  readonly usage?: Usage;
  /** Response body; absent if the invocation failed. */
  readonly body?: string;
  /** Time from handing over the event to the first byte of a streamed response. */
  readonly firstByteMs?: number;
  readonly failure?: FunctionFailure;
  /** Present if Lambda would print it in the REPORT line. */
  readonly status?: "error" | "timeout";
  readonly peakMemoryMb?: number;
}

export interface EnvironmentSpec {
  /** Unique on this machine while the environment exists. */
  readonly name: string;
  readonly memoryMb: number;
  readonly functionArn: string;
  /** Returns the command, given the Runtime API's address. */
  readonly command: (runtimeApi: string) => FunctionCommand;
  /** Called when a process that is not the function's connected to the Runtime API. */
  readonly onStranger?: () => void;
  /** Absent if this machine cannot limit a process's share of a CPU. */
  readonly cgroupRoot?: CgroupRoot;
  /** Absent if processes see this machine's files as Kelvin does. */
  readonly sandbox?: Sandbox;
  /** @default this machine's network */
  readonly network?: EnvironmentNetwork;
  /** Whether threads stay on one CPU after Init if the share is at most one CPU. @default false */
  readonly staysOnOneCpu?: boolean;
  /** Measures the process's resource use. @default the group's CPU time accounting, if there is a group */
  readonly meter?: (process: FunctionProcess) => UsageMeter;
}

interface EnvironmentParts {
  readonly api: RuntimeApi;
  readonly signals: RuntimeSignals;
  readonly share: CpuShare | undefined;
  readonly process: FunctionProcess;
}

/**
 * An ExecutionEnvironment is one Lambda execution environment: a process, its Runtime API, its share of the machine.
 * Init runs at full speed; the limit of memoryMb/1769 of a CPU applies from the first invocation on.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export class ExecutionEnvironment {
  /** Unique over all environments of all runs. */
  readonly id: string = randomUUID();
  readonly #spec: EnvironmentSpec;
  readonly #api: RuntimeApi;
  readonly #signals: RuntimeSignals;
  readonly #process: FunctionProcess;
  readonly #share: CpuShare | undefined;
  readonly #meter: UsageMeter | undefined;
  readonly #memory: MemoryMeter;
  /** Start of Init, by the monotonic clock. */
  readonly #startedMs: number;
  #alive = true;
  #isFrozen = false;

  private constructor(spec: EnvironmentSpec, { api, signals, share, process }: EnvironmentParts) {
    this.#spec = spec;
    this.#api = api;
    this.#signals = signals;
    this.#share = share;
    this.#process = process;
    let meter: UsageMeter | undefined;
    this.#startedMs = process.release((pid) => {
      share?.join(pid);
      meter = spec.meter?.(process) ?? (share && new CpuMeter(process, share));
    });
    this.#meter = meter;
    this.#memory = new MemoryMeter(process, share, spec.memoryMb);
    void this.#process.exited.then((how) => {
      this.#alive = false;
      signals.add({ kind: "exit", how });
    });
  }

  /** Starts the process; `init` waits until it is ready. */
  static async start(spec: EnvironmentSpec): Promise<ExecutionEnvironment> {
    const signals = new RuntimeSignals();
    const { cgroupRoot, name, memoryMb, sandbox, network = machineNetwork } = spec;
    const api = await RuntimeApi.start(signals, network);
    const share = cgroupRoot && createCpuShare(cgroupRoot, name, memoryMb);
    const command = spec.command(api.address);
    api.expectExtensions(command.extensions ?? [], describeFunction(command));
    const launcher = sandbox && network.enter(sandbox.launcher(command));
    const process = new FunctionProcess(network.enter(command), launcher);
    signals.isOwn = async (socket) =>
      process.pid !== undefined && (await isPeerInGroup(socket, process.pid, network.tables));
    signals.refused = () => spec.onStranger?.();
    try {
      await process.prepared();
      return new ExecutionEnvironment(spec, { api, signals, share, process });
    } catch (error) {
      // If the run was stopped meanwhile, the group is gone, and the launcher would wait for `release` forever.
      await process.kill();
      share?.remove();
      api.stop();
      throw error;
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Waits until the runtime requests its first invocation. */
  async init(timeoutMs: number): Promise<InitOutcome> {
    const signal = await this.#signals.wait(timeoutMs);
    if (signal.kind === "next") {
      const durationMs = signal.atMs - this.#startedMs;
      const usage = await this.#used();
      const { staysOnOneCpu, memoryMb } = this.#spec;
      const share = this.#share;
      if (staysOnOneCpu === true && share !== undefined && cpuCredit(memoryMb) <= 1) {
        holdToOneCpu(() => share.processes());
      }
      return { kind: "ready", durationMs, usage };
    }
    const durationMs = performance.now() - this.#startedMs;
    if (signal.kind === "timeout") {
      const failure = { type: "Sandbox.Timedout", message: `Init took over ${timeoutMs} ms` };
      return { kind: "failed", status: "timeout", durationMs, failure };
    }
    const failure =
      signal.kind === "init-error"
        ? readFailure(signal.body.toString("utf8"))
        : this.#exitFailure(signal.how);
    return { kind: "failed", status: "error", durationMs, failure };
  }

  /**
   * Limits the environment to its share from now on, with a full period's quota available: writing the quota refills
   * it. On Lambda, the gap between two calls has the same effect.
   */
  throttle(): void {
    this.#share?.throttle(this.#spec.memoryMb);
  }

  /**
   * Performs one invocation. Its Duration runs from handing over the event to the runtime's next request, like
   * Lambda's Invoke phase.
   */
  async invoke(requestId: string, event: string, timeoutMs: number): Promise<InvokeOutcome> {
    this.#signals.answer = undefined;
    await this.#thaw();
    this.throttle();
    const { functionArn } = this.#spec;
    const deadlineEpochMs = Date.now() + timeoutMs;
    const startMs = this.#api.deliver({ requestId, event, deadlineEpochMs, functionArn });
    const signal = await this.#memory.during(() => this.#signals.wait(timeoutMs));
    const endMs = signal.kind === "next" ? signal.atMs : performance.now();
    const peakMemoryMb = this.#memory.peakMb();
    const memory = peakMemoryMb === undefined ? {} : { peakMemoryMb };
    const durationMs = endMs - startMs;
    if (signal.kind === "timeout") {
      await this.destroy();
      const seconds = (timeoutMs / 1000).toFixed(2);
      const failure = {
        type: "Sandbox.Timedout",
        message: `Task timed out after ${seconds} seconds`,
      };
      return { durationMs: timeoutMs, endMs, failure, status: "timeout", ...memory };
    }
    const usage = signal.kind === "next" ? { usage: await this.#used() } : {};
    await this.#freeze();
    return {
      durationMs,
      endMs,
      ...this.#outcome(signal),
      ...this.#firstByte(startMs),
      ...usage,
      ...memory,
    };
  }

  /** Returns whether a process of the environment listens on a TCP port. */
  async listens(): Promise<boolean> {
    const { pid } = this.#process;
    if (!this.#alive || pid === undefined) return false;
    const { tables } = this.#spec.network ?? machineNetwork;
    return await listensOnPort(pid, tables, this.#share?.processes());
  }

  /** Returns what the function printed since the last call, at most the last 4 KB. */
  takeLogTail(): string {
    return this.#process.takeLogTail();
  }

  /** Ends the environment's processes, in any process group or session, and removes its share. Safe to repeat. */
  async destroy(): Promise<void> {
    const wasAlive = this.#alive;
    this.#alive = false;
    if (wasAlive) {
      this.#share?.thaw();
      await endExtensions(this.#api, this.#process);
    }
    const isEmpty = this.#share?.end();
    await this.#process.kill();
    this.#api.stop();
    if ((await isEmpty) === false) {
      throw new Error("processes of an environment that ended cannot be killed");
    }
    this.#share?.remove();
  }

  /**
   * Thaws the processes and waits until they are idle again, so that work that came due while they were frozen is
   * done before the event arrives. https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
   */
  async #thaw(): Promise<void> {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    this.#share?.thaw();
    await this.#process.atRest();
    this.#meter?.skip?.();
  }

  /** Freezes the environment between calls, as Lambda does, and reads what it has printed until then. */
  async #freeze(): Promise<void> {
    if (!this.#alive) return;
    this.#share?.freeze();
    this.#isFrozen = true;
    await this.#process.printed();
  }

  async #used(): Promise<Usage> {
    return (await this.#meter?.lap()) ?? {};
  }

  #firstByte(startMs: number): Pick<InvokeOutcome, "firstByteMs"> {
    const atMs = this.#signals.answer?.firstByteMs;
    return atMs === undefined ? {} : { firstByteMs: atMs - startMs };
  }

  #outcome(
    signal: Exclude<Signal, { kind: "timeout" }>,
  ): Pick<InvokeOutcome, "body" | "failure" | "status"> {
    const { answer } = this.#signals;
    if (answer?.failed === true) return { failure: readFailure(answer.body), status: "error" };
    if (answer !== undefined) return { body: answer.body };
    const how = signal.kind === "exit" ? signal.how : "no response";
    return { failure: this.#exitFailure(how), status: "error" };
  }

  /** Describes an exit as Lambda does, and adds whether the kernel killed the process for its memory limit. */
  #exitFailure(how: string): FunctionFailure {
    const cause =
      this.#share?.ranOutOfMemory() === true
        ? ` (out of memory: it needed more than ${this.#spec.memoryMb} MB)`
        : "";
    return { type: "Runtime.ExitError", message: `Runtime exited with error: ${how}${cause}` };
  }
}

function describeFunction({ environment }: FunctionCommand): ExtendedFunction {
  const { AWS_LAMBDA_FUNCTION_NAME: functionName = "", _HANDLER: handler = "" } = environment;
  return { functionName, handler };
}

function readFailure(body: string): FunctionFailure {
  try {
    const { errorType, errorMessage } = JSON.parse(body) as Record<string, unknown>;
    return { type: String(errorType ?? "Unhandled"), message: String(errorMessage ?? body) };
  } catch {
    return { type: "Unhandled", message: body.slice(0, 1000) };
  }
}
