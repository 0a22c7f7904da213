import { setMaxListeners } from "node:events";
import { basename, dirname, resolve } from "node:path";
import { replaceFile } from "../../lib/files/replace-file.ts";
import type { RenderedReport } from "../../lib/report/experiment-report.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress, printable } from "../progress.ts";
import { shownPath } from "./shown-path.ts";
import { type PrintedReport, printReport } from "./write-report.ts";

/** A run's end. The comment and the summary are absent if there are several experiments. */
export interface EndedRun extends PrintedReport, Pick<RenderedReport, "comment" | "summary"> {
  /** Whether every experiment is reported, with every trial of its plan made. */
  readonly isComplete: boolean;
}

/** Returns the exit code, given what the run found and its own exit code. */
export type Judge = (ended: EndedRun, code: number) => number;

interface Ending {
  readonly directory: string;
  readonly asJson: boolean;
  /** Whether to print details of the run. @default false */
  readonly isVerbose?: boolean;
  /** The command that resumes an interrupted run, without its folder. @default "npm run bench -- --resume" */
  readonly resumeWith?: string;
  /** The file that the comment is written to; "-" prints it instead of the report. @default nowhere */
  readonly markdown?: string;
  /** Returns the exit code of a gate. @default the run's own */
  readonly judge?: Judge;
}

/**
 * Measures to the end or to Ctrl-C, prints the report of what was measured, and prints how to resume; returns the
 * exit code.
 */
export async function untilEnded(
  { directory, asJson, isVerbose = false, markdown, ...more }: Ending,
  measure: (progress: Progress, signal: AbortSignal) => Promise<EndedRun>,
): Promise<number> {
  const { resumeWith = "npm run bench -- --resume", judge = (_, code) => code } = more;
  const progress = new Progress(process.stderr, { isVerbose });
  const { signal, release } = interruption(progress, stoppingText("what was measured"));
  const folder = shownPath(directory);
  try {
    const report = await measure(progress, signal);
    const { comment } = report;
    const isPrinted =
      markdown !== undefined && comment !== undefined && (await writeComment(markdown, comment));
    if (!isPrinted) printReport(report, folder, asJson);
    const code = report.isComplete ? exitCodes.complete : exitCodes.partial;
    if (!signal.aborted) return judge(report, code);
    progress.say(`stopped; continue with: ${resumeWith} ${folder}`);
  } catch (error) {
    const full = fullDisk(error);
    if (full !== undefined) {
      throw new Error(
        `${full}: no space is left. What was measured is kept; continue with: ${resumeWith} ${folder}`,
      );
    }
    if (!signal.aborted) throw error;
    progress.say("stopped before anything was measured");
  } finally {
    release();
  }
  return exitCodes.interrupted;
}

/** Returns the file that the disk had no space for; undefined for another error. */
function fullDisk(error: unknown): string | undefined {
  const { code, path } = Object(error) as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT" ? (path ?? "a file of the run") : undefined;
}

/** Ctrl-C, SIGTERM and SIGHUP as an AbortSignal: the first stops the work, the next stops everything. */
interface Interruption {
  readonly signal: AbortSignal;
  /** The first signal. Absent if none came. */
  readonly first: NodeJS.Signals | undefined;
  release(): void;
}

/** Returns the message for the first signal. */
export function stoppingText(whatIsKept: string): string {
  return `stopping: ${whatIsKept} is kept (press again to stop at once)`;
}

/** @param message printed at the first signal */
export function interruption(progress: Progress, message: string): Interruption {
  const controller = new AbortController();
  // Every idle environment listens for it. Node would warn of a leak.
  setMaxListeners(0, controller.signal);
  let pressedMs: number | undefined;
  let first: NodeJS.Signals | undefined;
  const stop = (name: NodeJS.Signals) => {
    const nowMs = performance.now();
    if (pressedMs === undefined) {
      pressedMs = nowMs;
      first = name;
      progress.say(message);
      controller.abort();
    } else if (nowMs - pressedMs > samePressMs) {
      process.exit(exitCodes.interrupted);
    }
  };
  for (const name of signals) process.on(name, stop);
  process.on("SIGHUP", ignoreLostTerminal);
  return {
    signal: controller.signal,
    get first() {
      return first;
    },
    release: () => {
      for (const name of signals) process.off(name, stop);
      process.off("SIGHUP", ignoreLostTerminal);
    },
  };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A terminal sends Ctrl-C to npm and to the command that npm runs, and npm forwards it to the command: one press
 * arrives twice. https://github.com/npm/run-script/blob/main/lib/signal-manager.js
 */
const samePressMs = 500;

/** Ignores writes after the terminal has gone; they must not end the work before its report. */
function ignoreLostTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
  }
}

function ignore(): void {}

/** Writes the comment for `--markdown`. Returns whether it went to stdout, where nothing else may follow. */
export async function writeComment(path: string, markdown: string): Promise<boolean> {
  if (path === "-") {
    process.stdout.write(printable(markdown));
    return true;
  }
  const whole = resolve(path);
  await replaceFile(dirname(whole), basename(whole), markdown);
  return false;
}
