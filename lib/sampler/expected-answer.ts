import { isObject, parseJson } from "../contract/lines.ts";
import type { ExpectedAnswer } from "../contract/types/contract.ts";

/**
 * Returns the first difference between the answer of a user's function and the expected one, such as `body.count:
 * found 3; expected 4`; undefined if there is none.
 */
export function wrongAnswer(answer: unknown, expected: ExpectedAnswer = {}): string | undefined {
  const { statusCode } = expected;
  const found = readField(answer, "statusCode");
  if (statusCode !== undefined && found !== statusCode) {
    return difference("statusCode", found, statusCode);
  }
  return Object.hasOwn(expected, "subset")
    ? findDifference(answer, expected.subset, "")
    : undefined;
}

function findDifference(found: unknown, expected: unknown, place: string): string | undefined {
  if (!isObject(expected)) {
    return isSame(found, expected) ? undefined : difference(place, found, expected);
  }
  const read = place === "body" && typeof found === "string" ? parseJson(found) : found;
  if (!isObject(read)) return difference(place, found, expected);
  for (const [field, value] of Object.entries(expected)) {
    const inside = place === "" ? field : `${place}.${field}`;
    const below = findDifference(readField(read, field), value, inside);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** Compares objects without regard to the order of their fields; the order of an array's items counts. */
function isSame(found: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) return false;
    return expected.every((item, index) => isSame(found[index], item));
  }
  if (!isObject(expected)) return found === expected;
  if (!isObject(found)) return false;
  const fields = Object.keys(expected);
  return (
    Object.keys(found).length === fields.length &&
    fields.every((field) => Object.hasOwn(found, field) && isSame(found[field], expected[field]))
  );
}

function difference(place: string, found: unknown, expected: unknown): string {
  const where = place === "" ? "the answer" : place;
  return `${where}: found ${shown(found)}; expected ${shown(expected)}`;
}

const longestShown = 200;

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text;
}

function readField(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
