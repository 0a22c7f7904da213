import type { AccountClients, DeployedStack } from "../../lib/aws/deployed-stack.ts";
import type { Limit } from "../../lib/contract/types/contract.ts";
import { exitCodeFor, exitCodes } from "../exit-codes.ts";
import type { Progress } from "../progress.ts";
import type { CostOptions } from "./cost-basis.ts";
import { downloadUnlessStopped } from "./download-run.ts";
import { type EndedExecution, untilCallsEnded } from "./follow-run.ts";
import { outcomeText } from "./plan-text.ts";
import { type ReportedRun, reportFetched } from "./report-run.ts";
import { openRun } from "./stored-run.ts";

/** Options for where an ended run is stored and how it is printed. */
type FinishOptions = CostOptions & {
  readonly out?: string;
  readonly json?: true;
  readonly markdown?: string;
  readonly limit?: readonly Limit[];
};

/** Everything needed to fetch and print an ended run. */
interface Finishing {
  readonly clients: Pick<AccountClients, "s3">;
  readonly progress: Progress;
}

/** The outcome of a run. */
export interface FinishedRun extends Partial<ReportedRun> {
  readonly code: number;
}

/** Fetches what was measured and prints the first screen; if nothing was measured, prints the reason. */
export async function finishRun(
  ended: EndedExecution,
  stack: Pick<DeployedStack, "bucket">,
  options: FinishOptions,
  { clients, progress }: Finishing,
): Promise<FinishedRun> {
  const { execution, runId } = ended;
  const { bucket } = stack;
  const { status, error = status, cause = "" } = execution;
  if (status !== "SUCCEEDED") progress.say(`the execution ended as ${status}: ${cause || error}`);
  const withoutResult = status === "ABORTED" ? exitCodes.interrupted : exitCodeFor(error);
  if (runId === undefined) return { code: withoutResult };
  await untilCallsEnded(ended, stack, { clients, progress });
  const goOn = `to fetch the rest: kelvin fetch s3://${bucket}/runs/${runId}`;
  const place = { bucket, runId };
  const fetched = await downloadUnlessStopped(place, options.out, progress, goOn, clients.s3);
  if (fetched === undefined) return { code: exitCodes.interrupted };
  if (!fetched.files.some(({ path }) => path.includes("samples/"))) return { code: withoutResult };
  const { code, summaries } = await reportFetched(fetched, options);
  const { startedAt, stoppedAt = new Date() } = execution;
  const { experiments } = await openRun("run", fetched.folder);
  progress.say(outcomeText(experiments, stoppedAt.getTime() - startedAt.getTime()));
  if (status === "ABORTED") return { summaries, code: exitCodes.interrupted };
  const isPartOnly = status !== "SUCCEEDED" && code === exitCodes.complete;
  return { summaries, code: isPartOnly ? exitCodes.partial : code };
}
