import { InvalidInput } from "./errors.ts";

/** A share as it is typed: `5%` is 0.05. Throws InvalidInput naming the field on anything else. */
export function shareOf(field: string, value: unknown): number {
  const [, number] = (typeof value === "string" && /^(\d+(?:\.\d+)?)\s*%$/.exec(value)) || [];
  const share = Number(number) / 100;
  if (share > 0 && share < 1) return share;
  throw new InvalidInput(field, value, 'a share above 0 % and below 100 %, for example "5%"');
}
