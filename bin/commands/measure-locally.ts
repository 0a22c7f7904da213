import { serviceOf } from "../../lib/contract/service-of.ts";
import type { Plan, StoppingLook } from "../../lib/contract/types/contract.ts";
import { experimentById } from "../../lib/experiment/catalogue.ts";
import { plannedSamples } from "../../lib/experiment/expand.ts";
import type { Variant } from "../../lib/experiment/experiment.ts";
import { instrumentedPlan } from "../../lib/experiment/instrumented.ts";
import { findCgroupRoot } from "../../lib/local/cgroup.ts";
import { DiskRecorder } from "../../lib/local/disk-recorder.ts";
import type { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { type EarlierVisits, earlierVisits } from "../../lib/local/earlier-visits.ts";
import { type LocalSession, openLocalSession } from "../../lib/local/local-session.ts";
import { describeMachine } from "../../lib/local/machine.ts";
import { measureFloor } from "../../lib/local/measure-floor.ts";
import { runPlan } from "../../lib/protocol/run-plan.ts";
import type { RenderedReport } from "../../lib/report/render-report.ts";
import { type Progress, sampleProgress } from "../progress.ts";
import type { CostBasis } from "./cost-basis.ts";
import { instrumentFloor } from "./instrument-floor.ts";
import { endedManifest, startingManifest } from "./local-manifest.ts";
import { networkText } from "./network-choice.ts";
import { requireValgrind } from "./require-valgrind.ts";
import { stoppingLooks } from "./stopping-looks.ts";
import { writeReport } from "./write-report.ts";
import { writeStart } from "./write-start.ts";

export interface LocalRun {
  readonly plan: Plan;
  readonly store: DiskResultStore;
  readonly built: BuiltTools;
  readonly costs: CostBasis;
  readonly plainHttp: boolean;
  readonly progress: Progress;
  /** Comes when the run is to stop. */
  readonly signal: AbortSignal;
}

/** What was built, and with what. */
export interface BuiltTools {
  readonly pythonVersion: string;
}

/** Measures what an experiment still lacks, and writes the report of all of it that was measured. */
export async function measureLocally(run: LocalRun): Promise<RenderedReport> {
  const { plan, store, built, costs, progress, signal } = run;
  const valgrind = plan.instrumented && requireValgrind();
  const cgroupRoot = findCgroupRoot();
  const machine = describeMachine(cgroupRoot);
  for (const line of plan.leftOut ?? []) progress.say(`not measured: ${line}`);
  const experiment = experimentById(plan.experiment);
  const session = await openLocalSession(experiment, {
    timeoutSeconds: plan.timeoutSeconds,
    plainHttp: run.plainHttp,
    seed: plan.seed,
    ...(plan.network !== undefined && { network: plan.network }),
    ...(cgroupRoot !== undefined && { cgroupRoot }),
    ...(valgrind !== undefined && { valgrind }),
  });
  const stop = () => void session.stop();
  signal.addEventListener("abort", stop);
  try {
    const { transport } = session;
    const networkProfile = plan.network && networkText(plan.network, plan.seed);
    progress.say(`${serviceText(plan, transport)}; Python ${built.pythonVersion}`);
    if (networkProfile !== undefined) progress.say(`network: ${networkProfile}`);
    const floor = instrumentFloor(await measureFloor(session.target));
    const facts = {
      ...built,
      prices: costs.prices,
      floor,
      machine: {
        ...machine,
        ...(transport !== undefined && { transport }),
        ...(networkProfile !== undefined && { networkProfile }),
      },
      ...(valgrind !== undefined && { valgrindVersion: valgrind.version }),
    };
    const started = startingManifest(plan, variantsOf(plan), facts);
    const earlier = await earlierVisits(store, plan);
    await writeStart(store, plan, started, earlier.recorded);
    const { end, stopping } = await measure(run, session, earlier);
    const ended = {
      ...(await endedManifest(started, end, store)),
      ...(stopping !== undefined && { stopping }),
    };
    return await writeReport(store, plan, ended, costs);
  } finally {
    signal.removeEventListener("abort", stop);
    await session.close();
  }
}

function serviceText(plan: Plan, transport: string | undefined): string {
  const service = serviceOf(plan);
  if (service === undefined || transport === undefined) return "no service";
  return `${service}: ${service === "S3" ? "s3s" : "dynoxide"}, ${transport}`;
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
