import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Artefact, Plan } from "../../lib/contract/types/contract.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { DiskRecorder, DiskResultStore, earlierTrials } from "../../lib/local/disk-result-store.ts";
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
import { localRegion } from "../../lib/local/local-functions.ts";
import { describeMachine, floorCell } from "../../lib/local/machine.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import type { Preset } from "../../lib/plan/experiment.ts";
import type { RenderedReport } from "../../lib/report/experiment-report.ts";
import { manifestHead } from "../../lib/sampler/result-store.ts";
import { runPlan } from "../../lib/sampler/run-plan.ts";
import { type Engine, emulators, studyPlan } from "../../lib/studies/emulators/definition.ts";
import { buildRustBinaries } from "../../lib/toolchain/build-local.ts";
import { javaVersion } from "../../lib/toolchain/engines.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { findPython, preparePythonVenv } from "../../lib/toolchain/python.ts";
import { buildRecord, localTarget } from "../../lib/toolchain/rust-build.ts";
import { lockedVersion, rustcVersion } from "../../lib/toolchain/rust-toolchain.ts";
import { buildProgress, type Progress, sampleProgress } from "../progress.ts";
import type { CostBasis, CostOptions } from "./cost-basis.ts";
import { endedManifest, type LocalManifest } from "./local-manifest.ts";
import { writeStart } from "./measure-locally.ts";
import { type LocalOptions, type NewRun, newRunFolder, newRunName } from "./new-run.ts";
import type { RunOptions } from "./run-choice.ts";
import type { StoredExperiment } from "./stored-run.ts";
import type { EndedRun } from "./until-ended.ts";
import { writeReport } from "./write-report.ts";

/** Measures what is still missing from a comparison, and writes its report. */
export async function compareEngines(
  { experiments: [only] }: NewRun,
  options: Omit<EngineRun, "plan" | "store">,
): Promise<EndedRun> {
  const { plan, store } = only as StoredExperiment;
  const { manifest, headline } = await measureEngines({ ...options, plan, store });
  const isComplete = manifest.status === "complete";
  return { headline, manifests: [manifest], isMultiExperiment: false, isComplete };
}

/** The plan for the engines available here, and the folder of a new run; nothing is written yet. */
export function newEngineRun(words: LocalOptions): NewRun {
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
      `engines that are available here; ${leftOut.join("; ")}`,
    );
  }
  const { runId, createdAt } = newRunName();
  const { memoryMb } = describeMachine(undefined);
  const { architecture } = floorCell;
  const choice = { runId, createdAt, seed, preset, rounds, architecture, memoryMb, leftOut };
  const plan = studyPlan(emulators, { ...choice, engines: here });
  const store = new DiskResultStore(newRunFolder(words.out, runId));
  return { runId, store, experiments: [{ folder: "", plan, store }], leftOut: [] };
}

/** The validated options of a comparison of engines. */
interface EngineChoice {
  readonly preset: Preset;
  readonly rounds: number;
  readonly engines: readonly Engine[];
  /** Absent if it is to be drawn at random. */
  readonly seed?: number;
}

const byRounds = "nothing: engines are compared over a fixed number of rounds (--cold)";
const withoutCost = "nothing: a comparison of engines has no cost";
const unused = {
  memory: "nothing: an engine has the whole machine",
  warm: "nothing: each operation has a fixed number of requests",
  ...{ untilPrecision: byRounds, maxSamples: byRounds, maxMinutes: byRounds },
  ...{ coldShare: withoutCost, invocations: withoutCost },
} as const;

/** Parses the options; throws InvalidInput naming the option, the value found and the values allowed. */
export function engineChoice(words: RunOptions & CostOptions): EngineChoice {
  const { preset, cold, variants, seed } = words;
  for (const [name, allowed] of Object.entries(unused)) {
    const found = words[name as keyof typeof unused];
    if (found !== undefined) throw new InvalidInput(name, found, allowed);
  }
  return {
    preset,
    rounds: cold ?? emulators.rounds[preset],
    engines: variants === undefined ? emulators.engines : variants.map(parseEngine),
    ...defined({ seed }),
  };
}

function parseEngine(id: string, index: number, ids: readonly string[]): Engine {
  const known = emulators.engines.map((engine) => engine.id);
  const found = emulators.engines.find((engine) => engine.id === id);
  if (found === undefined) throw new InvalidInput("variants", id, known.join(", "));
  if (ids.indexOf(id) !== index) throw new InvalidInput("variants", ids, "each engine once");
  return found;
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
  const installed = await prepared(run);
  const isIsolated = canIsolate();
  const session = openEngineSession(installed, plan.timeoutSeconds, isIsolated);
  const stop = () => void session.close();
  signal.addEventListener("abort", stop);
  try {
    const started = engineManifest(plan, installed, costs.prices, isIsolated);
    const earlier = await earlierTrials(store, plan);
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

/** The drivers, which every engine needs, and each engine or the reason it is missing. */
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

/** The manifest of a comparison that is about to start. */
function engineManifest(
  plan: Plan,
  installed: ReadonlyMap<string, Installation>,
  prices: PriceTable,
  isIsolated: boolean,
): LocalManifest {
  const transport = isIsolated
    ? "HTTP on loopback, in its own network namespace"
    : "HTTP on loopback";
  return {
    ...manifestHead(plan, "running"),
    cellFailures: [],
    artefacts: [...installed].flatMap(([id, engine]) => describeArtefact(plan, id, engine)),
    versions: versions(),
    // An engine has the whole machine: neither its CPU share nor its memory is limited.
    machine: { ...describeMachine(undefined), transport },
    prices: { date: prices.date, region: localRegion },
    warnings: [...plan.warnings, ...openWarnings(installed, isIsolated)],
  };
}

function openWarnings(
  installed: ReadonlyMap<string, Installation>,
  isIsolated: boolean,
): readonly string[] {
  const isOpen = [...installed.keys()].some((id) => engineKinds[id]?.isOpen === true);
  if (isIsolated || !isOpen) return [];
  return [
    "DynamoDB Local listens on every address, and this machine allows no separate network namespace: other hosts could reach it while it ran",
  ];
}

function describeArtefact(plan: Plan, variant: string, engine: Installation): readonly Artefact[] {
  const architecture = plan.cells[0]?.architecture;
  if ("reason" in engine || architecture === undefined) return [];
  const { version, sizeBytes, downloadBytes } = engine;
  const isDynoxide = variant.startsWith("dynoxide");
  // The workspace's release profile sets a separate opt-level for dynoxide.
  const build = isDynoxide
    ? { ...buildRecord(dynoxideBinary), optLevel: readOptLevel("dynoxide-rs") }
    : { tool: "as published" };
  return [
    {
      variant,
      architecture,
      ...defined({ sizeBytes, zipBytes: downloadBytes }),
      build: { version, ...build },
    },
  ];
}

function readOptLevel(crate: string): string {
  const manifest = readFileSync(join(projectPaths.rust, "Cargo.toml"), "utf8");
  const [, packages = ""] = manifest.split("[profile.release.package]\n");
  return new RegExp(`^${crate} = \\{ opt-level = "?(\\w+)"? \\}`, "m").exec(packages)?.[1] ?? "3";
}

function versions(): Record<string, string> {
  const found = {
    rustc: rustcVersion(),
    "dynoxide-rs": lockedVersion("dynoxide-rs"),
    "aws-sdk-dynamodb": lockedVersion("aws-sdk-dynamodb"),
    java: javaVersion(),
    node: process.versions.node,
    python: findPython().version,
  };
  const known = Object.entries(found).filter(([, version]) => version !== undefined);
  return Object.fromEntries(known) as Record<string, string>;
}
