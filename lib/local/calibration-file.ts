import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describeError, inPlace } from "../contract/errors.ts";
import { requireJson } from "../contract/lines.ts";
import type { Calibration } from "../contract/types/contract.ts";
import { contractProblem, validated } from "../contract/validate.ts";
import { readPlain } from "../files/plain-file.ts";
import { replaceFile } from "../files/replace-file.ts";
import { projectPaths } from "../toolchain/project-paths.ts";

/** The file in the user's state folder that holds the calibration of this machine. */
export const calibrationFile = "calibration.json";

/** readCalibration returns the stored calibration, undefined if there is none. Throws InvalidInput naming the file. */
export async function readCalibration(
  state: string = projectPaths.state,
): Promise<Calibration | undefined> {
  const text = (await readPlain(state, calibrationFile))?.toString("utf8");
  if (text === undefined) return undefined;
  const path = join(state, calibrationFile);
  const value = requireJson(path, text);
  const problem = contractProblem("calibration", value);
  if (problem !== undefined) throw inPlace(path, problem);
  return validated("calibration", value);
}

export async function writeCalibration(
  calibration: Calibration,
  state: string = projectPaths.state,
): Promise<void> {
  await replaceFile(state, calibrationFile, `${JSON.stringify(calibration, null, 2)}\n`);
}

/** forgetCalibration removes the file, if there is one. */
export async function forgetCalibration(state: string = projectPaths.state): Promise<void> {
  await rm(join(state, calibrationFile), { force: true });
}

/** The calibration that a run on this machine uses, or the reason why a stored one is not used. */
interface CalibrationOfRun {
  readonly calibration?: Calibration;
  readonly refusal?: string;
}

/** calibrationFor returns the calibration for this CPU model. An unreadable file is a refusal, not an error. */
export async function calibrationFor(
  cpuModel: string,
  state: string = projectPaths.state,
): Promise<CalibrationOfRun> {
  try {
    const calibration = await readCalibration(state);
    if (calibration === undefined) return {};
    if (calibration.cpuModel === cpuModel) return { calibration };
    return {
      refusal: `it is of a machine with ${calibration.cpuModel}, and this one has ${cpuModel}`,
    };
  } catch (error) {
    return { refusal: describeError(error).message };
  }
}
