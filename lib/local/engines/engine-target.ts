import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { describeError } from "../../contract/errors.ts";
import type { Cell } from "../../contract/types/contract.ts";
import type { Invocation, MeasuredEvent, Target } from "../../protocol/target.ts";
import { folderBytes } from "../../toolchain/engines/installed-engine.ts";
import { type DriverCommand, EngineDriver, EngineFailed } from "./engine-driver.ts";

export interface EngineTargetOptions {
  readonly timeoutSeconds: number;
  /** How to start a cell's engine; throws EngineFailed where that cannot be done, with the reason. */
  readonly command: (cell: Cell) => Promise<DriverCommand>;
}

/** A process and what its samples are known by. */
interface Running {
  readonly cell: Cell;
  readonly command: DriverCommand;
  readonly driver: EngineDriver;
  readonly startupMs: number;
  readonly bootId: string;
  invocations: number;
}

/** Target over engines: to be cold is to be a new process, and no two of them run at the same time. */
export class EngineTarget implements Target {
  readonly kind = "local";
  readonly resultContract = "engineResult";
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
          ...{ variant: cell.variant, bootId, coldStart, invocation },
        },
      };
    } catch (error) {
      return { requestId, startedAt, error: describeError(error) };
    }
  }

  /** Ends what runs, at once: an operation that is under way is cut off. */
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

/** With what the engine takes of the machine; of a container the driver sees its command line's memory alone. */
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
