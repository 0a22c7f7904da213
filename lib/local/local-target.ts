import { randomUUID } from "node:crypto";
import type { Cell, Telemetry } from "../contract/types/contract.ts";
import type { Invocation, Target } from "../protocol/target.ts";
import { formatReport } from "../telemetry/format-report.ts";
import { parseReport } from "../telemetry/parse-report.ts";
import type { CgroupRoot } from "./cgroup.ts";
import {
  ExecutionEnvironment,
  type InitOutcome,
  type InvokeOutcome,
} from "./execution-environment.ts";
import type { FunctionCommand } from "./function-process.ts";

/** Init may take 10 s: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html */
const initTimeoutMs = 10_000;

/** Lambda's LogResult holds the last 4 KB. */
const tailBytes = 4096;

export interface LocalTargetOptions {
  readonly timeoutSeconds: number;
  readonly command: (cell: Cell, runtimeApi: string) => FunctionCommand;
  readonly cgroupRoot?: CgroupRoot;
}

/** Target over processes of this machine, each behind a Lambda Runtime API of its own. */
export class LocalTarget implements Target {
  readonly kind = "local";
  readonly #options: LocalTargetOptions;
  readonly #environments = new Map<string, ExecutionEnvironment>();
  #started = 0;

  constructor(options: LocalTargetOptions) {
    this.#options = options;
  }

  async forceCold(cell: Cell): Promise<undefined> {
    await this.#environments.get(cell.id)?.destroy();
    this.#environments.delete(cell.id);
  }

  async invoke(cell: Cell, event: { readonly operation: string }): Promise<Invocation> {
    const requestId = randomUUID();
    const startedAt = new Date().toISOString();
    const sentMs = performance.now();
    const { init, outcome, log } = await this.#perform(cell, requestId, JSON.stringify(event));
    const clientLatencyMs = performance.now() - sentMs;
    const report = formatReport(requestId, telemetryOf(cell, outcome, init));
    const tail = Buffer.from(`${log}\nEND RequestId: ${requestId}\n${report}\n`).subarray(
      -tailBytes,
    );
    const telemetry = parseReport(tail.toString("utf8"), requestId);
    return {
      requestId,
      startedAt,
      clientLatencyMs,
      ...(telemetry === undefined ? { logTruncated: true } : { telemetry }),
      ...(outcome.body !== undefined && { payload: parsedPayload(outcome.body) }),
      ...(outcome.failure !== undefined && { error: outcome.failure }),
    };
  }

  /** Ends every environment. */
  async close(): Promise<void> {
    const environments = [...this.#environments.values()];
    this.#environments.clear();
    await Promise.all(environments.map((environment) => environment.destroy()));
  }

  async #perform(cell: Cell, requestId: string, event: string) {
    const timeoutMs = this.#options.timeoutSeconds * 1000;
    const live = this.#environments.get(cell.id);
    if (live?.alive === true) {
      const outcome = await live.invoke(requestId, event, timeoutMs);
      return { outcome, log: live.takeLogTail() };
    }
    await live?.destroy();
    const environment = await this.#start(cell);
    const init = await environment.init(initTimeoutMs);
    if (init.kind === "failed") return await this.#initAgain(cell, requestId, event, init);
    const outcome = await environment.invoke(requestId, event, timeoutMs);
    return { init, outcome, log: environment.takeLogTail() };
  }

  /** A failed Init runs again inside the invocation, at the function's share and within its timeout. */
  async #initAgain(cell: Cell, requestId: string, event: string, first: InitOutcome) {
    const timeoutMs = this.#options.timeoutSeconds * 1000;
    const startMs = performance.now();
    const environment = await this.#start(cell);
    environment.throttle();
    const init = await environment.init(timeoutMs);
    const log = `${initReport(first, "init")}\n${environment.takeLogTail()}`;
    const initMs = performance.now() - startMs;
    if (init.kind === "failed") {
      await environment.destroy();
      const { failure, status } = init;
      return {
        outcome: { durationMs: initMs, failure, status },
        log: `${log}${initReport(init, "invoke")}`,
      };
    }
    const outcome = await environment.invoke(requestId, event, Math.max(1, timeoutMs - initMs));
    const whole = { ...outcome, durationMs: outcome.durationMs + initMs };
    return { outcome: whole, log: `${log}${environment.takeLogTail()}` };
  }

  async #start(cell: Cell): Promise<ExecutionEnvironment> {
    await this.#environments.get(cell.id)?.destroy();
    const { command, cgroupRoot } = this.#options;
    this.#started += 1;
    const environment = await ExecutionEnvironment.start({
      name: `kelvin-${process.pid}-${this.#started}`,
      memoryMb: cell.memoryMb,
      functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${cell.id}`,
      command: (runtimeApi) => command(cell, runtimeApi),
      ...(cgroupRoot !== undefined && { cgroupRoot }),
    });
    this.#environments.set(cell.id, environment);
    return environment;
  }
}

function telemetryOf(cell: Cell, outcome: InvokeOutcome, init: InitOutcome | undefined): Telemetry {
  const initMs = init?.durationMs;
  return {
    durationMs: outcome.durationMs,
    // Init is billed since 2025-08-01: the ceiling of the sum of what the line prints.
    billedDurationMs: Math.ceil(printed(outcome.durationMs) + printed(initMs ?? 0) - 1e-9),
    memorySizeMb: cell.memoryMb,
    ...(outcome.peakMemoryMb !== undefined && { maxMemoryUsedMb: outcome.peakMemoryMb }),
    ...(initMs !== undefined && { initDurationMs: initMs }),
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(outcome.failure !== undefined && { errorType: outcome.failure.type }),
  };
}

function printed(durationMs: number): number {
  return Number(durationMs.toFixed(2));
}

function initReport(init: InitOutcome, phase: "init" | "invoke"): string {
  const status = init.kind === "failed" ? `\tStatus: ${init.status}` : "";
  return `INIT_REPORT Init Duration: ${init.durationMs.toFixed(2)} ms\tPhase: ${phase}${status}`;
}

/** The response as JSON; text that is no JSON stays text, and is no valid result. */
function parsedPayload(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
