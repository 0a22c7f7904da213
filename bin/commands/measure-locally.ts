import type { Plan } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";
import type { Experiment, Variant } from "../../lib/experiment/experiment.ts";
import { type CgroupRoot, findCgroupRoot } from "../../lib/local/cgroup.ts";
import { DiskRecorder } from "../../lib/local/disk-recorder.ts";
import type { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { earlierVisits } from "../../lib/local/earlier-visits.ts";
import { openLocalSession } from "../../lib/local/local-session.ts";
import { describeMachine, describeQuota } from "../../lib/local/machine.ts";
import { measureFloor } from "../../lib/local/measure-floor.ts";
import { runPlan } from "../../lib/protocol/run-plan.ts";
import type { RenderedReport } from "../../lib/report/render-report.ts";
import { buildForLocalRun } from "../../lib/toolchain/build-local.ts";
import { buildProgress, type Progress, sampleProgress } from "../progress.ts";
import { type Interruption, interruption } from "./interruption.ts";
import { type LocalFacts, localManifest } from "./local-manifest.ts";
import { writeReport } from "./write-report.ts";

export interface LocalRun {
  readonly plan: Plan;
  readonly store: DiskResultStore;
  readonly prices: PriceTable;
  readonly plainHttp: boolean;
}

export interface LocalOutcome {
  readonly report: RenderedReport;
  readonly interrupted: boolean;
}

/** Builds, measures what the run still lacks, and writes the report of all that was measured. */
export async function measureLocally(run: LocalRun, progress: Progress): Promise<LocalOutcome> {
  const { plan, store, prices } = run;
  const cgroupRoot = findCgroupRoot();
  const machine = describeMachine(cgroupRoot);
  progress.say(`kelvin local: ${plan.experiment}, ${plan.preset}; ${describeQuota(machine)}`);
  const experiment = experimentById(plan.experiment);
  const variants = variantsOf(experiment, plan);
  const stopped = interruption(progress);
  try {
    const { signal } = stopped;
    const built = await buildForLocalRun(variants, { signal, onStep: buildProgress(progress) });
    const measured = await measure(run, experiment, cgroupRoot, stopped, progress);
    const { transport, ...ending } = measured;
    const facts = { ...ending, ...built, prices, machine: { ...machine, transport } };
    const manifest = await localManifest(plan, variants, store, facts);
    const report = await writeReport(store, plan, manifest, prices);
    return { report, interrupted: measured.end === "interrupted" };
  } finally {
    stopped.release();
  }
}

type Measured = Pick<LocalFacts, "floor" | "end"> & { readonly transport: string };

async function measure(
  { plan, store, plainHttp }: LocalRun,
  experiment: Experiment,
  cgroupRoot: CgroupRoot | undefined,
  stopped: Interruption,
  progress: Progress,
): Promise<Measured> {
  const { timeoutSeconds } = plan;
  const options = { timeoutSeconds, plainHttp, ...(cgroupRoot !== undefined && { cgroupRoot }) };
  const session = await openLocalSession(experiment, options);
  stopped.onStop(() => session.target.close());
  try {
    progress.say(`DynamoDB: dynoxide, ${session.transport}`);
    const floor = await measureFloor(session.target);
    const earlier = await earlierVisits(store, plan);
    await store.writeText("plan.json", `${JSON.stringify(plan, null, 2)}\n`);
    const onSample = sampleProgress(progress, plannedSamples(plan), earlier.recorded);
    const { signal } = stopped;
    const recorder = new DiskRecorder(store, onSample);
    const end = await runPlan(plan, session.target, recorder, { signal, earlier: earlier.of });
    return { floor, end, transport: session.transport };
  } finally {
    progress.end();
    await session.close();
  }
}

function variantsOf(experiment: Experiment, plan: Plan): readonly Variant[] {
  const chosen = new Set(plan.cells.map((cell) => cell.variant));
  return experiment.variants.filter((variant) => chosen.has(variant.id));
}
