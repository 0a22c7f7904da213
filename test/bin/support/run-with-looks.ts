import type { Progress } from "../../../bin/progress.ts";
import { costBasis } from "../../../bin/run/cost-basis.ts";
import { stoppingLooks } from "../../../bin/run/stopping-looks.ts";
import { writeReport } from "../../../bin/run/write-report.ts";
import type { Summary } from "../../../lib/analysis/summary.ts";
import type { Manifest, Plan, StoppingLook } from "../../../lib/contract/types/contract.ts";
import { dynamodb } from "../../../lib/experiments/dynamodb/definition.ts";
import {
  DiskRecorder,
  DiskResultStore,
  earlierTrials,
} from "../../../lib/local/disk-result-store.ts";
import { runPlan } from "../../../lib/sampler/run-plan.ts";
import { FakeTarget, type Script } from "../../support/fake-target.ts";
import { samplesIn } from "../../support/recorded-samples.ts";

interface Execution {
  readonly directory: string;
  readonly of: Plan;
  readonly script: Script;
  /** Gets what the looks print. */
  readonly said: string[];
  /** Samples after which it is interrupted. */
  readonly stopAfter?: number | undefined;
  readonly clockMs?: () => number;
}

/** Executes a run with a stopping rule on a fake target; what the folder has of it already is not made again. */
export async function runWithLooks(execution: Execution) {
  const { directory, of, script, said, stopAfter, clockMs = () => 0 } = execution;
  const store = new DiskResultStore(directory);
  const progress = { say: (text: string) => void said.push(text) } as Progress;
  const earlier = await earlierTrials(store, of);
  const looks = stoppingLooks(of, { experiment: dynamodb, store, earlier, progress, clockMs });
  const controller = new AbortController();
  let recorded = 0;
  const recorder = new DiskRecorder(store, () => {
    recorded += 1;
    if (recorded === stopAfter) controller.abort();
  });
  const end = await runPlan(of, new FakeTarget(script), recorder, {
    signal: controller.signal,
    earlier: earlier.find,
    afterBlock: looks.afterBlock,
    skips: looks.skips,
  });
  return { end, look: looks.last(), samples: await samplesIn(store) };
}

/** Writes the report of the run in a folder that ends with a look; returns its files. */
export async function reportWithLook(
  directory: string,
  of: Plan,
  look: StoppingLook | undefined,
  status: "complete" | "partial" = "complete",
) {
  const store = new DiskResultStore(directory);
  const manifest: Omit<Manifest, "counts"> = {
    ...{ schemaVersion: 1, runId: of.runId, experiment: of.experiment, target: of.target, status },
    ...{ startedAt: of.createdAt, endedAt: of.createdAt, cellFailures: [], artefacts: [] },
    ...{ versions: {}, prices: { date: "2026-01-01", region: "us-east-1" }, warnings: [] },
    ...(look !== undefined && { stopping: look }),
  };
  await writeReport({ store, plan: of, manifest, costs: costBasis({}) });
  const text = async (name: string) => (await store.readText(name)) ?? "";
  const summary = JSON.parse(await text("summary.json")) as Summary;
  return { summary, brief: await text("report.md"), full: await text("report-full.md") };
}
