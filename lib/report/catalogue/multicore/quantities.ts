import type { Sample } from "../../../contract/types/contract.ts";
import { isMeasured, type Measured, measured, type OwnQuantity } from "../../collect/quantities.ts";
import { fieldOf } from "../../collect/result-fields.ts";

/** The operation that the experiment is about. */
export const work = "hash";

export const threadsUsed: OwnQuantity = "own.threadsUsed";
/** Of CPU time, whoever spent it: what a core does, however many there were. */
export const hashesPerCpuSecond: OwnQuantity = "own.hashesPerCpuSecond";
export const memoryUsedKb: OwnQuantity = "own.memoryUsedKb";

export const multicoreQuantities: readonly OwnQuantity[] = [
  threadsUsed,
  hashesPerCpuSecond,
  memoryUsedKb,
];

export function multicoreQuantitiesOf({ result, cpu }: Sample): Measured {
  const processed = fieldOf(result, "processed");
  const cpuMs = cpu?.invocationCpuMs ?? 0;
  const perCpuSecond = isMeasured(processed) && cpuMs > 0 ? processed / (cpuMs / 1000) : undefined;
  return measured({
    [threadsUsed]: fieldOf(result, "threadsUsed"),
    [hashesPerCpuSecond]: perCpuSecond,
    [memoryUsedKb]: fieldOf(result, "memoryUsedKb"),
  });
}
