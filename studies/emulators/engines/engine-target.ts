import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { describeError } from "../../../lib/contract/errors.ts";
import type { Cell } from "../../../lib/contract/types/contract.ts";
import type { Invocation, MeasuredEvent, Target } from "../../../lib/sampler/target.ts";
import { engineResultContract } from "../contract.ts";
import { type DriverCommand, EngineDriver, EngineFailed } from "./engine-driver.ts";
import { folderBytes } from "./install-engines.ts";

interface EngineTargetOptions {
  readonly timeoutSeconds: number;
  /** Returns the command that starts a cell's engine; throws EngineFailed with the reason if it cannot be started. */
  readonly command: (cell: Cell) => Promise<DriverCommand>;
}

/** A running process, and the fields of its samples. */
interface Running {
  readonly cell: Cell;
  readonly command: DriverCommand;
  readonly driver: EngineDriver;
  readonly startupMs: number;
  readonly bootId: string;
  invocations: number;
}

/** A target for engines. A cold start is a new process, and only one runs at a time. */
export class EngineTarget implements Target {
  readonly kind = "local";
  readonly resultProblem = engineResultContract.problemOf;
  readonly #options: EngineTargetOptions;
  #running: Running | undefined;
  #isClosed = false;

  constructor(options: EngineTargetOptions) {
    this.#options = options;
  }

  async forceCold(cell: Cell): Promise<undefined> {
    await this.#stop();
    if (this.#isClosed) throw new EngineFailed("Stopped", "the run was stopped");
    const { timeoutSeconds } = this.#options;
    const command = await this.#options.command(cell);
    const { driver, startupMs } = await EngineDriver.start(command, timeoutSeconds * 1000);
    this.#running = { cell, command, driver, startupMs, bootId: randomUUID(), invocations: 0 };
    if (this.#isClosed) await this.#stop();
  }

  async invoke(cell: Cell, { operation }: MeasuredEvent): Promise<Invocation> {
    const running = this.#running;
    const requestId = randomUUID();
    const startedAt = new Date().toISOString();
    if (running?.cell.id !== cell.id) {
      return { requestId, startedAt, error: { type: "EngineEnded", message: "it was stopped" } };
    }
    const { bootId, invocations: invocation, startupMs } = running;
    running.invocations += 1;
    const coldStart = invocation === 0;
    const sentMs = performance.now();
    try {
      const limitMs = this.#options.timeoutSeconds * 1000;
      const report = await running.driver.perform(operation, limitMs);
      return {
        requestId,
        startedAt,
        clientLatencyMs: performance.now() - sentMs,
        telemetry: {
          durationMs: Number(report.durationMs),
          ...(coldStart && { initDurationMs: startupMs }),
        },
        payload: {
          ...withUse(report, running.command),
          variant: cell.variant,
          bootId,
          coldStart,
          invocation,
        },
      };
    } catch (error) {
      return { requestId, startedAt, error: describeError(error) };
    }
  }

  /** Stops the running engine at once, even during an operation. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.driver.stop();
    const tablesFolder = running?.command.tablesFolder;
    if (tablesFolder !== undefined) rmSync(tablesFolder, { recursive: true, force: true });
  }
}

/** Adds the engine's memory and disk use. For a container, the driver sees only the CLI's memory: left out. */
function withUse(
  { memoryUsedKb, ...report }: Readonly<Record<string, unknown>>,
  { tablesFolder, stop }: DriverCommand,
): Readonly<Record<string, unknown>> {
  return {
    ...report,
    ...(memoryUsedKb !== undefined && stop === undefined && { memoryUsedKb }),
    ...(tablesFolder !== undefined && { diskBytes: folderBytes(tablesFolder) }),
  };
}
