import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { commandEnvironment } from "../toolchain/command-environment.ts";
import type { Valgrind } from "../toolchain/valgrind.ts";
import type { EnvironmentNetwork } from "./environment-network.ts";
import type { FunctionCommand, FunctionProcess } from "./function-process.ts";
import { LocalTarget, type LocalTargetOptions } from "./local-target.ts";
import { newScratchFolder } from "./scratch-folder.ts";
import type { Usage, UsageMeter } from "./usage-meter.ts";

/** Callgrind takes 30 to 100 times as long as the function by itself. */
const timeoutSeconds = 600;

/** Lifts the limits of time in a function: under callgrind its first handshake would pass them. */
const patience = {
  CONNECT_TIMEOUT_MS: String(timeoutSeconds * 1000),
  WARMUP_LIMIT_MS: String(timeoutSeconds * 1000),
};

interface InstrumentedTarget {
  readonly target: LocalTarget;
  removeFolder(): void;
}

/** The same functions under callgrind: held to no share of a CPU, their instructions counted. */
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
      const patient = { ...start, environment: { ...environment, ...patience } };
      return underCallgrind(patient, valgrind, folder);
    },
    meter: (process) => new CallgrindMeter(executedInstructions(process, valgrind, folder)),
  });
  return { target, removeFolder: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A function of up to 3,008 MB sees two processors: runtimes start a thread for each that they see. */
const visibleCpus = 2;

/** Waking from a wait and going back to it takes less than this: about 1,000 in Rust. More is work. */
const mostForReading = 50_000;

/** A reading takes 0.1 s. One that takes this long is not answered any more. */
const longestReadingMs = 5_000;

/**
 * `mostQuestions` limits how often an unanswered question is repeated: then it is an error, and the run does not hang.
 */
const mostQuestions = 12;

/** `longestUnrestMs` is how long a process that is about to wait is left alone before it is asked. */
const longestUnrestMs = 100;

/** A reading that finds the process at work is repeated this often. */
const mostReadings = 100;

/** The command under callgrind; `folder` holds the pipes by which it can be asked. */
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
 * Counts the instructions of a process under callgrind, in user space, between the moments at which it
 * has come to rest: Init ends as the process waits for its first event, an invocation as it waits for
 * the next one. Asking interrupts that wait; what the process does about it is no part of a count.
 * https://valgrind.org/docs/manual/cl-manual.html
 */
export class CallgrindMeter implements UsageMeter {
  readonly #executed: () => Promise<number>;
  /** Instructions that a process at rest executes because it was asked. */
  #costOfReading: number | undefined;
  /** Executed by the time of the last reading, its own cost included. */
  #counted = 0;

  /** @param executed the instructions since the process's start, as callgrind tells them now. */
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
 * Asks callgrind in the process for the instructions that all of its threads have executed. vgdb interrupts
 * the wait of a process at rest, and leaves the question to a process at work: one that comes to its wait at
 * that moment never sees it, and vgdb waits for ever. So the process is given time to rest, and a question
 * without an answer is asked again. https://valgrind.org/docs/manual/manual-core-adv.html
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
    for (let asked = 1; ; asked += 1) {
      await process.atRest(longestUnrestMs);
      try {
        const answer = await promisify(execFile)(vgdb, args, { env, timeout: timeoutMs });
        return sumOfCounts(answer.stdout);
      } catch (error) {
        const isUnanswered = error instanceof Error && "killed" in error && error.killed === true;
        if (!isUnanswered) throw error;
        if (asked === mostQuestions) {
          throw new Error(`callgrind in process ${process.pid} left ${asked} questions unanswered`);
        }
      }
    }
  };
}

/** Adds up the counts, one per thread: an answer may follow another one to a question that was given up. */
function sumOfCounts(answer: string): number {
  const ofThreads = new Map(
    [...answer.matchAll(/^events-(\d+): (\d+)$/gm)].map(([, thread, count]) => [
      thread,
      Number(count),
    ]),
  );
  if (ofThreads.size === 0) throw new Error(`callgrind told no counts: ${answer.slice(0, 200)}`);
  return [...ofThreads.values()].reduce((sum, count) => sum + count, 0);
}

function pipesIn(folder: string): string {
  return `--vgdb-prefix=${join(folder, "vgdb")}`;
}

/** Threads that are woken from their wait take the same way back to it, but for a lock or a timer. */
function isClose(cost: number, known: number | undefined): boolean {
  if (known === undefined || cost > mostForReading) return false;
  return Math.abs(cost - known) <= 16 + known / 20;
}

/** The processors that this process may run on; none where the system does not tell. */
function allowedCpus(): readonly string[] {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    const [, list = ""] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status) ?? [];
    return list.split(",").flatMap((part) => {
      const [first = Number.NaN, last = first] = part.split("-").map(Number);
      const cpus = Array.from({ length: Math.min(visibleCpus, last - first + 1) });
      return cpus.map((_, index) => String(first + index));
    });
  } catch {
    return [];
  }
}
