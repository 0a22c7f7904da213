import { defined } from "../contract/defined.ts";
import type { LogEntry } from "./source.ts";

/** The first day of Lambda, and a day that no log is of: other numbers are not ms since 1970. */
const [earliestMs, latestMs] = [Date.UTC(2014, 10, 13), Date.UTC(2100, 0, 1)];
const isoForm =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?\s?(Z|UTC|\(?[+-]\d\d:?\d\d\)?)?$/;

/**
 * Returns a time in ISO 8601, UTC, of such a text or of ms since 1970; a text without a zone is UTC. Undefined for
 * anything else: of 05/01/2026 one cannot know the month, and a number may be in seconds.
 */
export function isoTime(time: string | number | undefined): string | undefined {
  const ms = typeof time === "string" && /^\d{13}$/.test(time) ? Number(time) : time;
  if (typeof ms === "number") {
    return ms >= earliestMs && ms <= latestMs ? new Date(ms).toISOString() : undefined;
  }
  const [, day, clock = "", fraction = "0", zone = "Z"] = isoForm.exec(ms ?? "") ?? [];
  if (day === undefined) return undefined;
  const offset = zone === "UTC" ? "Z" : zone.replaceAll(/[()]/g, "");
  const seconds = clock.length === "10:00".length ? ":00" : "";
  const date = new Date(`${day}T${clock}${seconds}.${fraction.slice(0, 3)}${offset}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/**
 * Form of a stream's name: `2026/01/05/[$LATEST]0f1e2d3c`, or in a custom log group
 * `2026/01/05/hello[$LATEST][0f1e2d3c]`; the operator guide omits the slash after the day.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
 */
const streamForm = '\\d{4}\\/\\d\\d\\/\\d\\d\\/?[^\\s[\\]]*\\[[^\\]\\s]+\\][^\\s,"|]+';
/** A line that has only a stream's name. */
export const streamLine = new RegExp(`^${streamForm}$`, "m");

/**
 * Parses the name of a log stream, which has the logs of one execution environment, from Init to its end
 * (https://docs.aws.amazon.com/lambda/latest/operatorguide/log-structure.html), and the function's in a custom log group.
 * Undefined for a stream that all environments of a capacity provider write to
 * (https://docs.aws.amazon.com/lambda/latest/dg/lambda-managed-instances-cwl-configure.html).
 */
export function parseStream(name: string | undefined) {
  if (name === undefined || name === "" || name.endsWith("/managed-instances")) return undefined;
  const [, functionName] =
    /^\d{4}\/\d\d\/\d\d\/([^\s[\]]+)\[[^\]\s]+\]\[[^\]\s]+\]$/.exec(name) ?? [];
  return { name, ...defined({ functionName }) };
}

/**
 * Returns the function that a log group belongs to, by its name, with its account or by its ARN. A group of another
 * name is taken for one function of that name, unless the stream names the function.
 */
export function functionOfGroup(group: string, stream: string | undefined): string | undefined {
  const [, own] = /(?:^|:)\/aws\/lambda\/([^:\s]+)(?::\*)?$/.exec(group) ?? [];
  if (own !== undefined || group === "") return own;
  return parseStream(stream)?.functionName === undefined ? group.replace(/^\d+:/, "") : undefined;
}

/** Colours and other control sequences of a terminal, also colours without their escape character. */
const terminalCodes = new RegExp(
  `${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]|\\[\\d{1,3}(?:;\\d{1,3})*m`,
  "g",
);

type Found = Pick<LogEntry, "time" | "stream" | "functionName">;

/**
 * What may stand before a line of Lambda's, in any order: space, Markdown's quote or list item, a time, the log stream
 * (`aws logs tail`, `sam logs`), the log group (`awslogs`), the container (`docker compose`).
 */
const fillers: readonly (readonly [form: RegExp, read: (text: string) => Found])[] = [
  [/^\s+|^[>-]\s+/, () => ({})],
  [
    /^[[(]?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:\s?(?:Z|UTC|\(?[+-]\d\d:?\d\d\)?))?|\d{13})[\])]?(?:\s+|$)/,
    (time) => ({ time }),
  ],
  [/^(?:\d{1,4}\/\d{1,2}\/\d{1,4},?\s+)?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[AP]M)?\s+/, () => ({})],
  [new RegExp(`^(${streamForm})(?:\\s+|$)`), (stream) => ({ stream })],
  [/^\/aws\/lambda\/([\w-]+)\s+/, (functionName) => ({ functionName })],
  [/^[A-Za-z][\w.-]*\s+\|\s/, () => ({})],
];

/** Most fillers before a line; no tool prints as many. */
const mostFillers = 12;

/** Splits off what stands before a line of pasted text that a tool or Markdown put there. */
export function withoutFillers(line: number, whole: string): LogEntry {
  let text = whole.replace(terminalCodes, "");
  let found: Found = {};
  for (let n = 0; n < mostFillers; n += 1) {
    const next = nextFiller(text);
    if (next === undefined) break;
    // Of two times the inner one is the log's: a tool that printed the log later puts its own before it.
    found = { ...found, ...next.found };
    text = text.slice(next.length);
  }
  return { line, text, ...found };
}

function nextFiller(text: string) {
  for (const [form, read] of fillers) {
    const [whole, part = ""] = form.exec(text) ?? [];
    if (whole !== undefined) return { length: whole.length, found: read(part) };
  }
  return undefined;
}
