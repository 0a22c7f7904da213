import { defined } from "../contract/defined.ts";
import type { LogEntry } from "./log-entries.ts";

/**
 * Form of a stream's name: `2026/01/05/[$LATEST]0f1e2d3c`, or in a custom log group
 * `2026/01/05/hello[$LATEST][0f1e2d3c]`; the operator guide omits the slash after the day.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
 */
const streamForm = '\\d{4}\\/\\d\\d\\/\\d\\d\\/?[^\\s[\\]]*\\[[^\\]\\s]+\\][^\\s,"|]+';

const escapeCode = String.fromCharCode(27);
const bell = String.fromCharCode(7);

/** Colours and other control sequences of a terminal, also colours without their escape character. */
const terminalCodes = new RegExp(
  [
    `${escapeCode}\\][^${bell}${escapeCode}]*(?:${bell}|${escapeCode}\\\\)`,
    `${escapeCode}\\[[\\d;?]*[A-Za-z]`,
    "\\[\\d{1,3}(?:;\\d{1,3})*m",
  ].join("|"),
  "g",
);

export function withoutTerminalCodes(text: string): string {
  return text.replace(terminalCodes, "");
}

type Found = Partial<Record<"time" | "stream" | "functionName", string>>;

const timeForm =
  /^\(?(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d+))?\s?(Z|UTC|\(?[+-]\d\d:?\d\d\)?)?\)?(?:\s+|$)/;

/**
 * Prefixes that tools print before a line, in any order: the time and the log stream (`aws logs tail`), the stream
 * and the time (`sam logs`), the log group (`awslogs`), the container (`docker compose`), the fields of an event
 * (`--output text`).
 */
const parts: readonly (readonly [form: RegExp, read: (groups: readonly string[]) => Found])[] = [
  [timeForm, ([, day, time, fraction, zone]) => ({ time: isoText(day, time, fraction, zone) })],
  [new RegExp(`^(${streamForm})(?:\\s+|$)`), ([, stream = ""]) => ({ stream })],
  [/^\/aws\/lambda\/([\w-]+)\s+/, ([, functionName = ""]) => ({ functionName })],
  [/^[A-Za-z][\w.-]*\s+\|\s?/, () => ({})],
  [/^EVENTS\t/, () => ({})],
  [/^\d{13,}\s+/, () => ({})],
];

/** Formats a time as `2026-01-05T10:00:00.123Z`. A time without a zone is UTC, as in the tools' output. */
function isoText(day = "", time = "", fraction = "0", zone = "Z"): string {
  const offset = /^(?:Z|UTC)$/.test(zone) ? "Z" : zone.replaceAll(/[()]/g, "");
  return `${day}T${time}.${fraction.slice(0, 3)}${offset}`;
}

/**
 * `--query events[*].message --output text` separates messages by a tab, which then begins a line. Any other indentation
 * stays, as it is of text that a function printed.
 */
const tabBeforeLine = /^\t(?=(?:REPORT|START|END|INIT_START|INIT_REPORT) )/;

/** Most parts of a prefix; no tool prints as many. */
const mostParts = 6;

/** Splits off the prefix that a tool printed before a log line. */
export function withoutPrefix(whole: string): LogEntry {
  const clean = withoutTerminalCodes(whole).replace(tabBeforeLine, "");
  if (clean.trimStart().startsWith("|")) return tableEntry(clean);
  let text = clean.trimStart();
  let found: Found = {};
  for (let part = 0; part < mostParts; part += 1) {
    const next = parts.flatMap(([form, read]) => {
      const groups = form.exec(text);
      return groups === null ? [] : [{ length: groups[0].length, read: read([...groups]) }];
    })[0];
    if (next === undefined) break;
    // Of two times the inner one is the log's: a tool that printed the log later puts its own before it.
    found = { ...found, ...next.read };
    text = text.slice(next.length);
  }
  return { text: text === clean.trimStart() ? clean : text, ...found };
}

const stream = new RegExp(`^${streamForm}$`);

export function isStreamName(text: string): boolean {
  return stream.test(text);
}

/** Parses a cell that contains only a time: a date, or ms since 1970. */
function timeOfCell(cell: string): string | number | undefined {
  if (/^\d{13}$/.test(cell)) return Number(cell);
  const [whole, day, time, fraction, zone] = timeForm.exec(cell) ?? [];
  return whole === cell ? isoText(day, time, fraction, zone) : undefined;
}

/** Parses a row of `--output table`. Its cells are the fields of an event; a vertical table has one field per row. */
function tableEntry(row: string): LogEntry {
  const cells = row
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
  const text = cells.find((cell) => /^(?:REPORT|START|END|INIT_START|INIT_REPORT) /.test(cell));
  const name = cells.find(isStreamName);
  const time = cells.map(timeOfCell).find((each) => each !== undefined);
  return {
    text: text ?? cells.at(-1) ?? "",
    ...defined({ time, stream: name }),
    isCell: true,
  };
}
