import { readdirSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { currentPlan } from "../../lib/contract/earlier-schemas.ts";
import { describeError, InvalidInput, inPlace } from "../../lib/contract/errors.ts";
import { requireJson } from "../../lib/contract/lines.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { contractProblem, validated } from "../../lib/contract/validate.ts";
import type { PriceTable } from "../../lib/cost/prices.ts";
import { experiments as known } from "../../lib/experiments/catalogue.ts";
import { hasEntry, requirePlainFolder } from "../../lib/files/plain-file.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { localRegion } from "../../lib/local/local-functions.ts";
import {
  type Checksums,
  checksumsOfAll,
  checksumsPath,
  computeChecksums,
  describeDifference,
  differences,
  type FileDifference,
  parseChecksums,
} from "../../lib/sampler/checksums.ts";
import { manifestHead, type ResultStore, storedFailures } from "../../lib/sampler/result-store.ts";

/** A stored run. Its folder is that of its only experiment, or has a folder for each. */
export interface StoredRun {
  readonly runId: string;
  readonly store: DiskResultStore;
  /** One or more, in the order of the catalogue. */
  readonly experiments: readonly StoredExperiment[];
}

/** Everything stored of an experiment. */
export interface StoredExperiment {
  /** Path below the run's folder; empty if it is the run's only experiment. */
  readonly folder: string;
  readonly store: DiskResultStore;
  readonly plan: Plan;
  /** Absent if the run was stopped before it wrote one. */
  readonly manifest?: Manifest;
}

/** Opens the run in a folder that an option named. Throws InvalidInput if there is no readable run. */
export async function openRun(option: string, folder: string): Promise<StoredRun> {
  const directory = resolve(folder);
  requireFolder(option, folder);
  requirePlainFolder(directory);
  const opened: StoredExperiment[] = [];
  for (const below of experimentFolders(directory)) {
    opened.push(await openExperiment(directory, below));
  }
  const [first] = opened;
  if (first === undefined) {
    const allowed = "the folder of an earlier run, with its plan.json";
    const isThere = statsOrRefused(option, folder) !== undefined;
    const message = isThere
      ? `no run in ${folder}: it has no plan.json`
      : `no such folder: ${folder}`;
    throw new InvalidInput(option, folder, allowed, message);
  }
  const { runId } = first.plan;
  for (const { folder: below, plan } of opened) {
    requireSame(`${join(below, "plan.json")}: plan.runId`, plan.runId, runId);
    if (below !== "")
      requireSame(`${join(below, "plan.json")}: plan.experiment`, plan.experiment, below);
  }
  return { runId, store: new DiskResultStore(directory), experiments: opened };
}

/** Returns whether each experiment has its own folder, and the run's report covers all of them. */
export function isMultiExperiment({
  experiments,
}: {
  readonly experiments: readonly Pick<StoredExperiment, "folder">[];
}): boolean {
  return experiments.some(({ folder }) => folder !== "");
}

/** Returns whether the experiment has ended. If not, it is in progress or was stopped. */
export function isEnded(manifest: Manifest | undefined): manifest is Manifest {
  return manifest?.endedAt !== undefined;
}

/** Returns the folders that have plans: the folder itself, or those in it; none if it holds no run. */
export function experimentFolders(directory: string): readonly string[] {
  const hasPlan = (below: string) => hasEntry(join(directory, below), "plan.json");
  if (hasPlan("")) return [""];
  const isThere = statSync(directory, { throwIfNoEntry: false }) !== undefined;
  const entries = isThere ? readdirSync(directory, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const place = (name: string) => known.findIndex(({ id }) => id === name);
  return names.filter(hasPlan).sort((a, b) => place(a) - place(b));
}

/** Throws InvalidInput if the path exists and is not a folder. */
export function requireFolder(option: string, folder: string): void {
  const stats = statsOrRefused(option, folder);
  if (stats === undefined || stats.isDirectory()) return;
  const allowed = "the folder of a run; this is not a folder";
  throw new InvalidInput(option, folder, allowed, `${folder} is a file, not the folder of a run`);
}

function statsOrRefused(option: string, folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    // A part of the path is a file, or not accessible to this user.
    const allowed = `a folder that can be reached (${describeError(error).message})`;
    throw new InvalidInput(option, folder, allowed);
  }
}

async function openExperiment(directory: string, folder: string): Promise<StoredExperiment> {
  const store = new DiskResultStore(join(directory, folder));
  const plan = contractIn(
    "plan",
    join(folder, "plan.json"),
    currentPlan(await jsonIn(store, "plan.json")),
  );
  const file = join(folder, "manifest.json");
  const found = await jsonIn(store, "manifest.json");
  if (found === undefined) return { folder, store, plan };
  const manifest = contractIn("manifest", file, found);
  requireSame(`${file}: manifest.runId`, manifest.runId, plan.runId);
  return { folder, store, plan, manifest };
}

/** Throws InvalidInput naming the file. */
function contractIn<Name extends "plan" | "manifest">(name: Name, file: string, value: unknown) {
  const problem = contractProblem(name, value);
  if (problem !== undefined) throw inPlace(file, problem);
  return validated(name, value);
}

/** Throws InvalidInput unless a file in a run's folder belongs to the run. */
function requireSame(field: string, found: string, expected: string): void {
  if (found !== expected)
    throw new InvalidInput(field, found, `${expected}, as the run's plan says`);
}

async function jsonIn(store: DiskResultStore, path: string): Promise<unknown> {
  const text = await store.readText(path);
  return text === undefined ? undefined : requireJson(path, text);
}

const unfinished =
  "the run has not ended, or was stopped before its end; this covers what it had measured by then";
const notVerified =
  "not verified: the run wrote no SHA256SUMS, so later changes to its files would go unnoticed";

type ToReport = Omit<Manifest, "counts">;

/** Returns the manifest that an experiment left. If it was stopped, the manifest is derived from its other files. */
export async function storedManifest(
  run: StoredExperiment,
  verification: Verification,
  prices: PriceTable,
): Promise<ToReport> {
  const manifest =
    run.manifest === undefined ? unwritten(run, prices) : withoutCounts(run.manifest);
  const warnings = [
    ...manifest.warnings,
    ...(verification.kind === "verified" ? [] : [notVerified]),
  ];
  if (isEnded(run.manifest)) return { ...manifest, warnings };
  return {
    ...manifest,
    status: "partial",
    endedEarly: `${unfinished.charAt(0).toUpperCase()}${unfinished.slice(1)}`,
    cellFailures: [...(await storedFailures(run.store))],
    warnings: [`unfinished: ${unfinished}`, ...warnings],
  };
}

/** Drops the counts, which are computed anew. */
function withoutCounts({ counts: _, ...manifest }: Manifest): ToReport {
  return manifest;
}

function unwritten({ plan }: StoredExperiment, prices: PriceTable): ToReport {
  const isLocal = plan.target === "local";
  const region = isLocal ? localRegion : plan.estimate?.pricesRegion;
  return {
    ...manifestHead(plan, "partial"),
    cellFailures: [],
    artefacts: [],
    versions: {},
    ...(region !== undefined && !isLocal && { region }),
    prices: { date: prices.date, region: region ?? "a region not recorded" },
    warnings: [...plan.warnings],
  };
}

/** Thrown if files of a run have changed since it ended: a report would not show what was measured. */
class ChangedRun extends Error {
  override readonly name = "ChangedRun";

  constructor(folder: string, changed: readonly FileDifference[]) {
    const shown = changed.slice(0, longestList).map((each) => `  ${describeDifference(each)}`);
    const more =
      changed.length > shown.length ? [`  and ${changed.length - shown.length} more`] : [];
    const problem = `${folder}: ${changed.length} files differ from what the run wrote (${checksumsPath})`;
    const remedy =
      "Nothing was rendered or measured. kelvin fetch downloads again what differs from S3; otherwise restore the original files";
    super([problem, ...shown, ...more, remedy].join("\n"));
  }
}

const longestList = 20;

export type Verification =
  | { readonly kind: "verified"; readonly files: number }
  | { readonly kind: "no-checksums" };

/** The verification of a run, and of its experiments in their order. */
interface RunVerification {
  readonly run: Verification;
  readonly experiments: readonly Verification[];
}

/**
 * Verifies a run against the checksums that it wrote: each experiment against its own, and if there are
 * several, all of their lists against the run's. Throws ChangedRun.
 */
export async function verifyRun(run: StoredRun, folder: string): Promise<RunVerification> {
  const { store, experiments } = run;
  const verified: Verification[] = [];
  for (const { store: own, folder: below } of experiments) {
    verified.push(await verifyList(own, join(folder, below), () => computeChecksums(own)));
  }
  const whole = isMultiExperiment(run)
    ? await verifyList(store, folder, () => listsOf(experiments))
    : verified[0];
  return { run: whole ?? { kind: "no-checksums" }, experiments: verified };
}

/** Checks the store's list of checksums against those that are found. */
async function verifyList(
  store: ResultStore,
  folder: string,
  find: () => Promise<Checksums>,
): Promise<Verification> {
  const text = await store.readText(checksumsPath);
  if (text === undefined) return { kind: "no-checksums" };
  const listed = parseChecksums(text);
  const changed = differences(listed, await find());
  if (changed.length > 0) throw new ChangedRun(folder, changed);
  return { kind: "verified", files: listed.size };
}

/** Returns the lists of the experiments as one: a missing or rewritten one differs from the run's. */
async function listsOf(experiments: StoredRun["experiments"]): Promise<Checksums> {
  const found = new Map<string, string>();
  for (const each of experiments) {
    const own = await checksumsOfAll(new Map([[each.folder, each.store]]));
    for (const [path, sha256] of own ?? []) found.set(path, sha256);
  }
  return found;
}
