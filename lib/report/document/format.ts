import type { Interval } from "../../analysis/billed-cost.ts";
import type { MetricName } from "../../analysis/collected-series.ts";
import type { Compared } from "../../analysis/series-ratio.ts";
import type { Measure, Tail } from "../../analysis/series-view.ts";

/** Returns `12.3 [11.9, 12.8]`: the mean with its 95% CI, all at the mean's precision. */
export function measureText(measure: Pick<Measure, "mean" | "low" | "high"> | undefined): string {
  if (measure?.mean === undefined) return missing;
  const { mean, low, high } = measure;
  return low === undefined || high === undefined ? number(mean) : withInterval(mean, low, high);
}

/** Returns `12.1 [11.9, 12.4]`: the median with its interval, formatted like measureText. */
export function medianText(
  measure: Pick<Measure, "median" | "medianInterval"> | undefined,
): string {
  if (measure?.median === undefined) return missing;
  const { median, medianInterval } = measure;
  return medianInterval === undefined
    ? number(median)
    : withInterval(median, medianInterval.low, medianInterval.high);
}

/** Like measureText, but for megabytes: whole numbers, as Lambda reports them, stay whole. */
export function megabytesText(measure: Measure | undefined): string {
  if (measure?.mean === undefined) return missing;
  const { mean, low = mean, high = mean } = measure;
  const decimals = [mean, low, high].every(Number.isInteger) ? 0 : 1;
  return measure.low === undefined
    ? number(mean, decimals)
    : withInterval(mean, low, high, decimals);
}

/** Returns `170 in 10`, calls in environments, or only `30` if each environment gave one call. */
export function sizeText(
  measure: Measure | undefined,
  environments = measure?.environments,
): string {
  if (measure === undefined || environments === undefined) return missing;
  return measure.n === environments
    ? count(measure.n)
    : `${count(measure.n)} in ${count(environments)}`;
}

/** Returns `27.1 [25.0, 30.2]`: a percentile with its interval. A bound above the longest call is missing. */
export function tailText(tail: Tail | undefined): string {
  if (tail?.value !== undefined) {
    const { value, low, high } = tail;
    if (low === undefined) return number(value);
    const decimals = decimalsFor(value);
    return `${number(value, decimals)} [${number(low, decimals)}, ${number(high, decimals)}]`;
  }
  if (tail === undefined || tail.n === 0) return missing;
  return insufficient(tail.n, tail.needed);
}

export function insufficient(n: number, needed: number | undefined): string {
  return `insufficient (${count(n)} of ${needed === undefined ? missing : count(needed)})`;
}

/** Returns `4.71 [4.52, 4.90]`, or why there is no ratio. */
export function ratioText(comparison: Compared | undefined, decimals?: number): string {
  if (comparison === undefined) return missing;
  const { ratio, low, high, environments, baselineEnvironments, environmentsNeeded } = comparison;
  if (ratio !== undefined && low !== undefined && high !== undefined) {
    return withInterval(ratio, low, high, decimals ?? ratioDecimals(ratio));
  }
  const fewest = Math.min(environments, baselineEnvironments);
  if (fewest === 0) return missing;
  return environmentsNeeded === undefined
    ? "no ratio: a mean is 0"
    : insufficient(fewest, environmentsNeeded);
}

/** The one word for each verdict. Data keep their keys. */
export const verdictWords = {
  slower: "slower",
  faster: "faster",
  equivalent: "the same",
  undecided: "undecided",
} as const satisfies Record<Compared["verdict"], string>;

/** Returns the verdict on the variant's time against the baseline's, or why it is undecided. */
export function verdictText(comparison: Compared | undefined): string {
  if (comparison === undefined) return missing;
  if (comparison.verdict !== "undecided") return verdictWords[comparison.verdict];
  switch (comparison.undecidedReason) {
    case "inside-noise-floor":
      return "within A/A noise";
    case "within-cpu-period":
      return "within one CPU period";
    case "too-few":
      return "undecided (too few)";
    case "few-calls":
      return "undecided (a few calls)";
    case "one-of-many":
      return `not significant after correction`;
    case "differs":
      return "undecided (differs)";
    default:
      return verdictWords.undecided;
  }
}

/** Two decimals distinguish 1% around a ratio of 1. */
function ratioDecimals(ratio: number): number {
  return ratio < 0.0995 ? 3 : Math.min(2, decimalsFor(ratio));
}

/** Returns `0.284 [0.270, 0.301]`: USD per million, with three decimals below ten dollars. */
export function dollarsText(value: number | undefined, interval?: Interval): string {
  if (value === undefined) return missing;
  const decimals = value >= 9.9995 ? 2 : 3;
  return interval === undefined
    ? number(value, decimals)
    : withInterval(value, interval.low, interval.high, decimals);
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

/** Why nothing is said of a size below one vCPU, where no control group can be written. */
export const unlimitedText = "this machine does not limit sizes below 1,769 MB";

/** Placeholder for a value that was not measured. Such a value is never printed as 0. */
export const missing = "–";

/** Returns the number of decimals, at most three, that gives three significant digits. */
export function decimalsFor(value: number): number {
  const size = Math.abs(value);
  if (size >= 99.95) return 0;
  if (size >= 9.995) return 1;
  return size >= 0.9995 ? 2 : 3;
}

/**
 * Returns three significant digits, and whole numbers above 100; `missing` for undefined. Digits are not grouped, so
 * that the only comma in an interval is the one between its bounds.
 */
export function number(value: number | undefined, decimals?: number): string {
  if (value === undefined || !Number.isFinite(value)) return missing;
  return value.toFixed(decimals ?? decimalsFor(value));
}

/** Returns `0.45 to 1.3`: a range with two significant digits, rounded outwards so that it does not claim too much. */
export function spanOfRange(range: Range): string {
  const { low, high } = outwardRange(range);
  return `${rangeEnd(low)} to ${rangeEnd(high)}`;
}

/** Returns `0.45–1.3`, for a table cell. */
export function shortSpan(range: Range): string {
  const { low, high } = outwardRange(range);
  return `${rangeEnd(low)}–${rangeEnd(high)}`;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the range as printed, with two significant digits. If rounding would make a range that excludes 1 reach 1,
 * it gets more digits: the sentence about a ratio says on which side of 1 it lies.
 */
function outwardRange({ low, high }: Range): Range {
  return {
    low: outwardEnd(low, Math.floor, (end) => low > 1 === end > 1),
    high: outwardEnd(high, Math.ceil, (end) => high < 1 === end < 1),
  };
}

const mostDigits = 12;

function outwardEnd(
  value: number,
  round: (value: number) => number,
  isOnSameSide: (end: number) => boolean,
): number {
  for (let digits = 2; digits < mostDigits; digits += 1) {
    const end = rounded(value, round, digits);
    if (isOnSameSide(end)) return end;
  }
  return value;
}

function rounded(value: number, round: (value: number) => number, digits: number): number {
  const step = 10 ** (Math.floor(Math.log10(value)) + 1 - digits);
  return Number((round(Number((value / step).toPrecision(14))) * step).toPrecision(12));
}

function rangeEnd(rounded: number): string {
  return rounded >= 100 ? count(rounded) : String(rounded);
}

/** Returns `1,081`, for figures without an interval: three significant digits, and whole numbers grouped. */
export function groupedNumber(value: number | undefined): string {
  return value !== undefined && value >= 999.5 && Number.isFinite(value)
    ? count(value)
    : number(value);
}

/** Returns `$0.21`. An expected bill is not a comparison: two significant digits are enough. */
export function usdText(usd: number): string {
  const rounded = Number(usd.toPrecision(2));
  return `$${rounded >= 0.1 && rounded < 10 ? rounded.toFixed(2) : String(rounded)}`;
}

/** Returns a whole number with its digits grouped by three, independent of the locale. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

const longestMessage = 300;

/** Cuts external text to one line. An error may hold a whole stack trace; the data has all of it. */
export function truncate(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line === "") return missing;
  return line.length > longestMessage ? `${line.slice(0, longestMessage)} …` : line;
}

/** Returns `KeyError: 'id'`, because a message alone may mean little. Omits `Error`, or a type already in the message. */
export function failureText({
  type,
  message,
}: {
  readonly type: string;
  readonly message: string;
}) {
  const isIncluded = type === "Error" || type === "" || message.includes(type);
  return truncate(isIncluded ? message : `${type}: ${message}`);
}

export function percent(share: number, decimals = 0): string {
  return `${(share * 100).toFixed(decimals)}%`;
}

/**
 * Returns `1%`, `12.5%` or `0.25%`: a share with three significant digits, without zeros at the end. A share that was
 * chosen, such as a margin, is printed as it was given.
 */
export function shareText(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}

const names: Readonly<Record<string, string>> = {
  initDurationMs: "Init",
  durationMs: "Duration",
  initAndDurationMs: "Init + first Duration",
  billedDurationMs: "Billed Duration",
  sdkCallMs: "SDK call",
  firstByteMs: "Time to first byte",
  initCpuMs: "CPU time of Init",
  invocationCpuMs: "CPU time of the invocation",
};

/** Returns a quantity's name for readers. */
export function metricName(quantity: MetricName): string {
  return names[quantity] ?? quantity;
}
