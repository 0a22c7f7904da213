import { existsSync } from "node:fs";
import { join } from "node:path";
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
import { calibrationName, factorText } from "../../lib/report/calibration-text.ts";
import { plural } from "../../lib/report/document/format.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "../progress.ts";
import { newCalibration } from "../run/new-calibration.ts";

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
    await writeCalibration(await newCalibration(folder, options.local, where), where.state);
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
