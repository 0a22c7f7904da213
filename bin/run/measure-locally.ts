import { defined } from "../../lib/contract/defined.ts";
import type {
  Cell,
  Plan,
  StoppingLook,
  UnavailableCalls,
} from "../../lib/contract/types/contract.ts";
import {
  DiskRecorder,
  type DiskResultStore,
  type EarlierTrials,
  earlierTrials,
} from "../../lib/local/disk-result-store.ts";
import { pythonOf } from "../../lib/local/local-functions.ts";
import { idleFor, type LocalSession, openLocalSession } from "../../lib/local/local-session.ts";
import type { NoiseMeter } from "../../lib/local/machine-noise.ts";
import { describeSandbox } from "../../lib/local/sandbox/open-sandbox.ts";
import { sdkProvider } from "../../lib/local/sdk-provider.ts";
import { probeSpeed } from "../../lib/local/speed-probe.ts";
import { tryFunctions } from "../../lib/local/try-functions.ts";
import { smallestPlan } from "../../lib/plan/blocks.ts";
import { instrumentedPlan, plannedSamples } from "../../lib/plan/expand.ts";
import type { Experiment, Variant } from "../../lib/plan/experiment.ts";
import { mostSamples } from "../../lib/plan/stopping.ts";
import { plural } from "../../lib/report/document/format.ts";
import type { RenderedReport } from "../../lib/report/experiment-report.ts";
import { listeningText } from "../../lib/report/section/method.ts";
import { unavailableText } from "../../lib/report/section/opening.ts";
import { checksumsPath } from "../../lib/sampler/checksums.ts";
import { runPlan } from "../../lib/sampler/run-plan.ts";
import type { Target } from "../../lib/sampler/target.ts";
import { sampleProgress } from "../progress.ts";
import {
  endedManifest,
  type Instruments,
  instrumentsFor,
  type LocalManifest,
  localFacts,
  type ReadyRun,
  startingManifest,
} from "./local-manifest.ts";
import { noiseField, noiseMeter, waitIfAsked } from "./quiet-machine.ts";
import { stoppingLooks } from "./stopping-looks.ts";
import type { StoredExperiment } from "./stored-run.ts";
import { writeReport } from "./write-report.ts";

/** Rounds of the speed probe. Those after each block are few: all of them together show the usual speed. */
const [roundsAtStart, roundsAfterBlock] = [9, 3];

interface LocalRun extends ReadyRun {
  readonly store: DiskResultStore;
  /** The experiment that the plan was made from. */
  readonly experiment: Experiment;
  readonly plainHttp: boolean;
  /** Whether to wait for a quiet machine before anything is measured. @default false */
  readonly waitForQuiet?: boolean;
  /** Aborts when the run is to stop. */
  readonly signal: AbortSignal;
}

/** The targets of a LocalSession. */
interface Targets {
  readonly target: Target;
  readonly instrumentedTarget?: Target;
}

/** Measures what an experiment still lacks, and writes the report of everything measured. */
export async function measureLocally(run: LocalRun): Promise<RenderedReport> {
  const { plan, experiment, plainHttp, progress, signal } = run;
  const { timeoutSeconds, seed, network } = plan;
  const instruments = instrumentsFor(plan);
  for (const line of plan.leftOut ?? []) progress.say(`not measured: ${line}`);
  const session = await openLocalSession(experiment, {
    timeoutSeconds,
    plainHttp,
    seed,
    ...defined({ network }),
    ...instruments,
  });
  const stop = () => void session.stop();
  signal.addEventListener("abort", stop);
  const { withoutSandbox, withoutNetwork } = session;
  if ((withoutSandbox ?? withoutNetwork) !== undefined || progress.isVerbose) {
    progress.say(describeSandbox(session, instruments.cgroupRoot));
  }
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
  const { plan, experiment, store, costs } = run;
  const variants = listVariants(plan, experiment);
  const { unavailableCalls, listening } = await tryOut(session, run);
  const waitedSeconds = await waitIfAsked(run);
  const python = variants.flatMap((variant) => pythonOf(variant) ?? [])[0];
  const facts = await localFacts(session, run, instruments, probeSpeed(python, roundsAtStart));
  const started = startingManifest(plan, variants, facts);
  const earlier = await earlierTrials(store, plan);
  const meter = await noiseMeter(store, () => probeSpeed(python, roundsAfterBlock));
  await writeStart(store, plan, started, earlier.recorded);
  const { end, stopping } = await measure(run, session, earlier, meter, {
    oneAlive: listening.length > 0,
  });
  const ended = await endedManifest(started, end, store);
  const manifest = {
    ...ended,
    warnings: [...ended.warnings, ...strangerWarnings(session), ...sandboxWarnings(session)],
    ...noiseField(meter, waitedSeconds),
    ...(unavailableCalls.length > 0 && { unavailableCalls: [...unavailableCalls] }),
    ...(listening.length > 0 && { listening: [...listening] }),
    ...defined({ stopping }),
  };
  return await writeReport({ store, plan, manifest, costs });
}

/** What the calls before the measurement showed of a user's functions. */
interface Tried {
  /** Calls that nothing here answers. */
  readonly unavailableCalls: readonly UnavailableCalls[];
  /** Functions that listen on a port. */
  readonly listening: readonly string[];
}

/** Calls a user's functions once before anything is measured. */
async function tryOut(
  session: LocalSession,
  { plan, experiment, progress }: LocalRun,
): Promise<Tried> {
  const { target, absentServices } = session;
  if (absentServices === undefined) return { unavailableCalls: [], listening: [] };
  const listening: string[] = [];
  progress.say("calling each function once before measuring");
  const provide = sdkProvider(experiment, (line) => progress.say(line));
  const observe = async (cell: Cell) => {
    if (await target.listens(cell)) listening.push(cell.variant);
  };
  const found = await tryFunctions(plan, target, absentServices, provide, observe);
  for (const unavailable of found) progress.say(unavailableText(unavailable));
  for (const name of listening) progress.say(listeningText(name));
  return { unavailableCalls: found, listening };
}

function sandboxWarnings({ withoutSandbox }: LocalSession): readonly string[] {
  if (withoutSandbox === undefined) return [];
  return [
    `environments had no /tmp of their own and could change the function's files (${withoutSandbox}): what a function keeps there, later environments found`,
  ];
}

function strangerWarnings({ target }: LocalSession): readonly string[] {
  const { refusedConnections: count } = target;
  if (count === 0) return [];
  return [
    `another process on this machine connected to the functions' Runtime API (${plural(count, "connection")}); it was refused, but may have slowed what was measured`,
  ];
}

/** Makes the timed trials and, only if they were completed, those that count instructions. */
export async function measure(
  run: Pick<LocalRun, "plan" | "experiment" | "store" | "progress" | "signal">,
  session: Targets,
  earlier: EarlierTrials,
  meter: Pick<NoiseMeter, "endBlock">,
  { oneAlive = false }: { readonly oneAlive?: boolean } = {},
): Promise<{ readonly end: "complete" | "interrupted"; readonly stopping?: StoppingLook }> {
  const { plan, experiment, store, progress, signal } = run;
  const part = instrumentedPlan(plan);
  const planned = mostSamples(plan) + (part === undefined ? 0 : plannedSamples(part));
  const isMost = plan.stopping !== undefined;
  const onSample = sampleProgress(progress, planned, earlier.recorded, { isMost });
  const recorder = new DiskRecorder(store, onSample);
  const looks = isMost ? stoppingLooks(plan, { experiment, store, earlier, progress }) : undefined;
  let end = await runPlan(plan, session.target, recorder, {
    signal,
    earlier: earlier.find,
    ...(plan.idleMs !== undefined && { idle: idleFor(plan.idleMs) }),
    oneAlive,
    ...(looks !== undefined && { skips: looks.skips }),
    afterBlock: async (blocks) => {
      meter.endBlock(blocks - 1);
      return (await looks?.afterBlock(blocks)) ?? "go-on";
    },
  });
  const { instrumentedTarget } = session;
  if (end === "complete" && part !== undefined && instrumentedTarget !== undefined) {
    const { find } = await earlierTrials(store, part);
    end = await runPlan(part, instrumentedTarget, recorder, { signal, earlier: find });
  }
  progress.end();
  const stopping = looks?.last();
  return { end, ...defined({ stopping }) };
}

/** Returns the variants of a plan's cells. */
export function listVariants(
  plan: Plan,
  { variants }: Pick<Experiment, "variants">,
): readonly Variant[] {
  const chosen = new Set(plan.cells.map((cell) => cell.variant));
  return variants.filter((variant) => chosen.has(variant.id));
}

type Store = StoredExperiment["store"];

/**
 * Writes the plan, and a manifest that stays correct if nothing more is written. Removes the checksums, which are no
 * longer valid for a run that continues.
 */
export async function writeStart(
  store: Store,
  plan: Plan,
  manifest: LocalManifest,
  recorded: number,
): Promise<void> {
  await store.remove(checksumsPath);
  const counts = { planned: plannedSamples(smallestPlan(plan)), recorded, kept: 0, rejected: {} };
  await writePlan(store, plan);
  await store.writeText("manifest.json", `${JSON.stringify({ ...manifest, counts }, null, 2)}\n`);
}

export async function writePlan(store: Store, plan: Plan): Promise<void> {
  await store.writeText("plan.json", `${JSON.stringify(plan, null, 2)}\n`);
}
