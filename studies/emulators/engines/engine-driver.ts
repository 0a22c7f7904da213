import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import type { FunctionCommand } from "../../../lib/local/function-process.ts";
import { killNow } from "../../../lib/local/process-identity.ts";
import { withoutSecret } from "./install-engines.ts";

/** The command of an engine's driver, which starts the engine. */
export interface DriverCommand extends FunctionCommand {
  /** Folder of the engine's tables, deleted when it ends. Absent if it keeps them in memory. */
  readonly tablesFolder?: string;
  /** Command that stops an engine in a container, which is not a child of the driver. */
  readonly stop?: readonly string[];
  /** Secret that no message may contain. */
  readonly secret?: string;
}

/** Thrown if the driver fails; `name` is the type of the error. */
export class EngineFailed extends Error {
  override readonly name: string;
  constructor(type: string, message: string) {
    super(message);
    this.name = type;
  }
}

const tailCharacters = 2000;

/** The driver of one engine process. It answers each input line with a line of JSON. */
export class EngineDriver {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<void>;
  readonly #command: DriverCommand;
  readonly #end = (): void => {
    if (this.#child.pid !== undefined) killNow(-this.#child.pid);
    stopOutside(this.#command);
  };
  #tail = "";

  private constructor(driver: DriverCommand) {
    this.#command = driver;
    const { command, args, workingDirectory, environment } = driver;
    this.#child = spawn(command, args, {
      cwd: workingDirectory,
      env: environment,
      stdio: ["pipe", "pipe", "pipe"],
      // The driver and its engine have their own process group: Ctrl-C reaches only Kelvin, and both are killed
      // together.
      detached: true,
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        this.#tail = error.message;
        resolve();
      });
      this.#child.once("exit", () => resolve());
    });
    // The driver's end is reported separately, so a write error on its pipe adds nothing.
    this.#child.stdin?.on("error", () => {});
    this.#child.stderr?.on("data", (text) => {
      this.#tail = this.#withoutSecret(`${this.#tail}${text}`).slice(-tailCharacters);
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error("the driver has no standard output");
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    process.once("exit", this.#end);
  }

  /** Starts the driver and the engine. Returns the driver and the engine's startup time. Throws EngineFailed. */
  static async start(
    command: DriverCommand,
    limitMs: number,
  ): Promise<{ readonly driver: EngineDriver; readonly startupMs: number }> {
    const driver = new EngineDriver(command);
    try {
      const { startupMs } = await driver.#answer(limitMs);
      if (typeof startupMs === "number") return { driver, startupMs };
      throw new EngineFailed("EngineNotStarted", "the driver reported no start-up time");
    } catch (error) {
      await driver.stop();
      throw error;
    }
  }

  /** Performs an operation. Throws EngineFailed if the engine has ended or does not answer in time. */
  async perform(operation: string, limitMs: number): Promise<Readonly<Record<string, unknown>>> {
    this.#child.stdin?.write(`${operation}\n`);
    return await this.#answer(limitMs);
  }

  /** Ends the driver and its engine, and waits until both are gone. */
  async stop(): Promise<void> {
    process.off("exit", this.#end);
    this.#end();
    await this.#ended;
  }

  async #answer(limitMs: number): Promise<Readonly<Record<string, unknown>>> {
    const late = new AbortController();
    const line = await Promise.race([
      this.#lines.next(),
      this.#ended.then(() => ({ done: true, value: undefined }) as const),
      after(limitMs, late.signal),
    ]).finally(() => late.abort());
    if (line === undefined) {
      throw new EngineFailed(
        "EngineSilent",
        `no answer within ${limitMs / 1000} s${this.#outputText()}`,
      );
    }
    if (line.done === true)
      throw new EngineFailed("EngineEnded", `its driver ended${this.#outputText()}`);
    const answer = JSON.parse(this.#withoutSecret(line.value)) as Readonly<Record<string, unknown>>;
    const error = answer.error as { readonly type: string; readonly message: string } | undefined;
    if (error === undefined) return answer;
    throw new EngineFailed(error.type, `${error.message}${this.#outputText()}`);
  }

  #withoutSecret(text: string): string {
    return withoutSecret(text, this.#command.secret);
  }

  /** Returns the last lines of the engine's output, which usually give the reason of a failure. */
  #outputText(): string {
    const lines = this.#tail.trim().split("\n").slice(-6).join("\n");
    return lines === "" ? "" : `; it printed: ${lines}`;
  }
}

/** Stops an engine in a container. Synchronous, because it also runs while Kelvin exits. */
function stopOutside({ stop, workingDirectory, environment }: DriverCommand): void {
  const [program, ...args] = stop ?? [];
  if (program === undefined) return;
  spawnSync(program, args, { cwd: workingDirectory, env: environment, stdio: "ignore" });
}

async function after(ms: number, signal: AbortSignal): Promise<undefined> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer));
  });
}
