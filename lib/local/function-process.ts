import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { killNow } from "./process-identity.ts";

/** How a function's process is started. */
export interface FunctionCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly workingDirectory: string;
  /** The whole environment map: nothing of the caller's is added. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the external extensions that it starts beside the runtime. @default none */
  readonly extensions?: readonly string[];
}

/** Lambda's LogResult holds the last 4 KB: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
const tailBytes = 4096;

/** A thread that goes on after its process asked for the next event is waited for no longer than this. */
const longestUnrestMs = 5;

/** The process of one execution environment, and the tail of what it printed. */
export class FunctionProcess {
  readonly #child: ChildProcess;
  readonly exited: Promise<string>;
  #tail = Buffer.alloc(0);
  #running = true;

  constructor(command: FunctionCommand) {
    this.#child = spawn(command.command, command.args, {
      cwd: command.workingDirectory,
      env: { ...command.environment },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: the terminal's Ctrl-C reaches Kelvin alone, and children die as one.
      detached: true,
    });
    const keep = (chunk: Buffer) => this.#append(chunk);
    this.#child.stdout?.on("data", keep);
    this.#child.stderr?.on("data", keep);
    this.exited = new Promise((resolve) => {
      this.#child.once("error", (error) => resolve(this.#ended(error.message)));
      this.#child.once("exit", (code, signal) => {
        resolve(
          this.#ended(signal === null ? `exit status ${code}` : `signal: ${signalName(signal)}`),
        );
      });
    });
  }

  /** Undefined when the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Ends the process and what it started, and waits until it is gone. */
  async kill(): Promise<void> {
    const { pid } = this.#child;
    if (this.#running && pid !== undefined) killNow(-pid);
    await this.exited;
  }

  /** Asks the first process to end. */
  terminate(): void {
    this.#child.kill("SIGTERM");
  }

  /** Largest resident set so far in MB, rounded up; absent where the system does not tell. */
  peakMemoryMb(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
      const peakKb = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
      return peakKb === undefined ? undefined : Math.ceil(Number(peakKb) / 1024);
    } catch {
      return undefined;
    }
  }

  /**
   * Does the work while the process stands still; returns for how long it did, in milliseconds. Joining
   * a group waits for the kernel, up to 10 ms: on Lambda the group is there before the process.
   */
  hold(work: (pid: number) => void): number {
    const { pid } = this.#child;
    if (pid === undefined) return 0;
    const heldMs = performance.now();
    this.#child.kill("SIGSTOP");
    try {
      work(pid);
    } finally {
      this.#child.kill("SIGCONT");
    }
    return performance.now() - heldMs;
  }

  /** CPU time of the process's first thread so far; absent where the system does not tell. */
  cpuTimeMs(): number | undefined {
    try {
      const [ns = ""] = readFileSync(`/proc/${this.#child.pid}/schedstat`, "utf8").split(" ");
      return Number(ns) / 1e6;
    } catch {
      return undefined;
    }
  }

  /** Waits until none of the threads runs; for some milliseconds at most. */
  async atRest(longestMs: number = longestUnrestMs): Promise<void> {
    const deadlineMs = performance.now() + longestMs;
    while (runs(this.#child.pid) && performance.now() < deadlineMs) await delay(1);
  }

  /** What was printed since the last call, at most its last 4 KB. */
  takeLogTail(): string {
    const text = this.#tail.toString("utf8");
    this.#tail = Buffer.alloc(0);
    return text;
  }

  #append(chunk: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-tailBytes);
  }

  #ended(how: string): string {
    this.#running = false;
    return how;
  }
}

/** Whether a thread of the process is running or waits for a CPU; false where the system does not tell. */
function runs(pid: number | undefined): boolean {
  try {
    const tasks = `/proc/${pid}/task`;
    // The name in parentheses may hold anything; the state follows the last of them.
    return readdirSync(tasks).some((task) =>
      /\) R [^)]*$/.test(readFileSync(`${tasks}/${task}/stat`, "utf8")),
    );
  } catch {
    return false;
  }
}

function signalName(signal: NodeJS.Signals): string {
  return signal === "SIGKILL" ? "killed" : signal.replace("SIG", "").toLowerCase();
}
