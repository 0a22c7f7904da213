import type { Calibration, Machine } from "../../lib/contract/types/contract.ts";
import { calibrationFor } from "../../lib/local/calibration-file.ts";
import { calibrationName } from "../../lib/report/calibration-text.ts";
import type { Progress } from "../progress.ts";

/** Returns the calibration for a run on this machine, and prints which one, or why a stored one is not used. */
export async function calibrationInUse(
  { cpuModel }: Pick<Machine, "cpuModel">,
  progress: Progress,
): Promise<Calibration | undefined> {
  const { calibration, refusal } = await calibrationFor(cpuModel);
  if (refusal !== undefined) progress.say(`the stored calibration is not used: ${refusal}`);
  if (calibration !== undefined) progress.say(`calibrated with ${calibrationName(calibration)}`);
  return calibration;
}
