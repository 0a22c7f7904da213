import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import { runBench } from "./run-bench.ts";
import {
  renderSampleReport,
  replaceSampleRun,
  sampleReport,
} from "./sample-report/sample-report.ts";

async function makeSampleReport(run: string | undefined): Promise<number> {
  if (run !== undefined) await replaceSampleRun(run);
  await renderSampleReport();
  process.stderr.write(`${sampleReport}\n`);
  return exitCodes.complete;
}

const command = new Command("sample-report")
  .description("renders docs/sample-report from its stored samples, or from another run's")
  .argument("[run]", "a finished run whose samples replace the stored ones: runs/<runId>");

await runBench(command, (_, [run]) => makeSampleReport(run));
