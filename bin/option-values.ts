import { InvalidInput } from "../lib/contract/errors.ts";
import type { Limit, NetworkProfile } from "../lib/contract/types/contract.ts";
import { parseLimit } from "../lib/plan/limits.ts";
import { parsePercent } from "../lib/plan/stopping.ts";

/** How commander reads the text of an option; throws InvalidInput naming the option. */
type ValueParser<Value> = (text: string) => Value;

/** A list as it is typed: 128,512 */
export function listed(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}

export function wholeNumber(option: string, least = 0, most = Infinity): ValueParser<number> {
  return (text) => {
    const value = Number(text);
    const isWithin = value >= least && value <= most && Number.isSafeInteger(value);
    if (/^\d+$/.test(text) && isWithin) return value;
    const end = most === Infinity ? "" : ` to ${most}`;
    throw new InvalidInput(option, text, `a whole number from ${least}${end}`);
  };
}

function wholeNumbers(option: string): ValueParser<readonly number[]> {
  return (text) => {
    const parts = listed(text);
    const wrong = parts.find((part) => !/^\d{1,15}$/.test(part));
    if (wrong === undefined) return parts.map(Number);
    throw new InvalidInput(option, wrong, "whole numbers separated by commas");
  };
}

/** Sizes separated by commas. */
export function givenSizes(option: string): ValueParser<readonly number[]> {
  return (text) => {
    if (text !== "auto") return wholeNumbers(option)(text);
    throw new InvalidInput(option, text, "sizes in MB; auto works in kelvin measure alone");
  };
}

/** Sizes separated by commas, or the word that leaves their choice to the run. */
export function sizesOrAuto(option: string): ValueParser<readonly number[] | "auto"> {
  return (text) => (text === "auto" ? text : wholeNumbers(option)(text));
}

export function decimalNumber(option: string): ValueParser<number> {
  return (text) => {
    if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
    throw new InvalidInput(option, text, "a number");
  };
}

/** A share: 5% is 0.05. */
export function percent(option: string): ValueParser<number> {
  return (text) => parsePercent(option, text);
}

/** One limit more, of an option that may be repeated. */
export function limits(text: string, before: readonly Limit[] = []): readonly Limit[] {
  return [...before, parseLimit(text)];
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A moment, ms since 1970: so long ago (30m, 12h, 7d, 2w), or ISO 8601 (a time without a zone is UTC). */
export function since(text: string): number {
  const [, amount, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined)
    return Date.now() - Number(amount) * unitsMs[unit as keyof typeof unitsMs];
  const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const hasZone = !text.includes("T") || /(Z|[+-]\d\d:\d\d)$/.test(text);
  const timeMs = isIso ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN;
  if (timeMs <= Date.now()) return timeMs;
  throw new InvalidInput(
    "since",
    text,
    "30m, 12h, 7d or 2w ago, or a past time: 2026-01-05T10:00Z",
  );
}

const networks =
  "DELAY, DELAY,JITTER or DELAY,JITTER,CONNECTION, each at most 1000 ms and the jitter at most the delay, for example 15,3; 0 is bare loopback";

/** What a request takes on its way, and opening a connection: DELAY, DELAY,JITTER or DELAY,JITTER,CONNECTION. */
export function network(text: string): NetworkProfile {
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
  throw new InvalidInput("network", text, networks);
}
