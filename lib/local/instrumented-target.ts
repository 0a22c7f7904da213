import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { commandEnvironment } from "../toolchain/command-environment.ts";
import type { Valgrind } from "../toolchain/valgrind.ts";
import { allowedCpus } from "./bandwidth-slice.ts";
import type { EnvironmentNetwork } from "./environment-network.ts";
import type { FunctionCommand, FunctionProcess } from "./function-process.ts";
import { LocalTarget, type LocalTargetOptions } from "./local-target.ts";
import { newScratchFolder } from "./scratch-folder.ts";
import type { Usage, UsageMeter } from "./usage-meter.ts";

/** A function takes 30 to 100 times as long under callgrind. */
const timeoutSeconds = 600;

/** Raises the timeouts in a function: under callgrind, its first handshake would exceed them. */
const longTimeouts = {
  CONNECT_TIMEOUT_MS: String(timeoutSeconds * 1000),
  WARMUP_LIMIT_MS: String(timeoutSeconds * 1000),
};

interface InstrumentedTarget {
  readonly target: LocalTarget;
  removeFolder(): void;
}

/** Opens a target that runs the same functions under callgrind, without a CPU limit, and counts their instructions. */
export function openInstrumentedTarget(
  command: LocalTargetOptions["command"],
  valgrind: Valgrind,
  network: EnvironmentNetwork,
): InstrumentedTarget {
  const folder = newScratchFolder("callgrind");
  const target = new LocalTarget({
    timeoutSeconds,
    initTimeoutMs: timeoutSeconds * 1000,
    network,
    command: (cell, runtimeApi) => {
      const { environment, ...start } = command(cell, runtimeApi);
      const slowed = { ...start, environment: { ...environment, ...longTimeouts } };
      return underCallgrind(slowed, valgrind, folder);
    },
    meter: (process) => new CallgrindMeter(executedInstructions(process, valgrind, folder)),
  });
  return { target, removeFolder: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Functions of up to 3,008 MB see two processors on Lambda; runtimes start a thread per visible processor. */
const visibleCpus = 2;

/** Waking from a wait and returning to it takes fewer instructions: about 1,000 in Rust. More means work. */
const mostForReading = 50_000;

/** A reading takes 0.1 s; one that takes longer than this gets no answer. */
const longestReadingMs = 5_000;

/** `mostAttempts` is how often callgrind is asked. No answer to any of them is an error, so that no run hangs. */
const mostAttempts = 12;

/** `longestBusyMs` is the longest wait for a process to become idle before it is asked. */
const longestBusyMs = 100;

/** `mostReadings` is how often the counter of a process that never becomes idle is read. */
const mostReadings = 100;

/** Returns the command under callgrind; `folder` holds the pipes of its vgdb connection. */
export function underCallgrind(
  { command, args, ...where }: FunctionCommand,
  { command: valgrind, taskset }: Valgrind,
  folder: string,
): FunctionCommand {
  const tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--quiet"];
  const instrument = [...tool, pipesIn(folder), command, ...args];
  const cpus = allowedCpus().slice(0, visibleCpus);
  return taskset === undefined || cpus.length === 0
    ? { ...where, command: valgrind, args: instrument }
    : {
        ...where,
        command: taskset,
        args: ["--cpu-list", cpus.join(","), valgrind, ...instrument],
      };
}

/**
 * A CallgrindMeter counts the user-space instructions of a process under callgrind between the moments at which it
 * comes to rest: Init ends when it waits for its first event, an invocation when it waits for the next one. A reading
 * interrupts that wait; the instructions that this costs are subtracted.
 * https://valgrind.org/docs/manual/cl-manual.html
 */
export class CallgrindMeter implements UsageMeter {
  readonly #executed: () => Promise<number>;
  /** Instructions that an idle process executes because of a reading. */
  #costOfReading: number | undefined;
  /** Instructions up to the last reading, including the cost of that reading. */
  #counted = 0;

  /** @param executed returns callgrind's current count of instructions since the process's start */
  constructor(executed: () => Promise<number>) {
    this.#executed = executed;
  }

  async lap(): Promise<Usage> {
    let last = await this.#executed();
    for (let readings = 1; readings < mostReadings; readings += 1) {
      const now = await this.#executed();
      const cost = now - last;
      last = now;
      if (!isClose(cost, this.#costOfReading)) {
        this.#costOfReading = cost;
        continue;
      }
      const instructions = now - readings * cost - this.#counted;
      this.#counted = now + cost;
      return { instructions };
    }
    throw new Error(`the process did not come to rest in ${mostReadings} readings of its count`);
  }
}

/**
 * Asks callgrind in the process for the instructions executed by all of its threads. vgdb interrupts the wait of an
 * idle process, and leaves the question for a busy one to find. A process that starts to wait at that moment never
 * sees it, and vgdb waits forever. So the process gets time to become idle, and an unanswered question is repeated.
 * https://valgrind.org/docs/manual/manual-core-adv.html
 */
export function executedInstructions(
  process: FunctionProcess,
  { vgdb }: Valgrind,
  folder: string,
  timeoutMs: number = longestReadingMs,
): () => Promise<number> {
  return async () => {
    const question = ["--max-invoke-ms=1", "status", "internal"];
    const args = [`--pid=${process.pid}`, pipesIn(folder), ...question];
    const env = commandEnvironment("tool");
    for (let attempt = 1; ; attempt += 1) {
      await process.atRest(longestBusyMs);
      try {
        const answer = await promisify(execFile)(vgdb, args, { env, timeout: timeoutMs });
        return sumOfCounts(answer.stdout);
      } catch (error) {
        const isUnanswered = error instanceof Error && "killed" in error && error.killed === true;
        if (!isUnanswered) throw error;
        if (attempt === mostAttempts) {
          throw new Error(
            `callgrind in process ${process.pid} left ${attempt} questions unanswered`,
          );
        }
      }
    }
  };
}

/** Sums the counts, one per thread. Answers to abandoned questions may come first; the last count of a thread holds. */
function sumOfCounts(answer: string): number {
  const ofThreads = new Map(
    [...answer.matchAll(/^events-(\d+): (\d+)$/gm)].map(([, thread, count]) => [
      thread,
      Number(count),
    ]),
  );
  if (ofThreads.size === 0)
    throw new Error(`callgrind reported no counts: ${answer.slice(0, 200)}`);
  return [...ofThreads.values()].reduce((sum, count) => sum + count, 0);
}

function pipesIn(folder: string): string {
  return `--vgdb-prefix=${join(folder, "vgdb")}`;
}

/** Threads that wake from their wait take the same path back to it, except for a lock or a timer. */
function isClose(cost: number, known: number | undefined): boolean {
  if (known === undefined || cost > mostForReading) return false;
  return Math.abs(cost - known) <= 16 + known / 20;
}
