import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { kernelText } from "../../lib/files/kernel-files.ts";

interface EmulatorCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment: the caller's is not inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folder for the log. */
  readonly folder: string;
  /** URL that answers once the emulator is ready. */
  readonly healthUrl: string;
}

const startLimitMs = 180_000;

/** An AWS emulator on this machine: one process group with everything that it starts. */
export class EmulatorProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<void>;
  readonly #kill = (): void => this.#killGroup();

  private constructor(command: EmulatorCommand) {
    this.#folder = command.folder;
    const log = openSync(this.#logPath, "w");
    this.#child = spawn(command.command, command.args, {
      cwd: command.folder,
      env: { ...command.environment },
      stdio: ["ignore", log, log],
      detached: true,
    });
    closeSync(log);
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", () => resolve());
      this.#child.once("exit", () => resolve());
    });
    process.once("exit", this.#kill);
  }

  /** Starts the emulator and waits until it answers; throws with the end of its log if it does not. */
  static async start(command: EmulatorCommand): Promise<EmulatorProcess> {
    const emulator = new EmulatorProcess(command);
    const deadlineMs = performance.now() + startLimitMs;
    while (!(await answers(command.healthUrl))) {
      if (performance.now() < deadlineMs && emulator.#child.exitCode === null) {
        await delay(200);
        continue;
      }
      await emulator.stop();
      throw new Error(`${command.command} does not answer:\n${emulator.logTail()}`);
    }
    return emulator;
  }

  get #logPath(): string {
    return join(this.#folder, "emulator.log");
  }

  log(): string {
    return readFileSync(this.#logPath, "utf8");
  }

  /** Returns the last lines of its output. */
  logTail(lines = 60): string {
    return this.log().split("\n").slice(-lines).join("\n");
  }

  /** Kills the process group: the emulator may hang on SIGTERM, and has nothing to save. */
  async stop(): Promise<void> {
    process.off("exit", this.#kill);
    this.#killGroup();
    await this.#ended;
  }

  /** Returns the ids of the emulator and of the functions it started: its folder is in their environment. */
  processes(): readonly string[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
      .filter((pid) => kernelText(`/proc/${pid}/environ`).includes(this.#folder));
  }

  #killGroup(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // The group is gone already.
    }
  }
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
