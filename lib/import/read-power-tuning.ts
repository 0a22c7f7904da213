import { InvalidInput } from "../contract/errors.ts";
import { isObject, parseJson } from "../contract/lines.ts";
import { type ReadSource, type SizeAverage, type SourceText, Tally } from "./source.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns the object that Power Tuning returned; undefined if the text is not such JSON. */
export function powerTuningOutput(text: string): Fields | undefined {
  const whole = jsonObject(text);
  // The output is text in `aws stepfunctions describe-execution` and `get-execution-history`.
  const given = whole?.output ?? outputOfHistory(whole);
  const output = typeof given === "string" ? jsonObject(given) : whole;
  const results = output?.results ?? output;
  return isObject(results) && "power" in results ? results : undefined;
}

/** https://docs.aws.amazon.com/step-functions/latest/apireference/API_HistoryEvent.html */
function outputOfHistory(whole: Fields | undefined): unknown {
  const events: readonly unknown[] = Array.isArray(whole?.events) ? whole.events : [];
  return events
    .map((event) => Object(Object(event).executionSucceededEventDetails).output)
    .find((output) => typeof output === "string");
}

/**
 * Reads the averages of AWS Lambda Power Tuning, one per memory size. They come from `stats` if the execution
 * requested it (includeOutputResults); else from the visualization's URL, which encodes sizes as 16-bit integers and
 * times and costs as 32-bit floats, little-endian, in base64; else only from the best size. They are means of
 * invocations that the output does not contain, so they are not samples.
 * https://github.com/alexcasalboni/aws-lambda-power-tuning/blob/master/README-INPUT-OUTPUT.md
 */
export function readPowerTuning(source: SourceText): ReadSource {
  const results = powerTuningOutput(source.text);
  if (results === undefined) {
    throw new InvalidInput(
      source.name,
      source.text.slice(0, 60),
      "the output of AWS Lambda Power Tuning, a JSON object with power, cost and duration",
    );
  }
  const averages = readAverages(source, results);
  return {
    name: source.name,
    format: "power-tuning",
    read: averages.length,
    invocations: [],
    averages,
    notTaken: new Tally().counts,
    functionNames: [],
    regions: [],
    runtimeVersions: [],
    warnings: [],
  };
}

function readAverages(source: SourceText, results: Fields): readonly SizeAverage[] {
  const { stats, stateMachine } = results;
  if (Array.isArray(stats) && stats.length > 0) {
    return stats.map((stat: unknown, index) =>
      average(`${source.name} stats.${index}`, Object(stat) as Fields, statNames),
    );
  }
  const address = isObject(stateMachine) ? stateMachine.visualization : undefined;
  return typeof address === "string" && address.includes("#")
    ? visualized(source, address)
    : [average(source.name, results, bestNames)];
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

function visualized({ name }: SourceText, address: string): readonly SizeAverage[] {
  const field = `${name} stateMachine.visualization`;
  const parts = address.slice(address.indexOf("#") + 1).split(";");
  const [sizes, times, costs] = parts.map((part) => decoded(field, part));
  const n = (sizes?.byteLength ?? 0) / 2;
  const isWhole = n > 0 && Number.isInteger(n);
  if (
    !isWhole ||
    times?.byteLength !== 4 * n ||
    costs?.byteLength !== 4 * n ||
    parts.length !== 3
  ) {
    throw new InvalidInput(field, address, "an address with # and three lists of equal length");
  }
  const amount = (list: DataView, index: number) => {
    const value = singlePrecision(list.getFloat32(4 * index, true));
    return requireAmount(field, value, value);
  };
  return Array.from({ length: n }, (_, index) => ({
    memoryMb: sizes?.getInt16(2 * index, true) ?? 0,
    durationMs: amount(times, index),
    costUsd: amount(costs, index),
  }));
}

function decoded(field: string, base64: string): DataView {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new DataView(bytes.buffer);
  } catch {
    throw new InvalidInput(field, base64, "base64");
  }
}

/** Rounds to 32-bit precision: further digits come from the conversion to 64 bits. */
function singlePrecision(value: number): number {
  return Number(value.toPrecision(7));
}

function jsonObject(text: string): Fields | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
