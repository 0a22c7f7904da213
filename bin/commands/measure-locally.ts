import type { Plan, StoppingLook } from "../../lib/contract/types/contract.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";
import type { Variant } from "../../lib/experiment/experiment.ts";
import { instrumentedPlan } from "../../lib/experiment/instrumented.ts";
import { DiskRecorder } from "../../lib/local/disk-recorder.ts";
import type { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { type EarlierVisits, earlierVisits } from "../../lib/local/earlier-visits.ts";
import { type LocalSession, openLocalSession } from "../../lib/local/local-session.ts";
import { runPlan } from "../../lib/protocol/run-plan.ts";
import type { RenderedReport } from "../../lib/report/experiment-report.ts";
import { sampleProgress } from "../progress.ts";
import { type Instruments, instrumentsFor, localFacts, type ReadyRun } from "./local-facts.ts";
import { endedManifest, startingManifest } from "./local-manifest.ts";
import { stoppingLooks } from "./stopping-looks.ts";
import { writeReport } from "./write-report.ts";
import { writeStart } from "./write-start.ts";

export interface LocalRun extends ReadyRun {
  readonly store: DiskResultStore;
  readonly plainHttp: boolean;
  /** Comes when the run is to stop. */
  readonly signal: AbortSignal;
}

/** Measures what an experiment still lacks, and writes the report of all of it that was measured. */
export async function measureLocally(run: LocalRun): Promise<RenderedReport> {
  const { plan, plainHttp, progress, signal } = run;
  const { timeoutSeconds, seed, network } = plan;
  const instruments = instrumentsFor(plan);
  for (const line of plan.leftOut ?? []) progress.say(`not measured: ${line}`);
  const session = await openLocalSession(experimentById(plan.experiment), {
    timeoutSeconds,
    plainHttp,
    seed,
    ...(network !== undefined && { network }),
    ...instruments,
  });
  const stop = () => void session.stop();
  signal.addEventListener("abort", stop);
  try {
    return await measureIn(session, run, instruments);
  } finally {
    signal.removeEventListener("abort", stop);
    await session.close();
  }
}

async function measureIn(
  session: LocalSession,
  run: LocalRun,
  instruments: Instruments,
): Promise<RenderedReport> {
  const { plan, store, costs } = run;
  const facts = await localFacts(session, run, instruments);
  const started = startingManifest(plan, variantsOf(plan), facts);
  const earlier = await earlierVisits(store, plan);
  await writeStart(store, plan, started, earlier.recorded);
  const { end, stopping } = await measure(run, session, earlier);
  const ended = await endedManifest(started, end, store);
  const manifest = {
    ...ended,
    warnings: [...ended.warnings, ...strangerWarnings(session)],
    ...(stopping !== undefined && { stopping }),
  };
  return await writeReport({ store, plan, manifest, costs });
}

function strangerWarnings({ target }: LocalSession): readonly string[] {
  const { refusedConnections: count } = target;
  if (count === 0) return [];
  return [
    `another process of this machine connected to the functions' Runtime API (${count} connections); it was refused, and took time from what was measured`,
  ];
}

async function measure(
  run: LocalRun,
  session: LocalSession,
  earlier: EarlierVisits,
): Promise<{ readonly end: "complete" | "interrupted"; readonly stopping?: StoppingLook }> {
  const { plan, store, progress, signal } = run;
  const part = instrumentedPlan(plan);
  const planned = plannedSamples(plan) + (part === undefined ? 0 : plannedSamples(part));
  const isMost = plan.stopping !== undefined;
  const told = sampleProgress(progress, planned, earlier.recorded, { isMost });
  const recorder = new DiskRecorder(store, told);
  const looks = isMost ? stoppingLooks(plan, { store, earlier, progress }) : undefined;
  let end = await runPlan(plan, session.target, recorder, {
    signal,
    earlier: earlier.of,
    ...(looks !== undefined && { afterBlock: looks.afterBlock }),
  });
  const { instrumentedTarget } = session;
  if (end === "complete" && part !== undefined && instrumentedTarget !== undefined) {
    const { of } = await earlierVisits(store, part);
    end = await runPlan(part, instrumentedTarget, recorder, { signal, earlier: of });
  }
  progress.end();
  const stopping = looks?.last();
  return { end, ...(stopping !== undefined && { stopping }) };
}

/** The variants of a plan's cells. */
export function variantsOf(plan: Plan): readonly Variant[] {
  const chosen = new Set(plan.cells.map((cell) => cell.variant));
  return experimentById(plan.experiment).variants.filter((variant) => chosen.has(variant.id));
}
