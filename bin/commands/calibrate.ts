import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { makeCalibration, shareCalls, sharesFunctions } from "../../lib/analysis/calibration.ts";
import type { OneRun } from "../../lib/analysis/compare-runs.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Calibration } from "../../lib/contract/types/contract.ts";
import {
  calibrationFile,
  forgetCalibration,
  readCalibration,
  writeCalibration,
} from "../../lib/local/calibration-file.ts";
import { describeMachine } from "../../lib/local/machine.ts";
import { listFactors } from "../../lib/prediction/expectation.ts";
import { speedOf } from "../../lib/prediction/machine-speed.ts";
import { calibrationName, factorText } from "../../lib/report/calibration-text.ts";
import { plural } from "../../lib/report/document/format.ts";
import { findStudy } from "../../lib/studies/catalogue.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "../progress.ts";
import { readRun } from "../run/read-run.ts";
import { isEnded, openRun, type StoredRun } from "../run/stored-run.ts";

/** The options of `kelvin calibrate`. */
interface CalibrateOptions {
  /** @default the newest local run that has the same functions */
  readonly local?: string;
  readonly show?: true;
  readonly forget?: true;
  readonly json?: true;
}

/** The command's view of this machine; replaced in tests. */
interface Surroundings {
  /** The folder of the stored calibration. */
  readonly state: string;
  /** The folder of the local runs. */
  readonly runs: string;
  readonly cpuModel: string;
}

function thisMachine(): Surroundings {
  const { cpuModel } = describeMachine(undefined);
  return { state: projectPaths.state, runs: projectPaths.runs, cpuModel };
}

/**
 * `kelvin calibrate`: compares a run on Lambda with a local run of the same functions and stores a calibration of
 * this machine and account; or shows or removes the stored one. Returns the exit code; throws InvalidInput.
 */
export async function calibrate(
  folder: string | undefined,
  options: CalibrateOptions,
  where: Surroundings = thisMachine(),
): Promise<number> {
  requireOneTask(folder, options);
  if (options.forget === true) return await forget(where);
  if (folder !== undefined)
    await writeCalibration(await calibrationWith(folder, options, where), where.state);
  await show(where, options.json === true);
  return exitCodes.complete;
}

function requireOneTask(
  folder: string | undefined,
  { local, show, forget }: CalibrateOptions,
): void {
  const tasks = [folder !== undefined, show === true, forget === true].filter(Boolean).length;
  const allowed = "the folder of a run on Lambda, or --show, or --forget";
  if (tasks === 0) {
    const message = `nothing to calibrate with: kelvin calibrate takes ${allowed}`;
    throw new InvalidInput("folder", undefined, allowed, message);
  }
  if (tasks > 1) {
    const message = `kelvin calibrate takes one of these: ${allowed}`;
    throw new InvalidInput("folder", folder ?? "--show --forget", allowed, message);
  }
  if (local !== undefined && folder === undefined) {
    const message = "--local goes with the folder of a run on Lambda";
    throw new InvalidInput("local", local, "no value here", message);
  }
}

async function forget({ state }: Surroundings): Promise<number> {
  const isStored = existsSync(join(state, calibrationFile));
  await forgetCalibration(state);
  const outcome = isStored
    ? "forgotten: local runs from now on are predicted by the published figures alone"
    : "nothing to forget: no calibration is stored";
  process.stdout.write(`${outcome}\n`);
  return exitCodes.complete;
}

async function show({ state, cpuModel }: Surroundings, asJson: boolean): Promise<void> {
  const file = join(state, calibrationFile);
  const calibration = await readCalibration(state);
  const factors = calibration === undefined ? [] : listFactors(calibration);
  const text = asJson
    ? JSON.stringify({ file, calibration: calibration ?? null, factors })
    : calibration === undefined
      ? "not calibrated: kelvin calibrate RUN does it, with a run on Lambda"
      : [...described(calibration, cpuModel), ...factors.map(factorText), file].join("\n");
  process.stdout.write(`${printable(text)}\n`);
}

function described(calibration: Calibration, cpuModel: string): readonly string[] {
  const { localRunId, calls, region, createdAt } = calibration;
  const functions = new Set(calls.map((call) => call.function)).size;
  const isOther = calibration.cpuModel !== cpuModel;
  const place = region === undefined ? "" : `, ${region}`;
  return [
    `Calibrated with ${calibrationName(calibration)}${place}, beside ${localRunId}`,
    `on ${createdAt.slice(0, 10)}, ${calibration.cpuModel}: ${plural(calls.length, "call")} of ${plural(functions, "function")}`,
    ...(isOther ? [`not used here: this machine has ${cpuModel}`] : []),
  ];
}

async function calibrationWith(
  folder: string,
  { local }: CalibrateOptions,
  { runs, cpuModel }: Surroundings,
): Promise<Calibration> {
  const opened = await openRun("folder", folder);
  requireOnLambda(opened, folder);
  const localFolder = local ?? (await newestLocalRun(runs, opened, folder, cpuModel));
  const openedLocal = await openRun("local", localFolder);
  requireLocal(openedLocal, localFolder, cpuModel);
  const [lambdaRuns, localRuns] = [
    await readRun(opened, folder),
    await readRun(openedLocal, localFolder),
  ];
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
  const pairs = lambdaRuns.flatMap((lambda) =>
    localRuns
      .filter((local) => sharesFunctions(local.plan, lambda.plan))
      .map((local) => ({ local, lambda, shared: shareCalls(local, lambda) })),
  );
  const calls = pairs.flatMap(({ shared }) => shared.calls);
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
  if (calls.length === 0) {
    const allowed =
      "runs with a 95% CI for some call on both sides, of a runtime with published figures";
    const message = `${folder} and ${localFolder} share ${plural(series, "series", "series")}, and none has a 95% CI in both, or published figures of its runtime: measure more environments`;
    throw new InvalidInput("folder", folder, allowed, message);
  }
  const createdAt = new Date().toISOString();
  return makeCalibration(calls, first.local, first.lambda, { createdAt, cpuModel, speed });
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
