import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { join, relative, resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { expand } from "../../lib/experiment/expand.ts";
import { withInstrumentedPart } from "../../lib/experiment/instrumented.ts";
import { matrix } from "../../lib/experiment/matrix.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { floorCell } from "../../lib/local/measure-floor.ts";
import { representableCells } from "../../lib/local/representable-cells.ts";
import { newRunId } from "../../lib/protocol/run-id.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { interruption } from "./interruption.ts";
import { type LocalRun, measureLocally } from "./measure-locally.ts";
import { printReport } from "./print-report.ts";
import { readPrices } from "./read-prices.ts";
import { type RunWords, runChoice } from "./run-choice.ts";
import { openRun } from "./stored-run.ts";
import { verifyRun } from "./verify-run.ts";

export interface LocalWords extends RunWords {
  readonly out?: string;
  readonly resume?: string;
  readonly prices?: string;
  readonly json?: true;
  readonly plainHttp?: true;
  readonly instructions?: true;
}

/** `kelvin local`: runs an experiment on this machine; returns the exit code. */
export async function local(words: LocalWords): Promise<number> {
  const prices = readPrices(words.prices);
  const { resume } = words;
  const { plan, store } = resume === undefined ? newRun(words) : await earlierRun(resume);
  const progress = new Progress();
  const { signal, release } = interruption(progress, "what was measured");
  const plainHttp = words.plainHttp === true;
  const folder = relative(process.cwd(), store.directory);
  try {
    const report = await measureLocally({ plan, store, prices, plainHttp, progress, signal });
    const isComplete = report.manifest.status === "complete";
    printReport(report, folder, words.json === true);
    if (!signal.aborted) return isComplete ? exitCodes.complete : exitCodes.partial;
    progress.say(`stopped; go on with: npm run bench -- --resume ${folder}`);
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.say("stopped before anything was measured");
  } finally {
    release();
  }
  return exitCodes.interrupted;
}

/** The plan and the folder of a new run; nothing is written yet. */
function newRun(words: LocalWords): Pick<LocalRun, "plan" | "store"> {
  const choice = runChoice(words, randomBytes(4).readUInt32LE());
  const { experiment } = choice;
  const wanted = matrix(experiment, { ...choice, architectures: [floorCell.architecture] });
  const { cells, leftOut } = representableCells(wanted, cpus().length);
  const createdAt = new Date().toISOString();
  const runId = newRunId(createdAt, randomBytes(3).toString("hex"));
  const expanded = expand(experiment, cells, {
    ...choice,
    runId,
    createdAt,
    target: "local",
    lanes: 1,
  });
  const timed = leftOut.length === 0 ? expanded : { ...expanded, leftOut: [...leftOut] };
  const plan = words.instructions === true ? withInstrumentedPart(timed) : timed;
  const directory = resolve(words.out ?? join(projectPaths.runs, runId));
  if (existsSync(join(directory, "plan.json"))) {
    throw new InvalidInput(
      "out",
      words.out,
      "a folder without a run in it, or --resume for that run",
    );
  }
  return { plan, store: new DiskResultStore(directory) };
}

/** An interrupted run. What it measured is held against its checksums: they are written anew at its end. */
async function earlierRun(folder: string): Promise<Pick<LocalRun, "plan" | "store">> {
  const { plan, store } = await openRun("resume", folder);
  if (plan.target !== "local") {
    throw new InvalidInput("resume", folder, `a run of this machine; it is one on ${plan.target}`);
  }
  await verifyRun(store, folder);
  return { plan, store };
}
