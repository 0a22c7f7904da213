import { InvalidInput } from "../lib/contract/errors.ts";
import type { NetworkProfile } from "../lib/contract/types/contract.ts";
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

export function wholeNumbers(option: string): ValueParser<readonly number[]> {
  return (text) => {
    const parts = listed(text);
    const wrong = parts.find((part) => !/^\d{1,15}$/.test(part));
    if (wrong === undefined) return parts.map(Number);
    throw new InvalidInput(option, wrong, "whole numbers, with commas between them");
  };
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

const networks =
  "DELAY or DELAY,JITTER in ms, whole numbers to 1000, the jitter no larger: 15,3; 0 is loopback alone";

/** What a request takes on its way: DELAY or DELAY,JITTER. */
export function network(text: string): NetworkProfile {
  const [, delay, jitter = "0"] = /^(\d{1,4})(?:,(\d{1,4}))?$/.exec(text) ?? [];
  const [delayMs, jitterMs] = [Number(delay), Number(jitter)];
  if (delayMs <= 1000 && jitterMs <= delayMs) return { delayMs, jitterMs };
  throw new InvalidInput("network", text, networks);
}
