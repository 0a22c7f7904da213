import { relative } from "node:path";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { interruption } from "./interruption.ts";
import { type PrintedReport, printReport } from "./print-report.ts";

export interface EndedRun extends PrintedReport {
  /** Every experiment is reported, with every visit of its plan made. */
  readonly isComplete: boolean;
}

export interface Ending {
  readonly directory: string;
  readonly asJson: boolean;
}

/**
 * Measures to the end or to Ctrl-C, prints the report of what was measured, and says how to go on;
 * returns the exit code.
 */
export async function untilEnded(
  { directory, asJson }: Ending,
  measure: (progress: Progress, signal: AbortSignal) => Promise<EndedRun>,
): Promise<number> {
  const progress = new Progress();
  const { signal, release } = interruption(progress, "what was measured");
  const folder = relative(process.cwd(), directory);
  try {
    const report = await measure(progress, signal);
    printReport(report, folder, asJson);
    if (!signal.aborted) return report.isComplete ? exitCodes.complete : exitCodes.partial;
    progress.say(`stopped; go on with: npm run bench -- --resume ${folder}`);
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.say("stopped before anything was measured");
  } finally {
    release();
  }
  return exitCodes.interrupted;
}
