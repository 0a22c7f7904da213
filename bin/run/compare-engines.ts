import type { Plan } from "../../lib/contract/types/contract.ts";
import { DiskRecorder, DiskResultStore, earlierTrials } from "../../lib/local/disk-result-store.ts";
import { describeMachine, floorCell } from "../../lib/local/machine.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import type { RenderedReport } from "../../lib/report/experiment-report.ts";
import { runPlan } from "../../lib/sampler/run-plan.ts";
import { engineChoice } from "../../studies/emulators/choice.ts";
import { emulators, studyPlan } from "../../studies/emulators/definition.ts";
import { availableEngines } from "../../studies/emulators/engines/available-engines.ts";
import { engineManifest } from "../../studies/emulators/engines/engine-manifest.ts";
import { canIsolate, openEngineSession } from "../../studies/emulators/engines/engine-session.ts";
import { prepareEngines } from "../../studies/emulators/engines/prepare-engines.ts";
import { buildProgress, type Progress, sampleProgress } from "../progress.ts";
import type { CostBasis } from "./cost-basis.ts";
import { endedManifest } from "./local-manifest.ts";
import { writeStart } from "./measure-locally.ts";
import { drawSeed, type LocalOptions, type NewRun, newRunName } from "./new-run.ts";
import { newRunFolder } from "./run-folder.ts";
import type { StoredExperiment } from "./stored-run.ts";
import type { EndedRun } from "./until-ended.ts";
import { writeReport } from "./write-report.ts";

/** Measures what is still missing from a comparison, and writes its report. */
export async function compareEngines(
  { experiments: [only] }: NewRun,
  options: Omit<EngineRun, "plan" | "store">,
): Promise<EndedRun> {
  const { plan, store } = only as StoredExperiment;
  const rendered = await measureEngines({ ...options, plan, store });
  const { manifest } = rendered;
  const isComplete = manifest.status === "complete";
  return { ...rendered, manifests: [manifest], isMultiExperiment: false, isComplete };
}

/** Returns a new run with a plan for the engines available here. Nothing is written yet. */
export function newEngineRun(options: LocalOptions): NewRun {
  const { seed = drawSeed(), ...chosen } = engineChoice(options);
  const available = availableEngines(chosen.engines, options.variants);
  const { runId, createdAt } = newRunName();
  const { memoryMb } = describeMachine(undefined);
  const { architecture } = floorCell;
  const machine = { architecture, memoryMb };
  const plan = studyPlan(emulators, {
    ...chosen,
    ...available,
    ...machine,
    runId,
    createdAt,
    seed,
  });
  const store = new DiskResultStore(newRunFolder(options.out, runId));
  return { runId, store, experiments: [{ folder: "", plan, store }], leftOut: [] };
}

interface EngineRun {
  readonly plan: Plan;
  readonly store: DiskResultStore;
  readonly costs: CostBasis;
  readonly progress: Progress;
  /** Aborts when the run is to stop. */
  readonly signal: AbortSignal;
}

/** Builds, installs, measures what the run still lacks, and writes the report of everything measured. */
async function measureEngines(run: EngineRun): Promise<RenderedReport> {
  const { plan, store, costs, progress, signal } = run;
  const rounds = plan.sizes.environments;
  progress.say(`kelvin local: ${plan.experiment}, ${plan.preset}, ${rounds} rounds`);
  for (const line of plan.leftOut ?? []) progress.say(`not measured: ${line}`);
  const installed = await prepareEngines(plan, { signal, onStep: buildProgress(progress) });
  const isIsolated = canIsolate();
  const session = openEngineSession(installed, plan.timeoutSeconds, isIsolated);
  const stop = () => void session.close();
  signal.addEventListener("abort", stop);
  try {
    const started = engineManifest(plan, installed, costs.prices.date, isIsolated);
    const earlier = await earlierTrials(store, plan);
    await writeStart(store, plan, started, earlier.recorded);
    const onSample = sampleProgress(progress, plannedSamples(plan), earlier.recorded);
    const recorder = new DiskRecorder(store, onSample);
    const end = await runPlan(plan, session.target, recorder, { signal, earlier: earlier.find });
    progress.end();
    const manifest = await endedManifest(started, end, store);
    return await writeReport({ store, plan, manifest, costs });
  } finally {
    signal.removeEventListener("abort", stop);
    await session.close();
  }
}
