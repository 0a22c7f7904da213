import { randomUUID } from "node:crypto";
import { cpuCredit } from "../contract/cpu-credit.ts";
import { holdToOneCpu } from "./bandwidth-slice.ts";
import type { CgroupRoot } from "./cgroup.ts";
import { type CpuShare, createCpuShare } from "./cpu-share.ts";
import { type EnvironmentNetwork, machineNetwork } from "./environment-network.ts";
import { endExtensions } from "./extension-processes.ts";
import type { ExtendedFunction } from "./extensions-api.ts";
import { type FunctionCommand, FunctionProcess } from "./function-process.ts";
import { isPeerInGroup } from "./loopback-peer.ts";
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
  /** When it ended, by this machine's monotonic clock. */
  readonly endMs: number;
  /** Absent when the environment did not outlive the invocation. */
  readonly usage?: Usage;
  /** The response's body; absent when the invocation failed. */
  readonly body?: string;
  /** Time between handing over the event and the first byte of a streamed response. */
  readonly firstByteMs?: number;
  readonly failure?: FunctionFailure;
  /** Present when Lambda would print it in the REPORT line. */
  readonly status?: "error" | "timeout";
  readonly peakMemoryMb?: number;
}

export interface EnvironmentSpec {
  /** Unique on this machine while it lives. */
  readonly name: string;
  readonly memoryMb: number;
  readonly functionArn: string;
  /** The command, once the Runtime API's address is known. */
  readonly command: (runtimeApi: string) => FunctionCommand;
  /** Told of a connection to the Runtime API that no process of the function made. */
  readonly onStranger?: () => void;
  /** Absent: this machine cannot hold a process to a share of a CPU. */
  readonly cgroupRoot?: CgroupRoot;
  /** Absent: its processes see this machine as Kelvin does. */
  readonly sandbox?: Sandbox;
  /** @default this machine's own */
  readonly network?: EnvironmentNetwork;
  /** Whether its threads stay on one CPU after Init where its share is no more than one. @default false */
  readonly staysOnOneCpu?: boolean;
  /**
   * Measures the process's use.
   * @default the group's accounting of CPU time, where there is a group
   */
  readonly meter?: (process: FunctionProcess) => UsageMeter;
}

/** An environment is made of these. */
interface EnvironmentParts {
  readonly api: RuntimeApi;
  readonly signals: RuntimeSignals;
  readonly share: CpuShare | undefined;
  readonly process: FunctionProcess;
}

/**
 * One Lambda execution environment: a process, its Runtime API, its share of the machine. Init runs
 * at full speed; the share of memoryMb/1769 of a CPU holds from the first invocation on.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
export class ExecutionEnvironment {
  /** No other environment of any run has it. */
  readonly id: string = randomUUID();
  readonly #spec: EnvironmentSpec;
  readonly #api: RuntimeApi;
  readonly #signals: RuntimeSignals;
  readonly #process: FunctionProcess;
  readonly #share: CpuShare | undefined;
  readonly #meter: UsageMeter | undefined;
  readonly #memory: MemoryMeter;
  /** When Init began, by the monotonic clock. */
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
    this.#startedMs = process.begin((pid) => {
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

  /** Starts the process; `init` waits for it to be ready. */
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
      // The group is gone where the run was stopped meanwhile: a launcher would wait for its word for ever.
      await process.kill();
      share?.remove();
      api.stop();
      throw error;
    }
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Waits until the runtime asks for its first invocation. */
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
   * Holds the environment to its share from now on, with the whole of a period's quota to spend: the
   * kernel refills it when it is written. On Lambda the gap between two calls does the same.
   */
  throttle(): void {
    this.#share?.throttle(this.#spec.memoryMb);
  }

  /**
   * One invocation. Duration runs from the event's handing over to the runtime's next request, as
   * Lambda's invoke phase does.
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

  /** Returns the last 4 KB at most of what the function printed since the last call. */
  takeLogTail(): string {
    return this.#process.takeLogTail();
  }

  /** Ends the environment's processes, whatever group or session they are of, and frees its share; safe to call again. */
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
   * Lets its processes go on, and waits until they are back at their wait: what was due while they were frozen is
   * done before the event comes. https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
   */
  async #thaw(): Promise<void> {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    this.#share?.thaw();
    await this.#process.atRest();
    this.#meter?.skip?.();
  }

  /** Freezes it between calls, as Lambda does, with all that it printed until then read. */
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

  /** Describes an exit in Lambda's words, and adds what they leave out: that the kernel killed it for its memory. */
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
