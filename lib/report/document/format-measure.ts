import type { Compared } from "../view/compared.ts";
import type { Measure, Tail } from "../view/measure.ts";
import { count, decimalsFor, missing, number } from "./format-number.ts";

/** `12.3 [11.9, 12.8]`, all at the median's precision. */
export function measureText(measure: Measure | undefined): string {
  if (measure?.median === undefined) return missing;
  const { median, low, high } = measure;
  if (low === undefined || high === undefined) return number(median);
  return withInterval(median, low, high);
}

/** As measureText, of megabytes: whole numbers, as Lambda gives them, stay whole. */
export function megabytesText(measure: Measure | undefined): string {
  if (measure?.median === undefined) return missing;
  const { median, low = median, high = median } = measure;
  const decimals = [median, low, high].every(Number.isInteger) ? 0 : 1;
  return measure.low === undefined
    ? number(median, decimals)
    : withInterval(median, low, high, decimals);
}

/** The median alone. */
export function medianText(measure: Measure | undefined): string {
  return number(measure?.median);
}

/** `170 in 10`: calls in environments; `30` where each environment gives one. */
export function sizeText(
  measure: Measure | undefined,
  environments = measure?.environments,
): string {
  if (measure === undefined || environments === undefined) return missing;
  return measure.n === environments
    ? count(measure.n)
    : `${count(measure.n)} in ${count(environments)}`;
}

export function tailText(tail: Tail): string {
  if (tail.value !== undefined) return number(tail.value);
  if (tail.n === 0) return missing;
  return insufficient(tail.n, tail.needed);
}

export function insufficient(n: number, needed: number | undefined): string {
  return `insufficient (${count(n)} of ${needed === undefined ? missing : count(needed)})`;
}

/** `4.71 [4.52, 4.90]`, or why there is none. */
export function ratioText(comparison: Compared | undefined, decimals?: number): string {
  if (comparison === undefined) return missing;
  const { ratio, low, high, environments, baselineEnvironments, environmentsNeeded } = comparison;
  if (ratio !== undefined && low !== undefined && high !== undefined) {
    return withInterval(ratio, low, high, decimals ?? ratioDecimals(ratio));
  }
  const fewest = Math.min(environments, baselineEnvironments);
  if (fewest === 0) return missing;
  return environmentsNeeded === undefined
    ? "no ratio: a median is 0"
    : insufficient(fewest, environmentsNeeded);
}

/** What may be said of the variant's time against the baseline's. */
export function verdictText(comparison: Compared | undefined): string {
  if (comparison === undefined) return missing;
  if (comparison.verdict !== "undecided") return comparison.verdict;
  switch (comparison.undecidedReason) {
    case "inside-noise-floor":
      return "undecided (inside the noise floor)";
    case "too-few":
      return "undecided (too few)";
    case "one-of-many":
      return "undecided (one of many)";
    case "differs":
      return "undecided (differs)";
    default:
      return "undecided";
  }
}

/** Two decimals tell a percent around 1. */
function ratioDecimals(ratio: number): number {
  return ratio < 0.0995 ? 3 : Math.min(2, decimalsFor(ratio));
}

function withInterval(
  value: number,
  low: number,
  high: number,
  decimals = decimalsFor(value),
): string {
  const at = (bound: number) => number(bound, decimals);
  return `${at(value)} [${at(low)}, ${at(high)}]`;
}
