import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidInput } from "../../../lib/contract/errors.ts";
import type { MicroBenchmarks } from "../types/contract.ts";

type MicroCall = MicroBenchmarks["calls"][number];

/** The fields read from criterion's estimates.json; times in ns. */
interface Estimates {
  readonly median?: {
    readonly point_estimate: number;
    readonly confidence_interval: {
      readonly confidence_level: number;
      readonly lower_bound: number;
      readonly upper_bound: number;
    };
  };
}

/** Reads the calls of one group in criterion's folder, in the order of `calls`; throws if one has no estimates. */
export function readEstimates(
  criterionFolder: string,
  group: string,
  calls: readonly string[],
): readonly MicroCall[] {
  const folder = join(criterionFolder, group);
  const found = readdirSync(folder);
  return calls.map((call) => {
    if (!found.includes(call)) throw new InvalidInput(call, found, "estimates of this call");
    const path = join(folder, call, "new", "estimates.json");
    return estimateOf(call, readFileSync(path, "utf8"));
  });
}

/** Reads a call's median and its interval from criterion's text. Throws InvalidInput if there is no median. */
export function estimateOf(call: string, text: string): MicroCall {
  const { median } = JSON.parse(text) as Estimates;
  if (median === undefined) throw new InvalidInput(`${call}.median`, undefined, "an estimate");
  const { confidence_level, lower_bound, upper_bound } = median.confidence_interval;
  return {
    call,
    medianNs: median.point_estimate,
    lowNs: lower_bound,
    highNs: upper_bound,
    confidence: confidence_level,
  };
}
