import { type ReportOptions, reportRun } from "../run/report-run.ts";

/** `kelvin report`: verifies a run's samples and renders its report again; returns the exit code. */
export async function report(folder: string, options: ReportOptions): Promise<number> {
  return (await reportRun(folder, options)).code;
}
