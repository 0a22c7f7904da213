import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { kernelNames, kernelText } from "../files/kernel-files.ts";
import { killNow } from "./process-identity.ts";
import type { Mount } from "./sandbox/places.ts";

/** A FunctionCommand starts a function's process. */
export interface FunctionCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly workingDirectory: string;
  /** The complete environment: the caller's is not inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the external extensions that the command starts besides the runtime. @default none */
  readonly extensions?: readonly string[];
  /** Mounts in the sandbox, in addition to the system's. @default none */
  readonly mounts?: readonly Mount[];
}

/** A Launcher is a program that sets up an environment's view of the machine, then starts the function on a signal. */
export interface Launcher {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** First line to write to descriptor 3: the function's variables. The launcher answers when it is ready. */
  readonly variables: string;
  /** Removes files that a ready launcher no longer needs. */
  release(): void;
}

/** Lambda's LogResult holds the last 4 KB: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
const tailBytes = 4096;

/** Longest wait for threads that still run after the process requested the next event. */
const longestUnrestMs = 5;

/** The process of one execution environment, and the tail of what it printed. */
export class FunctionProcess {
  readonly #child: ChildProcess;
  readonly exited: Promise<string>;
  readonly #launcher: Launcher | undefined;
  readonly #spawnedMs = performance.now();
  #tail = Buffer.alloc(0);
  #running = true;
  /** CPU time of the launcher, which then became the function by exec. */
  #launcherCpuMs = 0;

  /** @param launcher makes the sandbox and starts the function on `release`; without one, the function starts at once */
  constructor(command: FunctionCommand, launcher?: Launcher) {
    this.#launcher = launcher;
    const started = launcher ?? command;
    this.#child = spawn(started.command, started.args, {
      ...(launcher === undefined && { cwd: command.workingDirectory }),
      env: { ...started.environment },
      stdio: ["ignore", "pipe", "pipe", ...(launcher === undefined ? [] : ["pipe" as const])],
      // Own process group: the terminal's Ctrl-C reaches only Kelvin, and all children can be killed together.
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

  /** Resolves once the function can start. Rejects with the launcher's output if the sandbox cannot be made. */
  async prepared(): Promise<void> {
    if (this.#launcher === undefined) return;
    const channel = this.#channel();
    const answered = new Promise<true>((resolve) => channel.once("data", () => resolve(true)));
    channel.write(`${this.#launcher.variables}\n`);
    const how = await Promise.race([answered, this.exited]);
    this.#launcher.release();
    if (how === true) return;
    const output = this.takeLogTail().trim();
    throw new Error(`an environment could not be made (${how}): ${output}`);
  }

  /**
   * Starts the function after doing `work` with its process id; returns its start time. Without a launcher the
   * function already runs: it is stopped during the work, and its start time is moved by as much.
   */
  release(work: (pid: number) => void): number {
    const { pid } = this.#child;
    if (this.#launcher === undefined) return this.#spawnedMs + this.#hold(work);
    if (pid === undefined) return this.#spawnedMs;
    this.#launcherCpuMs = this.cpuTimeMs() ?? 0;
    work(pid);
    const releasedMs = performance.now();
    this.#channel().end("go\n");
    return releasedMs;
  }

  /** Undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Kills the process group and waits until the process is gone. */
  async kill(): Promise<void> {
    const { pid } = this.#child;
    if (this.#running && pid !== undefined) killNow(-pid);
    await this.exited;
  }

  /** Sends SIGTERM to the first process. */
  terminate(): void {
    this.#child.kill("SIGTERM");
  }

  /** Largest resident set so far in MB, rounded up; absent if the system does not report it. */
  peakMemoryMb(): number | undefined {
    const status = kernelText(`/proc/${this.#child.pid}/status`);
    const peakKb = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return peakKb === undefined ? undefined : Math.ceil(Number(peakKb) / 1024);
  }

  /**
   * Does the work while the process is stopped; returns for how long it was, in ms. Joining a group waits up to 10 ms
   * for the kernel, whereas on Lambda the group exists before the process.
   */
  #hold(work: (pid: number) => void): number {
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

  /** CPU time of the function's first thread so far; absent if the system does not report it. */
  cpuTimeMs(): number | undefined {
    const ns = /^\d+/.exec(kernelText(`/proc/${this.#child.pid}/schedstat`))?.[0];
    return ns === undefined ? undefined : Number(ns) / 1e6 - this.#launcherCpuMs;
  }

  /** Waits until none of the threads runs, for at most `longestMs`. */
  async atRest(longestMs: number = longestUnrestMs): Promise<void> {
    const deadlineMs = performance.now() + longestMs;
    while (runs(this.#child.pid) && performance.now() < deadlineMs) await delay(1);
  }

  /** Waits until the output so far has been read. */
  async printed(): Promise<void> {
    for (let turns = 0; turns < 2; turns += 1) await new Promise(setImmediate);
  }

  /** Returns the output since the last call, at most its last 4 KB. */
  takeLogTail(): string {
    const text = this.#tail.toString("utf8");
    this.#tail = Buffer.alloc(0);
    return text;
  }

  #channel(): Socket {
    const channel = this.#child.stdio[3];
    if (!(channel instanceof Socket)) throw new Error("the launcher has no channel");
    // A launcher may exit before a write to it; `exited` reports that.
    if (channel.listenerCount("error") === 0) channel.on("error", () => undefined);
    return channel;
  }

  #append(chunk: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-tailBytes);
  }

  #ended(how: string): string {
    this.#running = false;
    return how;
  }
}

/** Returns whether a thread of the process runs or waits for a CPU; false if the system does not report it. */
function runs(pid: number | undefined): boolean {
  const tasks = `/proc/${pid}/task`;
  // The name in parentheses may contain anything; the state follows the last closing one.
  return kernelNames(tasks).some((task) => /\) R [^)]*$/.test(kernelText(`${tasks}/${task}/stat`)));
}

function signalName(signal: NodeJS.Signals): string {
  return signal === "SIGKILL" ? "killed" : signal.replace("SIG", "").toLowerCase();
}
