import type { Plan } from "../../lib/contract/types/contract.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";
import { DiskRecorder } from "../../lib/local/disk-recorder.ts";
import type { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { earlierVisits } from "../../lib/local/earlier-visits.ts";
import {
  dynoxideBinary,
  engineKinds,
  httpDriverBinary,
} from "../../lib/local/engines/engine-kinds.ts";
import {
  canIsolate,
  type Installation,
  installEngines,
  openEngineSession,
} from "../../lib/local/engines/engine-session.ts";
import { runPlan } from "../../lib/protocol/run-plan.ts";
import type { RenderedReport } from "../../lib/report/experiment-report.ts";
import { buildRustBinaries } from "../../lib/toolchain/build-local.ts";
import { preparePythonVenv } from "../../lib/toolchain/python-venv.ts";
import { localTarget } from "../../lib/toolchain/rust-build.ts";
import { buildProgress, type Progress, sampleProgress } from "../progress.ts";
import type { CostBasis } from "./cost-basis.ts";
import { engineManifest } from "./engine-manifest.ts";
import { endedManifest } from "./local-manifest.ts";
import { writeReport } from "./write-report.ts";
import { writeStart } from "./write-start.ts";

export interface EngineRun {
  readonly plan: Plan;
  readonly store: DiskResultStore;
  readonly costs: CostBasis;
  readonly progress: Progress;
  /** Comes when the run is to stop. */
  readonly signal: AbortSignal;
}

/** Builds, installs, measures what the run still lacks, and writes the report of all that was measured. */
export async function measureEngines(run: EngineRun): Promise<RenderedReport> {
  const { plan, store, costs, progress, signal } = run;
  const installed = await prepared(run);
  const isIsolated = canIsolate();
  const session = openEngineSession(installed, plan.timeoutSeconds, isIsolated);
  const stop = () => void session.close();
  signal.addEventListener("abort", stop);
  try {
    const started = engineManifest(plan, installed, costs.prices, isIsolated);
    const earlier = await earlierVisits(store, plan);
    await writeStart(store, plan, started, earlier.recorded);
    const onSample = sampleProgress(progress, plannedSamples(plan), earlier.recorded);
    const recorder = new DiskRecorder(store, onSample);
    const end = await runPlan(plan, session.target, recorder, { signal, earlier: earlier.of });
    progress.end();
    const manifest = await endedManifest(started, end, store);
    return await writeReport({ store, plan, manifest, costs });
  } finally {
    signal.removeEventListener("abort", stop);
    await session.close();
  }
}

/** The drivers, which every engine needs, and each engine or the reason why it is not there. */
async function prepared({
  plan,
  progress,
  signal,
}: EngineRun): Promise<ReadonlyMap<string, Installation>> {
  const onStep = buildProgress(progress);
  const rounds = plan.sizes.environments;
  progress.say(`kelvin local: ${plan.experiment}, ${plan.preset}, ${rounds} rounds`);
  for (const line of plan.leftOut ?? []) progress.say(`not measured: ${line}`);
  await preparePythonVenv({ signal });
  await buildRustBinaries([httpDriverBinary, dynoxideBinary], localTarget, { signal, onStep });
  const ids = plan.cells.map(({ id }) => id);
  const installed = await installEngines(ids, async (id) => {
    onStep({ label: id, state: "started" });
    const onLine = (detail: string) => onStep({ label: id, state: "working", detail });
    const engine = await engineKinds[id]?.install({ signal, onLine });
    if (engine === undefined) throw new Error(`no engine ${id}`);
    onStep({ label: id, state: "done" });
    return engine;
  });
  signal.throwIfAborted();
  return installed;
}
