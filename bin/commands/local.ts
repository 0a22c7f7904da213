import { relative } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { emulators } from "../../lib/experiment/catalogue/emulators.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { compareEngines } from "./compare-engines.ts";
import { interruption } from "./interruption.ts";
import { measureRun } from "./measure-run.ts";
import { type NewRun, type NewRunWords, newRun } from "./new-run.ts";
import { printReport } from "./print-report.ts";
import { readPrices } from "./read-prices.ts";
import { openRun } from "./stored-run.ts";
import { verifyRun } from "./verify-run.ts";

export interface LocalWords extends NewRunWords {
  readonly resume?: string;
  readonly prices?: string;
  readonly json?: true;
  readonly plainHttp?: true;
}

/** `kelvin local`: runs experiments on this machine; returns the exit code. */
export async function local(words: LocalWords): Promise<number> {
  if (words.experiment === emulators.id) return await compareEngines(words);
  const prices = readPrices(words.prices);
  const { resume } = words;
  const run = resume === undefined ? newRun(words) : await earlierRun(resume);
  const progress = new Progress();
  const { signal, release } = interruption(progress, "what was measured");
  const plainHttp = words.plainHttp === true;
  const folder = relative(process.cwd(), run.store.directory);
  try {
    const report = await measureRun(run, { prices, plainHttp, progress, signal });
    printReport(report, folder, words.json === true);
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

/** An interrupted run. What it measured is held against its checksums: they are written anew at its end. */
async function earlierRun(folder: string): Promise<NewRun> {
  const run = await openRun("resume", folder);
  const { target } = run.experiments[0]?.plan ?? {};
  if (target !== "local") {
    throw new InvalidInput("resume", folder, `a run of this machine; it is one on ${target}`);
  }
  await verifyRun(run, folder);
  return { ...run, leftOut: [] };
}
