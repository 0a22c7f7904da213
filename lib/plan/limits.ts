import { InvalidInput } from "../contract/errors.ts";
import type { Limit } from "../contract/types/contract.ts";

const allowed =
  "cold, second or warm with mean, median, p95 or p99, in ms or s, or memory or package in MB: 'cold.p95 < 800 ms', 'memory < 128 MB'";

const ofTimes = /^(cold|second|warm)\.(mean|median|p95|p99)\s*<\s*(\d+(?:\.\d+)?)\s*(ms|s)$/i;
const ofSizes = /^(memory|package)\s*<\s*(\d+(?:\.\d+)?)\s*MB$/i;

/** Parses a limit such as `cold.p95 < 800 ms`. Throws InvalidInput on anything else. */
export function parseLimit(text: string): Limit {
  const typed = text.trim();
  const [, quantity = "", statistic = "", time, unit = ""] = ofTimes.exec(typed) ?? [];
  const [, other = "", size] = ofSizes.exec(typed) ?? [];
  const below =
    time === undefined ? Number(size) : Number(time) * (unit.toLowerCase() === "s" ? 1000 : 1);
  if (!(below > 0)) throw new InvalidInput("limit", text, allowed);
  return time === undefined
    ? { quantity: other.toLowerCase() as Limit["quantity"], below }
    : {
        quantity: quantity.toLowerCase() as Limit["quantity"],
        statistic: statistic.toLowerCase() as NonNullable<Limit["statistic"]>,
        below,
      };
}

/** formatLimit returns the limit in the format that parseLimit reads. */
export function formatLimit({ quantity, statistic, below }: Limit): string {
  return statistic === undefined
    ? `${quantity} < ${below} MB`
    : `${quantity}.${statistic} < ${below} ms`;
}
