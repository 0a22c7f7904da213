import { parseJson } from "../contract/lines.ts";
import type { Telemetry } from "../contract/types/contract.ts";
import { parseReportLine, platformEvent, reportFields } from "../sampler/telemetry.ts";

/** What was made of a text that is, or seems to be, Lambda's report of an invocation. */
export type ReadReport =
  | {
      readonly kind: "report";
      /** Absent for a row that does not name it. */
      readonly requestId?: string;
      readonly telemetry: Telemetry;
      /** Time when it was written; only in the JSON format. */
      readonly time?: string;
    }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "without-duration" };

/** Numbers without doubt: 1.100 may be 1100 in another locale, and 1,100 may be 1.1. */
const decimal =
  "\\d{1,3}(?:,\\d{3})+\\.\\d+|\\d{1,3}(?:\\.(?!\\d{3}(?!\\d))\\d+)?|\\d{4,}(?:\\.\\d+)?";
const whole = "\\d{1,3}(?:,\\d{3})+|\\d+";

/** The fields that are read, each with the form of its value, which is what ends it in a line without tabs. */
const fieldForms = [
  ...reportFields.map(({ key, field, unit, hasDecimals }) => ({
    ...{ key, name: field, what: `a number of ${unit}` },
    form: new RegExp(`^(${hasDecimals ? decimal : whole})\\s*${unit}(?![a-z])`),
  })),
  { key: "Status", name: "status", what: "a word", form: /^([a-z]+)/ },
  { key: "Error Type", name: "errorType", what: "a type", form: /^([A-Z][\w.$-]*?)(?=XRAY|\s|$)/ },
];

const names = fieldForms.map(({ key }) => key.replaceAll(" ", "\\s+")).join("|");
const knownKey = new RegExp(`^(${names}):\\s*`);
/** A field that Lambda may add in future, or X-Ray's: it ends at a tab, or where a known field starts. */
const otherField = new RegExp(
  `^(?!\\S*(?:START|END|REPORT)\\b)([A-Za-z_][\\w-]*(?: [\\w-]+)*):\\s[^\\t]*?(?=\\t|\\s+(?:${names}):|$)`,
);
const withoutSpaces = (key: string) => key.replaceAll(" ", "").toLowerCase();
const squeezed = fieldForms.map(({ key }) => withoutSpaces(key));
const reportHead =
  /^REPORT\s+RequestId:\s*([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\S+?(?=Duration:|\s|$))/;

/** Returns whether a text is a REPORT, or the start of one. */
export function isReportText(text: string): boolean {
  return /^REPORT\s+RequestId:/.test(text);
}

/** Returns whether a text is a line that only Lambda writes, in either format, judged by its start. */
export function isLambdaLine(text: string): boolean {
  return /^(?:(?:REPORT|START|END) RequestId: |INIT_(?:START|REPORT) |\{\s*"(?:time|type)":[^{]*"platform\.)/.test(
    text,
  );
}

/**
 * Extracts a report in Lambda's text or JSON format, with tabs, spaces or nothing between its fields; undefined for
 * anything else. A text report must be understood to the last character, and must have Max Memory Used, which Lambda
 * always writes after Duration: otherwise a truncated line could be misread, a cold start as a warm call. Digit
 * grouping is accepted if it is unambiguous.
 */
export function readReport(text: string): ReadReport | undefined {
  if (text.startsWith("{")) return readRecord(text);
  if (!isReportText(text)) return undefined;
  const [start = "", requestId] = reportHead.exec(text) ?? [];
  const { fields, why } = readFields(text.slice(start.length).replaceAll("\\t", "\t"));
  const { durationMs, maxMemoryUsedMb } = fields;
  if (requestId === undefined || !/(?<!Billed |Init )Duration:/.test(text)) {
    return { kind: "without-duration" };
  }
  if (why !== undefined) return { kind: "unreadable", why };
  if (durationMs === undefined) return { kind: "without-duration" };
  if (maxMemoryUsedMb === undefined) {
    return { kind: "unreadable", why: "it has no Max Memory Used, and may be cut off" };
  }
  return { kind: "report", requestId, telemetry: { ...fields, durationMs } };
}

/** Reads a platform.report, if each figure is a number: without its Init, a cold start would count as warm. */
function readRecord(text: string): ReadReport | undefined {
  const { metrics = {} } = platformEvent(text, "platform.report")?.record ?? {};
  const isOdd = (value: unknown) => value !== null && !(typeof value === "number" && value >= 0);
  const [key, value] =
    Object.entries(metrics).find(([key, value]) => /(?:Ms|MB)$/.test(key) && isOdd(value)) ?? [];
  if (key !== undefined) {
    const why = `${key} is ${shown(String(JSON.stringify(value)))}, which is no number of its unit`;
    return { kind: "unreadable", why };
  }
  const found = parseReportLine(text);
  return found && { kind: "report", ...found };
}

/** Returns the fields up to the first unreadable one, and why that cannot be read. */
function readFields(text: string): { readonly fields: Partial<Telemetry>; readonly why?: string } {
  const fields: Record<string, number | string> = {};
  for (let rest = text.trim(); rest !== ""; ) {
    const [start = "", found = ""] = knownKey.exec(rest) ?? [];
    const known = fieldForms.find(({ key }) => key === found.replaceAll(/\s+/g, " "));
    if (known === undefined) {
      const [other, key = ""] = otherField.exec(rest) ?? [];
      const isOther = other !== undefined && !squeezed.includes(withoutSpaces(key));
      if (!isOther) return { fields, why: `a REPORT line has no field ${shown(rest)}` };
      rest = rest.slice(other.length).trim();
      continue;
    }
    const { key, name, what, form } = known;
    const after = rest.slice(start.length);
    const [printed = "", value] = form.exec(after) ?? [];
    const why = `${key} ${shown(after)} is not ${what} as Lambda prints it`;
    if (value === undefined) return { fields, why };
    const read = what.startsWith("a number") ? Number(value.replaceAll(",", "")) : value;
    if ((fields[name] ?? read) !== read) return { fields, why: `it has two values of ${key}` };
    fields[name] = read;
    rest = after.slice(printed.length).trim();
  }
  return { fields };
}

const longestShown = 24;

/** Returns the text up to its next tab, in single quotes: error messages use double quotes around it. */
function shown(text: string): string {
  const [field = ""] = text.split("\t", 1);
  return `'${field.length > longestShown ? `${field.slice(0, longestShown)}...` : field}'`;
}

/** Fields that only some reports have. */
const laterField =
  /^(?:Init|Restore|Billed Restore) Duration:|^Error Type:|^Status: (?:error|timeout|failure)\b/;
const anyField = new RegExp(`(?:${names}):`);

/** Returns whether a line below a REPORT has the rest of its fields, as a terminal or an editor wraps it. */
export function continuesReport(report: string, line: string): boolean {
  if (/^(?:START|END|REPORT|INIT_|XRAY|[[{])/.test(line)) return false;
  return (readReport(report)?.kind === "report" ? laterField : anyField).test(line);
}

const inJson = /[[{].*(?:"REPORT RequestId: |"@type\\*":\s*\\*"REPORT\\*"|"platform\.report\\*")/;

/**
 * Returns whether a line is JSON that a function logged, in Lambda's JSON format: its content is the function's own.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
function isApplicationLog(text: string): boolean {
  return /^\{.*(?<!\\)"level":/.test(text) && /(?<!\\)"requestId":/.test(text);
}

/**
 * Returns why a line with a report, or with part of one, is not read; without a warning it would be lost.
 * @param isMessage true if the text is a whole message of an event
 */
export function whyNoReport(text: string, isMessage: boolean): string | undefined {
  if (/^INIT_REPORT\b/.test(text) || isApplicationLog(text)) return undefined;
  if (inJson.test(text)) {
    return "it is inside JSON that is neither a CloudWatch Logs event nor a Lambda telemetry record: import the events as JSON, or the lines alone";
  }
  const part =
    /REPORT RequestId:|Billed Duration:|Max Memory Used:|^Init Duration: |^END Duration: /.exec(
      text,
    );
  if (part === null || (/^\s*[[{]/.test(text) && parseJson(text) !== undefined)) return undefined;
  if (!part[0].startsWith("REPORT")) return `its line has only a part of it: ${shown(text)}`;
  return isMessage
    ? "it does not start its event's message, so the function wrote it"
    : `a function may have printed ${shown(text.slice(0, part.index))} before it: delete that; only spaces, '> ', '- ', a time and a log stream may stand there`;
}

/**
 * Returns whether a report was printed by `sam local` or the Runtime Interface Emulator, which print Init Duration
 * before Duration (Lambda prints it last): its times are those of the machine that it ran on.
 */
export function isEmulated(text: string): boolean {
  return /^REPORT\s+RequestId:\s*\S+\s*Init\s+Duration:/.test(text);
}
