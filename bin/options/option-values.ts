import { InvalidInput } from "../../lib/contract/errors.ts";
import type { Limit, NetworkProfile } from "../../lib/contract/types/contract.ts";
import { isStackName } from "../../lib/plan/deployment.ts";
import { parseLimit } from "../../lib/plan/limits.ts";
import { memoryLimitsMb } from "../../lib/plan/matrix.ts";
import { parsePercent } from "../../lib/plan/stopping.ts";

/** Parses the text of an option for commander; throws InvalidInput naming the option. */
type ValueParser<Value> = (text: string) => Value;

/** Parses a comma-separated list: 128,512 */
export function parseList(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}

export function wholeNumber(option: string, least = 0, most = Infinity): ValueParser<number> {
  return (text) => {
    const value = Number(text);
    const isWithin = value >= least && value <= most && Number.isSafeInteger(value);
    if (/^\d+$/.test(text) && isWithin) return value;
    const allowed = `a whole number from ${least}${most === Infinity ? "" : ` to ${most}`}`;
    throw new InvalidInput(option, text, allowed, `--${option} takes ${allowed}, not ${text}`);
  };
}

/** Parses memory sizes separated by commas, each with or without its unit: 256,1024MB. */
export function parseSizes(text: string): readonly number[] {
  if (text === "auto") {
    const message = "--memory auto works in kelvin measure alone; name sizes here: 128,512";
    throw new InvalidInput("memory", text, "sizes in MB", message);
  }
  return parseList(text).map((part) => memorySize(part, text));
}

function memorySize(part: string, text: string): number {
  const [, digits] = /^(\d{1,15}) ?(?:MB|MiB|M)?$/i.exec(part) ?? [];
  const size = Number(digits);
  if (size >= memoryLimitsMb.smallest && size <= memoryLimitsMb.largest) return size;
  const allowed = `sizes from ${memoryLimitsMb.smallest} to ${memoryLimitsMb.largest} MB, separated by commas`;
  throw new InvalidInput("memory", part, allowed, wrongSizeText(part, text, digits));
}

function wrongSizeText(part: string, text: string, digits: string | undefined): string {
  if (digits !== undefined) {
    const isBelow = Number(digits) < memoryLimitsMb.smallest;
    const bound = isBelow
      ? `below Lambda's minimum of ${memoryLimitsMb.smallest} MB`
      : `above Lambda's maximum of ${memoryLimitsMb.largest} MB`;
    return `--memory: ${Number(digits)} MB is ${bound}`;
  }
  const numbers = text.match(/\d+/g) ?? [];
  const isList = numbers.length > 1 && /^[\d\s;:/|,]+$/.test(text);
  if (isList) return `--memory: sizes take commas: ${numbers.join(",")}`;
  return `--memory takes sizes in MB, such as 128,512; found ${JSON.stringify(part)}`;
}

/** Parses memory sizes separated by commas, or `auto`, which leaves the choice to the run. */
export function parseSizesOrAuto(text: string): readonly number[] | "auto" {
  return text === "auto" ? text : parseSizes(text);
}

export function decimalNumber(option: string): ValueParser<number> {
  return (text) => {
    if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
    throw new InvalidInput(option, text, "a number", `--${option} takes a number, not ${text}`);
  };
}

/** Parses a stack's name. */
export function parseStackOption(text: string): string {
  if (isStackName(text)) return text;
  const allowed = "letters, digits and hyphens, a letter first";
  throw new InvalidInput(
    "stack",
    text,
    allowed,
    `--stack takes ${allowed}, not ${JSON.stringify(text)}`,
  );
}

/** Adds CDK context of these names in the CDK's form, `-c NAME=VALUE`, to the words before it. */
export function addContext(...names: readonly string[]) {
  return (text: string, before: readonly string[] = []): readonly string[] => {
    if (names.some((name) => text.startsWith(`${name}=`))) return [...before, "-c", text];
    const allowed = names.map((name) => `${name}=VALUE`).join(", ");
    throw new InvalidInput("context", text, `${allowed}; kelvin deploy takes the other keys`);
  };
}

/** Parses a percentage: 5% is 0.05. */
export function percent(option: string): ValueParser<number> {
  return (text) => parsePercent(option, text, `--${option}`);
}

/** Adds one limit, for an option that may be repeated. */
export function addLimit(text: string, before: readonly Limit[] = []): readonly Limit[] {
  return [...before, parseLimitOption(text)];
}

function parseLimitOption(text: string): Limit {
  try {
    return parseLimit(text);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const message = `--limit takes a limit such as 'cold.p95 < 800 ms' or 'memory < 128 MB', not '${text}'`;
    throw new InvalidInput(error.field, text, error.allowed, message);
  }
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Parses a time, ms since 1970: an age (30m, 12h, 7d, 2w), or ISO 8601 (a time without a zone is UTC). */
export function parseSince(text: string): number {
  const [, amount, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined)
    return Date.now() - Number(amount) * unitsMs[unit as keyof typeof unitsMs];
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const hasZone = !text.includes("T") || /(Z|[+-]\d\d:\d\d)$/.test(text);
  const timeMs = isIso ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN;
  if (timeMs <= Date.now()) return timeMs;
  const allowed = "30m, 12h, 7d or 2w ago, or a past time: 2026-01-05T10:00Z";
  throw new InvalidInput("since", text, allowed, `--since takes ${allowed}; found ${text}`);
}

const networks =
  "DELAY, DELAY,JITTER or DELAY,JITTER,CONNECTION, each at most 1000 ms and the jitter at most the delay, for example 15,3; 0 is bare loopback";

/** Parses a request's delay and a new connection's, ms: DELAY, DELAY,JITTER or DELAY,JITTER,CONNECTION. */
export function parseNetwork(text: string): NetworkProfile {
  const number = "(\\d{1,4}(?:\\.\\d{1,3})?)";
  const form = new RegExp(`^${number}(?:,${number}(?:,${number})?)?$`);
  const [, delay, jitter = "0", connect] = form.exec(text) ?? [];
  const profile = {
    delayMs: Number(delay),
    jitterMs: Number(jitter),
    ...(connect !== undefined && { connectMs: Number(connect) }),
  };
  const { delayMs, jitterMs, connectMs = 0 } = profile;
  if (delayMs <= 1000 && jitterMs <= delayMs && connectMs <= 1000) return profile;
  const message = `--network takes milliseconds, such as 1.5, or 15,3 for a delay and its jitter; found ${JSON.stringify(text)}`;
  throw new InvalidInput("network", text, networks, message);
}
