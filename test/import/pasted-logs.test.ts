import { describe, expect, it } from "vitest";
import { readText as read } from "./sources.ts";

// Forms in which people paste logs into issues and guides: read as they are, or refused by form and line.

const id = "6f2b1c7e-0000-4000-8000-000000000001";
const report = `REPORT RequestId: ${id}\tDuration: 41.20 ms\tBilled Duration: 154 ms\tMemory Size: 128 MB\tMax Memory Used: 38 MB\tInit Duration: 112.10 ms\t`;
const spaced = report.replaceAll("\t", " ").trim();
const stream = "2026/01/05/[$LATEST]0f1e2d3c4b5a69788796a5b4c3d2e1f0";
const figures = { durationMs: 41.2, billedDurationMs: 154, initDurationMs: 112.1 };
const refusal = (text: string) => () => read(text);

describe("a pasted log is read with its times", () => {
  it.each<[string, string, string | undefined]>([
    ["rows of Logs Insights", `  | 2026-01-05T11:00:00.154+01:00 | ${spaced}`, "154Z"],
    [
      "a Markdown table of Logs Insights",
      `| @timestamp | @message | @type |\n| --- | --- | --- |\n| 2026-01-05 10:00:00.154 | ${report}  | REPORT |`,
      "154Z",
    ],
    [
      "a table with ms since 1970",
      `| 1767607200154 | ${spaced} XRAY TraceId: 1-5759e988 |`,
      "154Z",
    ],
    ["a table without times", `| ${spaced}       |`, undefined],
    [
      "messages as text, which a tab separates",
      `START RequestId: ${id} Version: $LATEST\n\tEND RequestId: ${id}\n\t${report}\n`,
      undefined,
    ],
    [
      "sam logs with two fields together",
      `${stream} 2026-01-05T10:00:00.154000+00:00 ${spaced.replace("ms Billed", "msBilled")}`,
      "154Z",
    ],
  ])("from %s", (_, text, end) => {
    const { invocations, warnings } = read(text);
    expect(invocations).toHaveLength(1);
    expect(invocations[0]?.telemetry).toMatchObject(figures);
    expect(invocations[0]?.reportedAt).toBe(end && `2026-01-05T10:00:00.${end}`);
    expect(warnings).toEqual([]);
  });

  it("from an event with fields that are not known, and its stream", () => {
    const event = { timestamp: 1_767_607_200_154, message: report, requestID: null };
    const { invocations } = read(JSON.stringify({ ...event, logStream: stream }));
    expect(invocations).toMatchObject([{ stream, telemetry: figures }]);
  });

  it("once where the console shows a record both formatted and raw", () => {
    const record = {
      type: "platform.report",
      record: { requestId: id, metrics: { durationMs: 41.2, initDurationMs: 112.1 } },
    };
    const text = `${JSON.stringify(record, null, 4)}\n\n${JSON.stringify(record)}`;
    const [first, second] = read(text).invocations;
    expect(second?.telemetry).toEqual(first?.telemetry);
    expect(second?.requestId).toBe(first?.requestId);
  });
});

const other = report.replace("000001", "000002").replace("Init Duration: 112.10 ms", "");
const records = (message: string, tags: readonly string[] = []) => [
  ...[other, message].map((text, second) => ({
    id: second,
    attributes: { date: `2026-01-05T10:00:0${second}.154Z`, message: text, tags },
  })),
];

describe("an export of a log tool is read from the field that has Lambda's lines", () => {
  const csv = (header: string, rest = "") =>
    [header, ...[other, report].map((text, n) => `2026-01-05T10:00:0${n}Z,${text}${rest}`)].join(
      "\n",
    );
  const lines = (key: string) =>
    [other, report].map((text) => JSON.stringify({ level: "info", [key]: text })).join("\n");
  it.each<[string, string, string]>([
    ["JSON lines", lines("message"), "message"],
    [
      "nested JSON lines",
      lines("line").replaceAll('"line":', '"result":{"_raw":').replaceAll(/\}$/gm, "}}"),
      "result._raw",
    ],
    ["lists of objects", JSON.stringify({ data: records(report) }), "data[].attributes.message"],
    ["a CSV", csv("Date,Message"), "Message"],
    ["a CSV with more columns", csv("_time,_raw,host", ",h"), "_raw"],
  ])("in %s", (_, text, field) => {
    const { invocations, warnings, format } = read(text);
    expect(format).toBe("report");
    expect(invocations.map(({ telemetry }) => telemetry.initDurationMs)).toEqual([
      undefined,
      112.1,
    ]);
    expect(warnings).toEqual([
      `a.log: Lambda's lines are those in the field ${field} of a log tool's records`,
    ]);
  });

  it("with the time, the stream and the function that the same record has in other fields", () => {
    const tags = [stream, "arn:aws:lambda:eu-west-1:123456789012:function:orders"];
    expect(read(JSON.stringify(records(report, tags))).invocations[1]).toMatchObject({
      ...{ stream, functionName: "orders", reportedAt: "2026-01-05T10:00:01.154Z", line: 2 },
    });
  });

  it("unless two fields have reports, or a table has no header, of which a report would be lost", () => {
    const both = records(report, [report]);
    expect(refusal(JSON.stringify(both))).toThrow(/inside JSON that is neither/);
    expect(refusal(csv("").trimStart())).toThrow(/line 1: this REPORT was skipped/);
  });
});

describe("a report inside what is no log is named, with its line", () => {
  const json =
    /a\.log line 1: .* it is inside JSON that is neither a CloudWatch Logs event nor a Lambda/;
  it.each<[string, string, RegExp]>([
    ["events within a text", JSON.stringify({ logs: JSON.stringify([{ message: report }]) }), json],
    [
      "a row of Logs Insights after a name",
      '2026-01-05 10:00:00.154 orders {"@type":"REPORT","@duration":41.2 "@billedDuration":154}',
      json,
    ],
    [
      "a message of several lines",
      JSON.stringify({ timestamp: 1, message: `START RequestId: ${id}\n${report}\n` }),
      /line 1: .* it does not start its event's message/,
    ],
    [
      "the short form of serverless logs",
      "START\nEND Duration: 13.91 ms (init: 278.98 ms) Memory Used: 64 MB",
      /line 2: .* this short form, which serverless logs prints/,
    ],
    [
      "a quotation in another log",
      `2026 Jan 05 10:00:00 any->aws DEBUG: The message is "${report}`,
      /line 1: .* the text around it is in an unknown format/,
    ],
    [
      "a line after a time or a level in brackets",
      `[2026-01-05T10:00:00.154Z] (0f1e2d3c) ${report}`,
      /line 1: .* the text around it is in an unknown format/,
    ],
    [
      "a LogResult that was cut",
      JSON.stringify({ StatusCode: 200, LogResult: "U1RBUlQgUmVxdWVzdElkOiA4N2Qw..." }),
      /a LogResult that is not base64 .*: it may be cut off/,
    ],
  ])("%s", (_, text, sentence) => {
    expect(refusal(text)).toThrow(sentence);
  });

  it("beside reports that are read", () => {
    const { invocations, warnings } = read(`${report}\n${JSON.stringify({ line: report })}`);
    expect(invocations).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringMatching(/^a\.log line 2: this REPORT was skipped.* inside JSON/),
    ]);
  });

  it("but not where a function logged it, in Lambda's own JSON format", () => {
    const logged = { timestamp: "2026-01-05T10:00:00.154Z", level: "INFO", message: report };
    const text = `${report}\n${JSON.stringify({ ...logged, requestId: id })}`;
    expect(read(text).warnings).toEqual([]);
  });
});

it("a report of an emulator is said to be one: its times are not Lambda's", () => {
  const local = `REPORT RequestId: ${id}  Init Duration: 0.31 ms  Duration: 73.16 msBilled Duration: 100 ms  Memory Size: 3008 MB    Max Memory Used: 3008 MB`;
  expect(read(local).warnings).toEqual([
    expect.stringMatching(/^a\.log: a local emulator .* printed a report: .*, not Lambda's$/),
  ]);
  expect(read(report).warnings).toEqual([]);
});
