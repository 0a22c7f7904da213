import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { expand } from "../../lib/experiment/expand.ts";
import { matrix } from "../../lib/experiment/matrix.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { floorCell } from "../../lib/local/measure-floor.ts";
import { newRunId } from "../../lib/protocol/run-id.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { interruption } from "./interruption.ts";
import { measureLocally } from "./measure-locally.ts";
import { printReport } from "./print-report.ts";
import { readPrices } from "./read-prices.ts";
import { type RunWords, runChoice } from "./run-choice.ts";

export interface LocalWords extends RunWords {
  readonly out?: string;
  readonly resume?: string;
  readonly prices?: string;
  readonly json?: true;
  readonly plainHttp?: true;
}

/** `kelvin local`: runs an experiment on this machine; returns the exit code. */
export async function local(words: LocalWords): Promise<number> {
  const prices = readPrices(words.prices);
  const { plan, store } = words.resume === undefined ? newRun(words) : earlierRun(words.resume);
  const progress = new Progress();
  const { signal, release } = interruption(progress);
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
function newRun(words: LocalWords): { readonly plan: Plan; readonly store: DiskResultStore } {
  const choice = runChoice(words, randomBytes(4).readUInt32LE());
  const { experiment } = choice;
  const cells = matrix(experiment, { ...choice, architectures: [floorCell.architecture] });
  const createdAt = new Date().toISOString();
  const runId = newRunId(createdAt, randomBytes(3).toString("hex"));
  const plan = expand(experiment, cells, {
    ...choice,
    runId,
    createdAt,
    target: "local",
    lanes: 1,
  });
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

function earlierRun(path: string): { readonly plan: Plan; readonly store: DiskResultStore } {
  const directory = resolve(path);
  const planPath = join(directory, "plan.json");
  if (!existsSync(planPath)) {
    throw new InvalidInput("resume", path, "the folder of an earlier run, with its plan.json");
  }
  const plan = validated("plan", JSON.parse(readFileSync(planPath, "utf8")));
  return { plan, store: new DiskResultStore(directory) };
}
