import { relative } from "node:path";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { interruption } from "./interruption.ts";
import { writeComment } from "./write-comment.ts";
import { type PrintedReport, printReport } from "./write-report.ts";

export interface EndedRun extends PrintedReport {
  /** Every experiment is reported, with every trial of its plan made. */
  readonly isComplete: boolean;
  /** Its comparisons for a pull request, in Markdown; absent where there are several experiments. */
  readonly comment?: string;
}

interface Ending {
  readonly directory: string;
  readonly asJson: boolean;
  /** What goes on with an interrupted run, but for its folder. @default "npm run bench -- --resume" */
  readonly resumeWith?: string;
  /** The file that the comment is written to; "-" prints it in place of the report. @default nowhere */
  readonly markdown?: string;
}

/**
 * Measures to the end or to Ctrl-C, prints the report of what was measured, and says how to go on;
 * returns the exit code.
 */
export async function untilEnded(
  { directory, asJson, resumeWith = "npm run bench -- --resume", markdown }: Ending,
  measure: (progress: Progress, signal: AbortSignal) => Promise<EndedRun>,
): Promise<number> {
  const progress = new Progress();
  const { signal, release } = interruption(progress, "what was measured");
  const folder = relative(process.cwd(), directory);
  try {
    const report = await measure(progress, signal);
    const { comment } = report;
    const isPrinted =
      markdown !== undefined && comment !== undefined && (await writeComment(markdown, comment));
    if (!isPrinted) printReport(report, folder, asJson);
    if (!signal.aborted) return report.isComplete ? exitCodes.complete : exitCodes.partial;
    progress.say(`stopped; continue with: ${resumeWith} ${folder}`);
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.say("stopped before anything was measured");
  } finally {
    release();
  }
  return exitCodes.interrupted;
}
