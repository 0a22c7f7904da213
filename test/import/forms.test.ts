import { describe, expect, it } from "vitest";
import type { ReadSource } from "../../lib/import/source.ts";
import { cold, ids, readText, record, start, first as stream, warm } from "./sources.ts";

// Logs in the forms in which people have them: each is read as it is.

const atMs = Date.parse("2026-01-05T10:00:00.154Z");
const end = (id: string) => `END RequestId: ${id}`;
const lines = [start(ids[0]), end(ids[0]), cold, start(ids[1]), "hello", end(ids[1]), warm];
const both = [
  { requestId: ids[0], durationMs: 41.2, initDurationMs: 112.1 },
  { requestId: ids[1], durationMs: 2.48 },
];
const at = { reportedAt: "2026-01-05T10:00:00.154Z" };
const named = { functionName: "hello" };
const inStream = both.map((each) => ({ ...each, stream }));
const timed = inStream.map((each) => ({ ...each, ...at }));
const ofFunction = timed.map((each) => ({ ...each, ...named }));
const timedAlone = both.map((each) => ({ ...each, ...at }));

const events = lines.map((line, index) => ({
  ...{ eventId: `3781${index}`, ingestionTime: atMs + 999, logStreamName: stream },
  ...{ message: `${line}\n`, timestamp: atMs },
}));
const logEvents = lines.map((line, id) => ({ id, timestamp: atMs, message: `${line}\n` }));
const subscription = (some: readonly object[]) =>
  JSON.stringify({
    ...{ messageType: "DATA_MESSAGE", owner: "123456789012", logGroup: "/aws/lambda/hello" },
    ...{ logStream: stream, subscriptionFilters: ["all"], logEvents: some },
  });
const halves = [subscription(logEvents.slice(0, 3)), subscription(logEvents.slice(3))];
const grey = (text: string) => `\u001b[90m${text}\u001b[0m`;
/** The log with each of its lines in another form. */
const inForm = (form: (line: string, index: number) => string) => lines.map(form).join("\n");
const jsonLines = (form: (line: string) => object) => inForm((line) => JSON.stringify(form(line)));
const csv = (header: string, row: (line: string) => string) =>
  [header, ...lines.map((line) => row(`"${line}"`))].join("\n");
const columns = {
  "@timestamp": "2026-01-05 10:00:00.154",
  ...{ "@logStream": stream, "@log": "123456789012:/aws/lambda/hello", "@type": "REPORT" },
};
const rows = [
  { ...columns, "@requestId": ids[0], "@duration": "41.2", "@initDuration": "112.1" },
  { ...columns, "@requestId": ids[1], "@duration": "2.48" },
];
const tagged = [stream, "arn:aws:lambda:eu-west-1:123456789012:function:hello"];
const tailed = `2026-01-05T10:00:00.154000+00:00 ${stream}`;

type Form = readonly [form: string, text: string, expected: readonly object[]];

const texts: readonly Form[] = [
  ["the console's lines", lines.join("\n"), both],
  ["lines that end as on Windows", lines.join("\r\n"), both],
  ["lines with spaces for tabs", lines.join("\n").replaceAll("\t", " "), both],
  ["lines that lost their tabs", lines.join("\n").replaceAll("\t", ""), both],
  ["a code block of Markdown", inForm((line) => `    ${line}`), both],
  ["a quote in Markdown", inForm((line) => `> ${line}`), both],
  ["a list in a quote", inForm((line) => `> - ${line}`), both],
  ["messages that a tab separates", lines.join("\n\t"), both],
  ["lines after ms since 1970", inForm((line) => `${atMs} ${line}`), timedAlone],
  ["lines after a time without a day", inForm((line) => `10:00:00.154 ${line}`), both],
  ["lines after a time as of the US", inForm((line) => `01/05/2026, 10:00:00 AM ${line}`), both],
  [
    "lines after a time in brackets",
    inForm((line) => `[2026-01-05T10:00:00.154Z] ${line}`),
    timedAlone,
  ],
  ["an export to S3", inForm((line) => `2026-01-05T10:00:00.154Z ${line}`), timedAlone],
  [
    "a job's log, with its own times",
    inForm((line) => `2026-03-01T00:00:00.0000000Z 2026-01-05T10:00:00.154Z ${line}`),
    timedAlone,
  ],
  ["aws logs tail", inForm((line) => `${tailed} ${line}`), timed],
  [
    "aws logs tail --format short",
    inForm((line) => `2026-01-05T10:00:00 ${line}`),
    both.map((each) => ({ ...each, reportedAt: "2026-01-05T10:00:00.000Z" })),
  ],
  [
    "aws logs tail --format json",
    ids.map((id) => `${tailed} ${JSON.stringify(record(id), null, 2)}`).join("\n"),
    ids.map((requestId) => ({ requestId, stream, durationMs: 2.48 })),
  ],
  ["sam logs", inForm((line) => `${stream} 2026-01-05T10:00:00.154000 ${line}`), timed],
  [
    "sam logs, in colours",
    inForm((line) => `${grey(stream)} \u001b[33m2026-01-05T10:00:00.154000\u001b[0m ${line}`),
    timed,
  ],
  [
    "colours whose escape character was lost",
    inForm((line) => `[32m2026-01-05T10:00:00.154Z[0m ${line}`),
    timedAlone,
  ],
  ["serverless logs", inForm((line) => `2026-01-05 11:00:00.154 (+01:00) ${line}`), timedAlone],
  [
    "awslogs",
    inForm((line) => `/aws/lambda/hello ${stream} ${line}`),
    inStream.map((each) => ({ ...each, ...named })),
  ],
  ["docker compose", inForm((line) => `function-1  | ${line}`), both],
  [
    "docker compose with times, in colours",
    inForm((line) => `\u001b[36mfunction-1  |\u001b[0m 2026-01-05T10:00:00.154000000Z ${line}`),
    timedAlone,
  ],
  [
    "a custom log group",
    `${tailed.replace("[$LATEST]", "hello[$LATEST][").concat("]")} ${warm}`,
    [{ ...named, requestId: ids[1] }],
  ],
  [
    "groups of digits",
    cold.replace("41.20", "1,041.20").replace("154", "1,154"),
    [{ requestId: ids[0], durationMs: 1041.2, billedDurationMs: 1154 }],
  ],
];

const objects: readonly Form[] = [
  ["filter-log-events", JSON.stringify({ events, searchedLogStreams: [] }, null, 4), timed],
  ["its events alone", JSON.stringify(events), timed],
  ["the messages of events", JSON.stringify(lines), both],
  ["events as JSON lines", events.map((each) => JSON.stringify(each)).join("\n"), timed],
  ["a subscription's data", subscription(logEvents), ofFunction],
  ["what Firehose stores of it, with nothing between", halves.join(""), ofFunction],
  ["subscription data as JSON lines", halves.join("\n"), ofFunction],
  [
    "Docker's json-file log",
    jsonLines((log) => ({ log: `${log}\n`, stream: "stdout", time: at.reportedAt })),
    timedAlone,
  ],
  ["JSON lines of a log tool", jsonLines((message) => ({ level: "info", message })), both],
  ["nested JSON lines", jsonLines((_raw) => ({ preview: false, result: { _raw } })), both],
  [
    "a log tool's lists, with time, stream and function by their forms",
    JSON.stringify({
      data: lines.map((message) => ({
        attributes: { date: at.reportedAt, message, tags: tagged },
      })),
    }),
    ofFunction,
  ],
  [
    "a log tool's CSV",
    csv("Date,Message,Host", (line) => `2026-01-05T10:00:00.154Z,${line},h`),
    timedAlone,
  ],
  [
    "a CSV of a log group's events",
    csv("timestamp,message", (line) => `${atMs},${line}`),
    timedAlone,
  ],
  [
    "a CSV of Logs Insights with messages",
    csv("@timestamp,@logStream,@message", (line) => `2026-01-05 10:00:00.154,${stream},${line}`),
    timed,
  ],
  [
    "get-query-results",
    JSON.stringify({
      results: rows.map((row) => Object.entries(row).map(([field, value]) => ({ field, value }))),
      ...{ statistics: { recordsMatched: 2 }, status: "Complete" },
    }),
    ofFunction,
  ],
  ["the console's JSON of Logs Insights", JSON.stringify(rows, null, 2), ofFunction],
  [
    "records of the JSON format in messages that the console shows as objects",
    JSON.stringify([{ ...columns, "@type": "platform.report", "@message": record(ids[1]) }]),
    [{ ...timed[1], ...named }],
  ],
  [
    "a list of records of the JSON format",
    JSON.stringify([record(ids[1])], null, 2),
    [{ ...both[1], ...at }],
  ],
];

describe("a log is read as it is in the form of", () => {
  it.each([...texts, ...objects])("%s", (_, text, expected) => {
    const source = readText(text);
    expect(figuresOf(source)).toMatchObject(expected);
    expect(source.invocations).toHaveLength(expected.length);
    expect(source.warnings.filter((each) => !/no column/.test(each))).toEqual([]);
  });
});

it.each([
  ["a text", lines.join("\n"), "report"],
  ["JSON", JSON.stringify(events), "events"],
  ["a CSV of Logs Insights", csv("@message", (line) => line), "insights"],
])("%s is detected by its form", (_, text, format) => {
  expect(readText(text).format).toBe(format);
});

describe("a log stream", () => {
  it("is none that several environments write to, as those of a capacity provider do", () => {
    const [event] = readText(
      JSON.stringify([{ logStreamName: "pool/managed-instances", message: warm }]),
    ).invocations;
    expect(event).not.toHaveProperty("stream");
  });

  it.each([
    ["logGroup", "/aws/lambda/one", "/aws/lambda/two"],
    ["@log", "123456789012:/aws/lambda/one", "123456789012:/aws/lambda/two"],
    ["@log", "123456789012:one", "123456789012:two"],
  ])("is of the function of its group: %s %s", (column, ...groups) => {
    const table = groups.map((group, index) => `${group},"${[cold, warm][index]}"`);
    const { invocations } = readText([`${column},@message`, ...table].join("\n"));
    expect(invocations.map(({ functionName }) => functionName)).toEqual(["one", "two"]);
  });

  it("is of the function that platform.initStart names", () => {
    const started = { type: "platform.initStart", record: { functionName: "one" } };
    const text = [started, record(ids[0])].map((each) => `${tailed} ${JSON.stringify(each)}`);
    expect(readText(text.join("\n")).invocations).toMatchObject([{ functionName: "one", stream }]);
  });
});

function figuresOf({ invocations }: ReadSource): readonly object[] {
  return invocations.map(({ telemetry, ...rest }) => ({ ...rest, ...telemetry }));
}
