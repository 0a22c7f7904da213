import { describe, expect, it } from "vitest";
import { SourceReader } from "../../lib/import/read-source.ts";
import { cold, ids, readText as read, record, start, warm } from "./sources.ts";

// What is not read is refused, or left out, by a sentence that says what to do about it.

const base64 = Buffer.from(`${start(ids[1])}\n${warm}\n`).toString("base64");
const spaced = cold.replaceAll("\t", " ").trim();
const mayBePrinted = (text: string) => `a function may have printed '${text}' before it: delete`;
const tool = "is inside JSON that is neither a CloudWatch Logs event nor a Lambda telemetry record";

const skipped: readonly (readonly [form: string, text: string, line: number, why: string])[] = [
  [
    "a decimal comma",
    cold.replace("41.20", "41,20"),
    1,
    "Duration '41,20 ms' is not a number of ms",
  ],
  ["points for groups", warm.replace(": 3 ms", ": 1.300 ms"), 1, "Billed Duration '1.300 ms'"],
  ["groups that may be decimals", cold.replace("41.20", "1,041"), 1, "Duration '1,041 ms'"],
  ["spaces for groups", cold.replace("41.20", "1 041.20"), 1, "Duration '1 041.20 ms'"],
  ["seconds", warm.replace("2.48 ms", "2.48 s"), 1, "Duration '2.48 s' is not a number of ms"],
  ["a unit of memory for a time", warm.replace("3 ms", "3 MB"), 1, "Billed Duration '3 MB'"],
  ["two Durations", `${warm}Duration: 9.00 ms`, 1, "two values of Duration"],
  ["a status that is none", `${warm}Status: 7`, 1, "Status '7' is not a word"],
  [
    "keys without their spaces",
    warm.replace("Max Memory", "MaxMemory"),
    1,
    "no field 'MaxMemory Used: 39 MB'",
  ],
  ["a backtick", `${warm}\``, 1, "no field '`'"],
  ["a line that is cut off", `hello\n${cold.slice(0, -5)}`, 2, "Init Duration '112.1"],
  [
    "a line cut between fields",
    warm.slice(0, warm.indexOf("Max") - 1),
    1,
    "no Max Memory Used, and may be",
  ],
  [
    "a line broken within its first word",
    `REP\nORT${warm.slice(6)}`,
    2,
    "its line has only a part of it",
  ],
  ["a terminal of 80 columns", cold.replaceAll(/.{80}/g, "$&\n"), 1, "it goes on in the next line"],
  [
    "an editor that wraps",
    spaced.replaceAll(/(.{1,60})(?: |$)/g, "$1\n"),
    1,
    "it goes on in the next line",
  ],
  [
    "a wrap after Max Memory Used",
    cold.replace("\tInit", "\nInit"),
    1,
    "it goes on in the next line",
  ],
  ["a wrap before its status", `${warm}\nStatus: timeout`, 1, "it goes on in the next line"],
  ["a prefix that is not known", `>>> ${warm}`, 1, mayBePrinted(">>> ")],
  ["a level", `[INFO] ${warm}`, 1, mayBePrinted("[INFO] ")],
  ["a word after a time", `2026-01-05T10:00:00.154Z (0f1e) ${warm}`, 1, mayBePrinted("(0f1e) ")],
  ["a backtick before it", `\`${warm}`, 1, mayBePrinted("`")],
  ["labels that start like JSON", `{job="lambda"} ${warm}`, 1, mayBePrinted('{job="lambda"} ')],
  ["a list that is no JSON", `["hello"] ${warm}`, 1, mayBePrinted('["hello"] ')],
  ["a table's cell", `| ${spaced} |\nhello`, 1, mayBePrinted("| ")],
  ["a report in a function's JSON", `${start(ids[0])}\n${JSON.stringify({ line: warm })}`, 2, tool],
  ["events within a text", JSON.stringify({ logs: JSON.stringify([{ message: warm }]) }), 1, tool],
  ["JSON that is none", `10:00:00 hello {"@type":"REPORT","@duration":41.2 "@x":1}`, 1, tool],
  [
    "a message that has it in its second line",
    JSON.stringify({ timestamp: 1, message: `${start(ids[0])}\n${warm}\n` }),
    1,
    "it does not start its event's message, so the function wrote it",
  ],
  [
    "an event that a space starts",
    JSON.stringify([warm, ` ${warm}`]),
    2,
    "does not start its event's",
  ],
  ["a second field", JSON.stringify([{ a: warm }, { b: warm }]), 2, tool],
  [
    "a figure that is a text",
    JSON.stringify(record(ids[0], { initDurationMs: "1.1" })),
    1,
    `initDurationMs is '"1.1"'`,
  ],
  [
    "a figure below 0",
    JSON.stringify(record(ids[0], { initDurationMs: -1 })),
    1,
    "initDurationMs is '-1'",
  ],
  [
    "a figure that is a list",
    JSON.stringify(record(ids[0], { durationMs: [2] })),
    1,
    "durationMs is '[2]'",
  ],
];

describe("a report is left out, named by its line, with", () => {
  it.each(skipped)("%s", (_, text, line, why) => {
    const [, named = "", ...others] = saidOf(text).split("a.log line ");
    expect(named).toMatch(new RegExp(`^${line}: this REPORT was skipped: `));
    expect(named).toContain(why);
    expect(others).toEqual([]);
  });

  it("its figures impossible", () => {
    const huge = warm.replace("2.48", "9".repeat(300));
    const { warnings, notTaken } = read(`${cold}\n${huge}`);
    expect(Object.fromEntries(notTaken)).toEqual({ "reports with an impossible figure": 1 });
    const why = "telemetry.durationMs: found 1e+300; allowed: must be <= 1000000000";
    expect(warnings).toEqual([`a.log line 2: ${why}`]);
    expect(() => read(huge)).toThrow(`a.log line 1: ${why}`);
  });

  it("more than five, of which five are named and all are counted", () => {
    const { warnings, notTaken } = read([cold, ...Array(7).fill(`>>> ${warm}`)].join("\n"));
    expect(warnings).toHaveLength(5);
    expect(notTaken.get("reports that cannot be read for certain")).toBe(7);
  });
});

/** What is said of a text that is read in part, or refused. */
function saidOf(text: string): string {
  try {
    return read(text).warnings.join("\n");
  } catch (error) {
    return (error as Error).message;
  }
}

const refusals: readonly (readonly [form: string, text: string, sentence: string])[] = [
  ["an archive", "PK\u0003\u0004\u0014", "It is a zip archive"],
  ["a page", "<html><body>41.2 ms", "It is HTML"],
  ["a CSV of a spreadsheet", "@timestamp;@duration\n2026-01-05 10:00;2,5", "CSV with semicolons"],
  ["columns with tabs", "@timestamp\t@duration\n2026-01-05 10:00\t2.5", "without their commas"],
  [
    "a table in Markdown",
    "| @timestamp | @duration |\n| --- | --- |\n| 1 | 2.5 |",
    "export the rows as JSON or CSV",
  ],
  ["--output table", `+---+\n||  message |  ${warm}  ||`, "--output json"],
  [
    "--output text",
    `EVENTS\t3781\t1767607200154\t2026/01/05/[$LATEST]1\t${warm}`,
    "use --output json",
  ],
  ["the text of get-query-results", "RESULTS\t@duration\t2.5", "use --output json"],
  ["metrics", `{"MetricDataResults": [{"Values": [2.5]}]}`, "CloudWatch metrics"],
  ["Lambda Insights", `{"event_type": "performance", "duration": 2}`, "records of Lambda Insights"],
  ["a Web Function", `{"type": "platform.invokeReport"}`, "a Lambda Web Function"],
  ["other letters", warm.toLowerCase(), "Its letters were changed to lower case"],
  [
    "serverless logs in short",
    "START\nEND Duration: 13.91 ms (init: 278.98 ms)",
    "short form of serverless",
  ],
  ["the answer of aws lambda invoke", JSON.stringify({ LogResult: base64 }), "base64 --decode"],
  ["a LogResult alone", base64, "base64 --decode"],
  [
    "a subscription's compressed data",
    `{"awslogs": {"data": "H4sIAAAA"}}`,
    "base64 --decode and gunzip",
  ],
  ["Kinesis records", `{"Records": [{"kinesis": {"data": "H4s"}}]}`, "base64 --decode and gunzip"],
  [
    "an execution history",
    `{"events": [{"id": 1, "type": "ExecutionStarted"}]}`,
    "execution history of Step",
  ],
  ["JSON that is cut off", `{"events": [\n  {\n    "message": "${warm}`, "a.log line 3: "],
  [
    "a CSV without a header",
    `2026-01-05T10:00:00Z,${warm}\n2026-01-05T10:00:01Z,${cold}`,
    mayBePrinted("2026-01-05T10:00:00Z,"),
  ],
  ["nothing", " \n", "It is empty"],
  ["anything else", "\nms,init\n2.5,", `Its line 2 is "ms,init", in no form that is known.`],
];

describe("a file without a report that can be read is refused by what to do:", () => {
  it.each(refusals)("%s", (_, text, sentence) => {
    expect(() => read(text)).toThrow(
      /^a\.log has no report of an invocation: lines or records read: \d/,
    );
    expect(() => read(text)).toThrow(sentence);
  });
});

it("a log whose reports are in JSON and in lines of their own is refused: one of the two is the function's", () => {
  const text = `${JSON.stringify({ message: warm })}\n${cold}`;
  expect(() => read(text)).toThrow(
    'a.log line 2: found "a REPORT that is not in the JSON, of which the field message has Lambda\'s lines"',
  );
});

it("JSON that a function logged in Lambda's JSON format is no report, nor refused as one", () => {
  const logged = JSON.stringify({ level: "INFO", message: warm, requestId: ids[1] });
  for (const text of [`${cold}\n${logged}`, `${logged}\n${JSON.stringify(record(ids[0]))}`]) {
    const { invocations, warnings } = read(text);
    expect(invocations.map(({ requestId }) => requestId)).toEqual([ids[0]]);
    expect(warnings).toEqual([]);
  }
  expect(() => read(logged)).toThrow("no report of an invocation");
});

it.each([
  ["events", `{"events": [${" ".repeat(33_600_000)}`],
  ["events", `[${" ".repeat(33_600_000)}`],
  ["insights", `{"results": [${" ".repeat(33_600_000)}`],
])("JSON that must be read whole is told by its limit: %s", (format, text) => {
  const reader = new SourceReader("a", undefined);
  expect(() => reader.add(text)).toThrow(`more than that (read as ${format})`);
});
