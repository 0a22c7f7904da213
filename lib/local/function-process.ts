import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { killNow } from "./process-identity.ts";
import type { Mount } from "./sandbox/mounts.ts";

/** A FunctionCommand starts a function's process. */
export interface FunctionCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly workingDirectory: string;
  /** The whole environment map: nothing of the caller's is added. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the external extensions that it starts beside the runtime. @default none */
  readonly extensions?: readonly string[];
  /** Mounts that it finds in a sandbox beside the system's. @default nothing */
  readonly mounts?: readonly Mount[];
}

/** A program that makes an environment's own view of the machine, and starts the function in it when it is told to. */
export interface Launcher {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The line that it is told first, on descriptor 3: the function's variables. It answers that it is ready. */
  readonly variables: string;
  /** Removes what a ready launcher needs no more. */
  release(): void;
}

/** Lambda's LogResult holds the last 4 KB: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
const tailBytes = 4096;

/** A thread that goes on after its process asked for the next event is waited for no longer than this. */
const longestUnrestMs = 5;

/** The process of one execution environment, and the tail of what it printed. */
export class FunctionProcess {
  readonly #child: ChildProcess;
  readonly exited: Promise<string>;
  readonly #launcher: Launcher | undefined;
  readonly #spawnedMs = performance.now();
  #tail = Buffer.alloc(0);
  #running = true;
  /** CPU time of the launcher, which became the function. */
  #launcherCpuMs = 0;

  /** @param launcher makes the function's sandbox: it starts when `begin` is called, and at once where there is none */
  constructor(command: FunctionCommand, launcher?: Launcher) {
    this.#launcher = launcher;
    const started = launcher ?? command;
    this.#child = spawn(started.command, started.args, {
      ...(launcher === undefined && { cwd: command.workingDirectory }),
      env: { ...started.environment },
      stdio: ["ignore", "pipe", "pipe", ...(launcher === undefined ? [] : ["pipe" as const])],
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

  /** Resolves once the function can begin. Rejects, with what the launcher printed, where its sandbox cannot be made. */
  async prepared(): Promise<void> {
    if (this.#launcher === undefined) return;
    const channel = this.#channel();
    const answered = new Promise<true>((resolve) => channel.once("data", () => resolve(true)));
    channel.write(`${this.#launcher.variables}\n`);
    const how = await Promise.race([answered, this.exited]);
    this.#launcher.release();
    if (how === true) return;
    const said = this.takeLogTail().trim();
    throw new Error(`an environment could not be made (${how}): ${said}`);
  }

  /**
   * Has the function begin, after the work that is done with its process's id; returns when it began. Where nothing
   * launches it, it runs already and is held meanwhile, which takes nothing of its time.
   */
  begin(work: (pid: number) => void): number {
    const { pid } = this.#child;
    if (this.#launcher === undefined) return this.#spawnedMs + this.#hold(work);
    if (pid === undefined) return this.#spawnedMs;
    this.#launcherCpuMs = this.cpuTimeMs() ?? 0;
    work(pid);
    const beganMs = performance.now();
    this.#channel().end("go\n");
    return beganMs;
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

  /** CPU time of the function's first thread so far; absent where the system does not tell. */
  cpuTimeMs(): number | undefined {
    try {
      const [ns = ""] = readFileSync(`/proc/${this.#child.pid}/schedstat`, "utf8").split(" ");
      return Number(ns) / 1e6 - this.#launcherCpuMs;
    } catch {
      return undefined;
    }
  }

  /** Waits until none of the threads runs; for some milliseconds at most. */
  async atRest(longestMs: number = longestUnrestMs): Promise<void> {
    const deadlineMs = performance.now() + longestMs;
    while (runs(this.#child.pid) && performance.now() < deadlineMs) await delay(1);
  }

  /** Waits until what was printed so far has been read. */
  async printed(): Promise<void> {
    for (let turns = 0; turns < 2; turns += 1) await new Promise(setImmediate);
  }

  /** Returns the last 4 KB at most of what was printed since the last call. */
  takeLogTail(): string {
    const text = this.#tail.toString("utf8");
    this.#tail = Buffer.alloc(0);
    return text;
  }

  #channel(): Socket {
    const channel = this.#child.stdio[3];
    if (!(channel instanceof Socket)) throw new Error("the launcher has no channel");
    // A launcher that ended is told nothing more; its end is known by then.
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
