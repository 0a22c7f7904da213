import { readdirSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { currentPlan } from "../../lib/contract/earlier-schemas.ts";
import { describeError, InvalidInput, inPlace } from "../../lib/contract/errors.ts";
import { requireJson } from "../../lib/contract/lines.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { contractProblem, validated } from "../../lib/contract/validate.ts";
import { experiments as known } from "../../lib/experiments/catalogue.ts";
import { hasEntry, requirePlainFolder } from "../../lib/files/plain-file.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";

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
