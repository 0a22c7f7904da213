import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makeCalibration, shareCalls, sharesFunctions } from "../../lib/analysis/calibration.ts";
import type { OneRun } from "../../lib/analysis/compare-runs.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Calibration } from "../../lib/contract/types/contract.ts";
import { speedOf } from "../../lib/prediction/machine-speed.ts";
import { plural } from "../../lib/report/document/format.ts";
import { findStudy } from "../../lib/studies/catalogue.ts";
import { readRun } from "./read-run.ts";
import { isEnded, openRun, type StoredRun } from "./stored-run.ts";

/** The folder of the local runs, and this machine's CPU. */
interface LocalRuns {
  readonly runs: string;
  readonly cpuModel: string;
}

/**
 * Compares a run on Lambda with a local run of the same functions: the named one, or the newest. Throws InvalidInput if
 * the runs cannot be compared.
 */
export async function newCalibration(
  folder: string,
  local: string | undefined,
  { runs, cpuModel }: LocalRuns,
): Promise<Calibration> {
  const opened = await openRun("folder", folder);
  requireOnLambda(opened, folder);
  const localFolder = local ?? (await newestLocalRun(runs, opened, folder, cpuModel));
  const openedLocal = await openRun("local", localFolder);
  requireLocal(openedLocal, localFolder, cpuModel);
  const lambdaRuns = await readRun(opened, folder);
  const localRuns = await readRun(openedLocal, localFolder);
  return fromRuns(lambdaRuns, localRuns, { folder, localFolder, cpuModel });
}

/** Throws InvalidInput for a run whose times are not Lambda's. */
function requireOnLambda({ experiments }: StoredRun, folder: string): void {
  const { target, experiment } = experiments[0]?.plan ?? {};
  if (target === "aws" || target === "imported") return;
  const allowed =
    "a run on Lambda: kelvin fetch downloads one, and kelvin import makes one from logs";
  const where =
    findStudy(experiment)?.purpose ??
    (target === "local" ? "was measured on one machine" : "was made up by a fake target");
  throw new InvalidInput(
    "folder",
    folder,
    allowed,
    `${folder} ${where}; calibrate takes ${allowed}`,
  );
}

/** Throws InvalidInput unless the run was measured on a machine with this CPU model. */
function requireLocal({ experiments }: StoredRun, folder: string, cpuModel: string): void {
  const [first] = experiments;
  if (first?.plan.target !== "local" || findStudy(first.plan.experiment) !== undefined) {
    const allowed = "a run of kelvin local or kelvin measure on this machine";
    throw new InvalidInput("local", folder, allowed, `--local takes ${allowed}; ${folder} is none`);
  }
  const found = first.manifest?.machine?.cpuModel;
  if (found === cpuModel) return;
  const message = `${folder} was measured on ${found ?? "a CPU that it does not name"}, and this machine has ${cpuModel}: measure the functions here first`;
  throw new InvalidInput("local", folder, `a run measured on ${cpuModel}`, message);
}

async function newestLocalRun(
  runs: string,
  lambda: StoredRun,
  folder: string,
  cpuModel: string,
): Promise<string> {
  const found: { readonly folder: string; readonly createdAt: string }[] = [];
  for (const candidate of foldersIn(runs)) {
    const opened = await openRun("local", candidate).catch(() => undefined);
    const matching = opened?.experiments.find(
      ({ plan, manifest }) =>
        plan.target === "local" &&
        isEnded(manifest) &&
        manifest.machine?.cpuModel === cpuModel &&
        lambda.experiments.some((other) => sharesFunctions(plan, other.plan)),
    );
    if (matching === undefined) continue;
    found.push({ folder: candidate, createdAt: matching.plan.createdAt });
  }
  const [newest] = found.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (newest !== undefined) return newest.folder;
  const allowed = "a local run of the same functions, operations and sizes on this machine";
  const message = `no local run in ${runs} has a function of ${folder}, at its size, on ${cpuModel}: measure one here first (kelvin local, kelvin measure), or name it with --local`;
  throw new InvalidInput("local", undefined, allowed, message);
}

function foldersIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(directory, name));
}

/** Names for messages: the folders of the two runs, and this machine's CPU. */
interface CalibrationPlaces {
  readonly folder: string;
  readonly localFolder: string;
  readonly cpuModel: string;
}

/** Throws InvalidInput if no call that the runs share has a 95% CI in both, or if the local run stored no speed. */
function fromRuns(
  lambdaRuns: readonly OneRun[],
  localRuns: readonly OneRun[],
  { folder, localFolder, cpuModel }: CalibrationPlaces,
): Calibration {
  const pairs = pairRuns(lambdaRuns, localRuns);
  const [first] = pairs;
  const series = pairs.reduce((sum, { shared }) => sum + shared.series, 0);
  if (first === undefined || series === 0) {
    const allowed = "runs that share a function, an operation and a memory size";
    const message = `${folder} and ${localFolder} have no function, operation and memory size in common: ${cellsOf(lambdaRuns)} against ${cellsOf(localRuns)}`;
    throw new InvalidInput("local", localFolder, allowed, message);
  }
  const speed = speedOf(first.local.manifest);
  if (speed === undefined) {
    const allowed = "a local run that stored how fast its machine is";
    const message = `${localFolder} did not store how fast its machine is: measure the functions here again`;
    throw new InvalidInput("local", localFolder, allowed, message);
  }
  const calls = pairs.flatMap(({ shared }) => shared.calls);
  if (calls.length === 0) {
    const allowed =
      "runs with a 95% CI for some call on both sides, of a runtime with published figures";
    const message = `${folder} and ${localFolder} share ${plural(series, "series", "series")}, and none has a 95% CI in both, or published figures of its runtime: measure more environments`;
    throw new InvalidInput("folder", folder, allowed, message);
  }
  const createdAt = new Date().toISOString();
  return makeCalibration(calls, first.local, first.lambda, { createdAt, cpuModel, speed });
}

/** Pairs the runs that share a function, with the calls that they share. */
function pairRuns(lambdaRuns: readonly OneRun[], localRuns: readonly OneRun[]) {
  return lambdaRuns.flatMap((lambda) =>
    localRuns
      .filter((local) => sharesFunctions(local.plan, lambda.plan))
      .map((local) => ({ local, lambda, shared: shareCalls(local, lambda) })),
  );
}

/** Formats as `dynamodb: rust 128 MB, python 128 MB (get, put)`. */
function cellsOf(runs: readonly OneRun[]): string {
  return runs
    .map(({ plan }) => {
      const cells = plan.cells.filter(({ replicaOf }) => replicaOf === undefined);
      const names = cells.map(({ variant, memoryMb }) => `${variant} ${memoryMb} MB`);
      const operations = new Set([plan.coldOperation, ...plan.warmOperations]);
      return `${plan.experiment}: ${[...new Set(names)].join(", ")} (${[...operations].join(", ")})`;
    })
    .join("; ");
}
