import { InvalidInput } from "../../lib/contract/errors.ts";

/** The parts of a list as it is typed: 128,512 */
export function listed(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}

/** As wholeNumber, of a list. */
export function wholeNumbers(field: string, text: string): readonly number[] {
  return listed(text).map((part) => wholeNumber(field, part));
}

/** Throws InvalidInput naming the field. */
export function decimalNumber(field: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidInput(field, text, "a number");
}

/** Throws InvalidInput naming the field. */
export function wholeNumber(field: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidInput(field, text, "whole numbers");
}
