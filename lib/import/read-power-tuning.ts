import { InvalidInput } from "../contract/errors.ts";
import { isObject, parseJson } from "../contract/lines.ts";
import type { ReadSource, SizeAverage, SourceText } from "./source.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns the object that Power Tuning returned; undefined if the text is not such JSON. */
export function powerTuningOutput(text: string): Fields | undefined {
  const whole = jsonObject(text);
  // The output is text in what `aws stepfunctions describe-execution` prints.
  const output = typeof whole?.output === "string" ? jsonObject(whole.output) : whole;
  const results = output?.results ?? output;
  return isObject(results) && "power" in results ? results : undefined;
}

function jsonObject(text: string): Fields | undefined {
  const value = /^\s*\{/.test(text) ? parseJson(text) : undefined;
  return isObject(value) ? value : undefined;
}

/**
 * Reads the averages of AWS Lambda Power Tuning, one per memory size. They come from `stats` if the execution
 * requested it (includeOutputResults); else from the visualization's URL; else only from the best size. They are means
 * of invocations that the output does not contain, so they are not samples.
 * https://github.com/alexcasalboni/aws-lambda-power-tuning/blob/master/README-INPUT-OUTPUT.md
 */
export function readPowerTuning({ name, text }: SourceText): ReadSource {
  const results = powerTuningOutput(text);
  if (results === undefined) {
    const allowed =
      "the output of AWS Lambda Power Tuning, a JSON object with power, cost and duration";
    throw new InvalidInput(name, text.slice(0, 60), allowed);
  }
  const averages = readAverages(name, results);
  const unknown = { functionNames: [], regions: [], runtimeVersions: [] };
  const none = { invocations: [], notTaken: new Map<string, number>(), warnings: [] };
  return { name, format: "power-tuning", read: averages.length, averages, ...unknown, ...none };
}

function readAverages(name: string, results: Fields): readonly SizeAverage[] {
  const { stats, stateMachine } = results;
  if (Array.isArray(stats) && stats.length > 0) {
    return stats.map((stat: unknown, index) =>
      average(`${name} stats.${index}`, Object(stat) as Fields, statNames),
    );
  }
  const address = isObject(stateMachine) ? stateMachine.visualization : undefined;
  return typeof address === "string" && address.includes("#")
    ? visualized(`${name} stateMachine.visualization`, address)
    : [average(name, results, bestNames)];
}

const statNames = { memoryMb: "value", durationMs: "averageDuration", costUsd: "averagePrice" };
const bestNames = { memoryMb: "power", durationMs: "duration", costUsd: "cost" };

function average(place: string, from: Fields, names: typeof statNames): SizeAverage {
  const amount = (name: string) => {
    const found = from[name];
    const value = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
    return requireAmount(`${place}.${name}`, found, value);
  };
  const sized = { memoryMb: amount(names.memoryMb), durationMs: amount(names.durationMs) };
  return from[names.costUsd] === undefined ? sized : { ...sized, costUsd: amount(names.costUsd) };
}

/** Upper bound, far above any time in ms, size or cost. */
const largestAmount = 1e9;

function requireAmount(place: string, found: unknown, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= largestAmount) return value;
  throw new InvalidInput(place, found, `a number from 0 to ${largestAmount}`);
}

/** Decodes the address's sizes as 16-bit integers and its times and costs as 32-bit floats, little-endian, in base64. */
function visualized(field: string, address: string): readonly SizeAverage[] {
  const parts = address.slice(address.indexOf("#") + 1).split(";");
  const [sizes, times, costs] = parts.map((part) => Buffer.from(part, "base64"));
  const n = (sizes?.length ?? 0) / 2;
  const isWhole = n > 0 && times?.length === 4 * n && costs?.length === 4 * n;
  if (!isWhole || parts.length !== 3 || sizes === undefined) {
    throw new InvalidInput(field, address, "an address with # and three lists of equal length");
  }
  // Further digits than those of 32 bits come from the conversion to 64 bits.
  const amount = (list: Buffer, index: number) => {
    const value = Number(list.readFloatLE(4 * index).toPrecision(7));
    return requireAmount(field, value, value);
  };
  return Array.from({ length: n }, (_, index) => ({
    memoryMb: sizes.readUInt16LE(2 * index),
    durationMs: amount(times, index),
    costUsd: amount(costs, index),
  }));
}
