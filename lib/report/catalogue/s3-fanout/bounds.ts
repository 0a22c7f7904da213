import { cpuCredit } from "../../../contract/cpu-credit.ts";
import type { Cell, Plan } from "../../../contract/types/contract.ts";
import { median } from "../../../statistics/quantile.ts";
import { mediansOf } from "../../../statistics/series.ts";
import type { CollectedSeries } from "../../collect/collected-series.ts";
import type { QuantityName } from "../../collect/quantities.ts";
import { concurrency, poolSize } from "./quantities.ts";

/** Objects that are asked for, a call each. */
const objects = 100;

/** What a fan-out cannot be quicker than, ms. Absent: the run does not know it. */
export interface Bounds {
  /** Calls that the variant lets go at the same time. */
  readonly atOnce?: number;
  /** Rounds of the network's delay: of the calls alone, the listing left out. */
  readonly waitingMs?: number;
  /** CPU time of an invocation. */
  readonly cpuMs?: number;
  /** That time at the size's share of a CPU. */
  readonly processorMs?: number;
}

export function boundsOf(
  plan: Plan | Omit<Plan, "blocks">,
  cell: Cell,
  of: CollectedSeries,
): Bounds {
  const atOnce = callsAtOnce(cell, of);
  const cpuMs = medianOf(of, "invocationCpuMs");
  const { network } = plan;
  return {
    ...(atOnce !== undefined && { atOnce }),
    ...(atOnce !== undefined &&
      network !== undefined && { waitingMs: Math.ceil(objects / atOnce) * network.delayMs }),
    ...(cpuMs !== undefined && { cpuMs, processorMs: cpuMs / usableCpus(cell) }),
  };
}

/** aiohttp's pool holds a call back until a connection is free; boto3 makes one more connection instead. */
function callsAtOnce({ variant }: Cell, of: CollectedSeries): number | undefined {
  const allowed = medianOf(of, concurrency);
  const pool = variant === "python-aioboto3" ? medianOf(of, poolSize) : undefined;
  if (allowed === undefined) return undefined;
  return Math.min(allowed, pool ?? allowed);
}

/** Python runs on one CPU at a time, whatever its threads. */
function usableCpus({ runtime, memoryMb }: Cell): number {
  const credit = cpuCredit(memoryMb);
  return runtime.startsWith("python") ? Math.min(1, credit) : credit;
}

function medianOf(of: CollectedSeries, quantity: QuantityName): number | undefined {
  const medians = mediansOf(of.series(quantity));
  return medians.length === 0 ? undefined : median(medians);
}
