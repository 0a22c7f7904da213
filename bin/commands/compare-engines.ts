import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { emulators } from "../../lib/experiment/catalogue/emulators.ts";
import { studyPlan } from "../../lib/experiment/engine-study.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { engineKinds } from "../../lib/local/engines/engine-kinds.ts";
import { describeMachine } from "../../lib/local/machine.ts";
import { floorCell } from "../../lib/local/measure-floor.ts";
import { newRunId } from "../../lib/protocol/run-id.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { exitCodes } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import { engineChoice } from "./engine-choice.ts";
import { interruption } from "./interruption.ts";
import type { LocalWords } from "./local.ts";
import { type EngineRun, measureEngines } from "./measure-engines.ts";
import { printReport } from "./print-report.ts";
import { readPrices } from "./read-prices.ts";
import { openRun } from "./stored-run.ts";
import { verifyRun } from "./verify-run.ts";

type PlannedRun = Pick<EngineRun, "plan" | "store">;

/** `kelvin local --experiment emulators`: compares engines on this machine; returns the exit code. */
export async function compareEngines(words: LocalWords): Promise<number> {
  const prices = readPrices(words.prices);
  const { resume } = words;
  const run = resume === undefined ? newRun(words) : await earlierRun(resume);
  const progress = new Progress();
  const { signal, release } = interruption(progress, "what was measured");
  const folder = relative(process.cwd(), run.store.directory);
  try {
    const report = await measureEngines({ ...run, prices, progress, signal });
    const { manifest, headline } = report;
    printReport(
      { headline, manifests: [manifest], isOfSeveral: false },
      folder,
      words.json === true,
    );
    if (!signal.aborted) {
      return manifest.status === "complete" ? exitCodes.complete : exitCodes.partial;
    }
    const again = `npm run bench -- --experiment ${emulators.id} --resume ${folder}`;
    progress.say(`stopped; go on with: ${again}`);
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.say("stopped before anything was measured");
  } finally {
    release();
  }
  return exitCodes.interrupted;
}

/** The plan over the engines that can be had here, and the folder of a new run; nothing is written yet. */
function newRun(words: LocalWords): PlannedRun {
  const { preset, rounds, engines, seed = randomBytes(4).readUInt32LE() } = engineChoice(words);
  const reasons = engines.map(({ id }) => engineKinds[id]?.missing?.());
  const here = engines.filter((_, index) => reasons[index] === undefined);
  const leftOut = engines.flatMap(({ label }, index) => {
    const reason = reasons[index];
    return reason === undefined ? [] : [`${label}: ${reason}`];
  });
  if (here.length === 0) {
    throw new InvalidInput(
      "variants",
      words.variants,
      `engines to be had here; ${leftOut.join("; ")}`,
    );
  }
  const createdAt = new Date().toISOString();
  const runId = newRunId(createdAt, randomBytes(3).toString("hex"));
  const { memoryMb } = describeMachine(undefined);
  const { architecture } = floorCell;
  const choice = { runId, createdAt, seed, preset, rounds, architecture, memoryMb, leftOut };
  const plan = studyPlan(emulators, { ...choice, engines: here });
  const directory = resolve(words.out ?? join(projectPaths.runs, runId));
  if (existsSync(join(directory, "plan.json"))) {
    const allowed = "a folder without a run in it, or --resume for that run";
    throw new InvalidInput("out", words.out, allowed);
  }
  return { plan, store: new DiskResultStore(directory) };
}

/** An interrupted run, held against its checksums. */
async function earlierRun(folder: string): Promise<PlannedRun> {
  const run = await openRun("resume", folder);
  const plan = run.experiments[0]?.plan as Plan;
  if (plan.experiment !== emulators.id) {
    throw new InvalidInput(
      "resume",
      folder,
      `a run of ${emulators.id}; it is of ${plan.experiment}`,
    );
  }
  await verifyRun(run, folder);
  return { plan, store: run.store };
}
