import { parseJson } from "../contract/lines.ts";
import type { Telemetry } from "../contract/types/contract.ts";
import { parseReportLine } from "../sampler/telemetry.ts";

type Amount = Exclude<keyof Telemetry, "status" | "errorType">;

/** A report, as Lambda wrote it to a log. */
export interface ReadReport {
  readonly kind: "report";
  readonly requestId: string;
  readonly telemetry: Telemetry;
  /** Time when it was written; only in the JSON format. */
  readonly time?: string;
}

/** A report that cannot be read with certainty. */
interface UnreadableReport {
  readonly kind: "unreadable";
  readonly why: string;
}

/** A REPORT line without a Duration. */
interface EmptyReport {
  readonly kind: "without-duration";
}

/** The fields of a REPORT line, and whether Lambda prints them with decimals. */
const amounts: ReadonlyMap<string, readonly [field: Amount, unit: "ms" | "MB", decimals: boolean]> =
  new Map([
    ["Billed Restore Duration", ["billedRestoreDurationMs", "ms", false]],
    ["Restore Duration", ["restoreDurationMs", "ms", true]],
    ["Billed Duration", ["billedDurationMs", "ms", false]],
    ["Init Duration", ["initDurationMs", "ms", true]],
    ["Duration", ["durationMs", "ms", true]],
    ["Memory Size", ["memorySizeMb", "MB", false]],
    ["Max Memory Used", ["maxMemoryUsedMb", "MB", false]],
  ]);

/** Non-numeric fields with the form of their values, which is what ends them in a line without tabs. */
const textFields: ReadonlyMap<string, RegExp> = new Map([
  ["Status", /^[a-z]+/],
  ["Error Type", /^[A-Z][\w.$-]*?(?=XRAY|\s|$)/],
  ["XRAY TraceId", /^[\da-f-]+/],
  ["SegmentId", /^[\da-f]+/],
  ["Sampled", /^(?:true|false)/],
]);

const names = [...amounts.keys(), ...textFields.keys()].join("|").replaceAll(" ", "\\s+");
/** The name of a field at the start of a text. */
export const knownKey = new RegExp(`^(${names}):\\s*`);
/** A field that Lambda may add in future: it ends at a tab, or where a known field starts. */
const otherField = new RegExp(
  `^(?!\\S*(?:START|END|REPORT)\\b)([A-Za-z_][\\w-]*(?: [\\w-]+)*):\\s[^\\t]*?(?=\\t|\\s+(?:${names}):|$)`,
);
const squeezed = new Set(
  [...amounts.keys(), ...textFields.keys()].flatMap((key) =>
    key.includes(" ") ? [key.replaceAll(" ", "").toLowerCase()] : [],
  ),
);
/** The start of a REPORT line. */
export const reportHead =
  /^REPORT\s+RequestId:\s*([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\S+?(?=Duration:|\s|$))/;
const amount = /^(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(ms|MB)(?![a-z])/;

/** Returns whether a text may be a REPORT line, judged by its start. */
export function isReportText(text: string): boolean {
  return reportHead.test(text);
}

/**
 * Parses a report in Lambda's text or JSON format, with tabs, spaces or nothing between its fields; undefined for
 * anything else. A text report must be understood to the last character, and must have Max Memory Used, which Lambda
 * always writes after Duration: otherwise a truncated line could be misread, a cold start as a warm call. Digit
 * grouping is accepted if it is unambiguous.
 */
export function readReport(text: string): ReadReport | UnreadableReport | EmptyReport | undefined {
  const [start, requestId] = reportHead.exec(text) ?? [];
  if (start === undefined || requestId === undefined) {
    return text.startsWith("{") ? readRecord(text) : undefined;
  }
  const read = readFields(text.slice(start.length).replaceAll("\\t", "\t"));
  const { fields } = read;
  const { durationMs } = fields;
  if (read.why === undefined && durationMs === undefined) return { kind: "without-duration" };
  const why = read.why ?? missingField(fields);
  if (why !== undefined) {
    return /(?<!Billed |Init )Duration:/.test(text)
      ? { kind: "unreadable", why }
      : { kind: "without-duration" };
  }
  return {
    kind: "report",
    requestId,
    telemetry: { ...fields, durationMs: durationMs ?? 0 },
  };
}

function readRecord(text: string): ReadReport | UnreadableReport | undefined {
  const why = text.includes("platform.report") ? whyNoRecord(text) : undefined;
  if (why !== undefined) return { kind: "unreadable", why };
  const found = parseReportLine(text);
  return found && { kind: "report", ...found };
}

/** Returns which figure of a platform.report is no number: without its Init, a cold start would count as warm. */
function whyNoRecord(text: string): string | undefined {
  const { type, record } = Object(parseJson(text)) as { readonly [field: string]: unknown };
  if (type !== "platform.report") return undefined;
  const { metrics } = Object(record) as { readonly metrics?: unknown };
  const isOdd = (value: unknown) => value !== null && !(typeof value === "number" && value >= 0);
  const odd = Object.entries(Object(metrics)).find(
    ([key, value]) => /(?:Ms|MB)$/.test(key) && isOdd(value),
  );
  return (
    odd && `${odd[0]} is ${shown(JSON.stringify(odd[1]) ?? "")}, which is no number of its unit`
  );
}

function missingField({ maxMemoryUsedMb }: Fields): string | undefined {
  return maxMemoryUsedMb === undefined
    ? "it has no Max Memory Used, and may be cut off"
    : undefined;
}

type Fields = Partial<Telemetry>;

/** Returns the fields up to the first unreadable one, and why that cannot be read. */
function readFields(text: string): { readonly fields: Fields; readonly why?: string } {
  const fields: Record<string, number | string> = {};
  let rest = text.trim();
  while (rest !== "") {
    const field = readField(rest);
    if ("why" in field) return { fields, why: field.why };
    if (field.name !== undefined && field.value !== undefined) {
      const known = fields[field.name];
      if (known !== undefined && known !== field.value) {
        return { fields, why: `it has two values of ${field.key}` };
      }
      fields[field.name] = field.value;
    }
    rest = rest.slice(field.length).trim();
  }
  return { fields };
}

interface Taken {
  readonly key: string;
  /** Absent for a field that is not part of the telemetry. */
  readonly name?: string;
  readonly value?: number | string;
  /** Number of characters. */
  readonly length: number;
}

function readField(rest: string): Taken | { readonly why: string } {
  const [start, found] = knownKey.exec(rest) ?? [];
  if (start === undefined || found === undefined) return readOther(rest);
  const key = found.replaceAll(/\s+/g, " ");
  const text = rest.slice(start.length);
  const word = textFields.get(key);
  if (word === undefined) return readAmount(key, text, start.length);
  const [value] = word.exec(text) ?? [];
  if (value === undefined) return { why: `${key} is ${shown(text)}` };
  const name = { Status: "status", "Error Type": "errorType" }[key];
  return { key, length: start.length + value.length, ...(name !== undefined && { name, value }) };
}

function readOther(rest: string): Taken | { readonly why: string } {
  const [whole, key = ""] = otherField.exec(rest) ?? [];
  const isKnown = squeezed.has(key.replaceAll(" ", "").toLowerCase());
  if (whole === undefined || isKnown) return { why: `a REPORT line has no field ${shown(rest)}` };
  return { key, length: whole.length };
}

function readAmount(key: string, text: string, before: number): Taken | { readonly why: string } {
  const [name, unit, hasDecimals] = amounts.get(key) ?? [];
  const [whole, integer = "", decimals = "", found] = amount.exec(text) ?? [];
  const isGrouped = integer.includes(",");
  // 1.100 may be 1100 in another locale, and 1,100 may be 1.1.
  const isUnclear = hasDecimals
    ? (decimals.length === 4 && integer.length <= 3) || (isGrouped && decimals === "")
    : decimals !== "";
  if (whole === undefined || found !== unit || name === undefined || isUnclear) {
    return { why: `${key} ${shown(text)} is not a number of ${unit} as Lambda prints it` };
  }
  const value = Number(`${integer.replaceAll(",", "")}${decimals}`);
  return { key, name, value, length: before + whole.length };
}

const longestShown = 24;

/** Returns the text up to its next tab, in single quotes: error messages use double quotes around it. */
function shown(text: string): string {
  const [field = ""] = text.split("\t", 1);
  return `'${field.length > longestShown ? `${field.slice(0, longestShown)}...` : field}'`;
}

const inJson = /[[{].*(?:"REPORT RequestId: |"@type\\*":\s*\\*"REPORT\\*"|"platform\.report\\*")/;

/**
 * Returns whether a line is JSON that a function logged, in Lambda's JSON format: its content is the function's own.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
function isApplicationLog(text: string): boolean {
  return /^\{.*(?<!\\)"level":/.test(text) && /(?<!\\)"requestId":/.test(text);
}

/** Returns why a line with a report, or with part of one, is not read; without a warning it would be lost. */
export function whyNoReport(text: string): string | undefined {
  if (/^\s*INIT_REPORT\b/.test(text)) return undefined;
  if (inJson.test(text)) {
    return isApplicationLog(text)
      ? undefined
      : "it is inside JSON that is neither a CloudWatch Logs event nor a Lambda telemetry record";
  }
  if (/^END Duration: [\d.]+ ms/.test(text)) {
    return "this short form, which serverless logs prints, lacks Billed Duration and Memory Size";
  }
  const isReport =
    /REPORT RequestId: |Billed Duration: |Max Memory Used: |^\s*Init Duration: /.test(text);
  const isJson = /^\s*[[{]/.test(text) && parseJson(text) !== undefined;
  return isReport && !isJson
    ? `the text around it is in an unknown format: ${shown(text)}`
    : undefined;
}

/**
 * Returns whether a report was printed by `sam local` or the Runtime Interface Emulator, which print Init Duration
 * before Duration (Lambda prints it last): its times are those of the machine that it ran on.
 */
export function isEmulated(text: string): boolean {
  return /^REPORT\s+RequestId:\s*\S+\s*Init\s+Duration:/.test(text);
}
