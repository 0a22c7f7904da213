import { describe, expect, it } from "vitest";
import { ids, importOf, readText as read } from "./sources.ts";

// Logs whose figures are clear and whose meaning is not: the doubt is named, or the report is left out.

const time = "2026-01-05T10:00:00.154Z";
const report = (id: string, more: { readonly duration?: string; readonly used?: number } = {}) =>
  `REPORT RequestId: ${id}\tDuration: ${more.duration ?? "2.48"} ms\tBilled Duration: 3 ms\tMemory Size: 128 MB\tMax Memory Used: ${more.used ?? 39} MB\t`;
const metrics = { durationMs: 2.48, billedDurationMs: 3, memorySizeMB: 128, maxMemoryUsedMB: 39 };
const record = (requestId: string, more: object = {}) =>
  JSON.stringify({
    ...{ time, type: "platform.report" },
    record: { requestId, status: "success", metrics: { ...metrics, ...more } },
  });
const initStart = (fields: object) =>
  JSON.stringify({ time, type: "platform.initStart", record: fields });

describe("a report is left out, with its line", () => {
  it.each([
    ["a text", { initDurationMs: "112.1" }, `initDurationMs is '"112.1"'`],
    ["below 0", { initDurationMs: -1 }, "initDurationMs is '-1'"],
    ["a list", { durationMs: [2.48] }, "durationMs is '[2.48]'"],
  ])("where a figure of its JSON is %s: without an Init it would count as warm", (_, more, why) => {
    expect(() => read(record(ids[0], more))).toThrow(
      `a.log line 1: this REPORT was skipped: ${why}`,
    );
    expect(read(record(ids[0], { initDurationMs: null })).invocations).toHaveLength(1);
  });

  it("where the function wrote another of the same request, and not where the request was retried", () => {
    const [start, end] = [
      `START RequestId: ${ids[0]} Version: $LATEST`,
      `END RequestId: ${ids[0]}`,
    ];
    const forged = report(ids[0], { duration: "0.10" });
    const { invocations, warnings, notTaken } = read(
      [start, forged, end, report(ids[0]), report(ids[1])].join("\n"),
    );
    expect(invocations.map(({ requestId }) => requestId)).toEqual([ids[1]]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^a\.log line 2: the reports of \S+1 were skipped: they differ, and Lambda writes one/,
      ),
    ]);
    expect(notTaken.get("reports that cannot be read for certain")).toBe(2);
    const retried = [start, end, forged, start, end, report(ids[0])].join("\n");
    expect(read(retried).invocations).toHaveLength(2);
    const csv = [`"${start}"`, `"${forged}"`, `"${report(ids[0])}"`, `"${report(ids[1])}"`];
    expect(read(["@message", ...csv].join("\n"))).toMatchObject({
      invocations: [{ requestId: ids[1] }],
      warnings: [expect.stringContaining("a.log line 3: the reports of ")],
    });
  });

  it("where the text before it starts like JSON and is none", () => {
    for (const before of ['{job="lambda"} ', '["hello"] ', "[hello] "]) {
      const { invocations, warnings } = read(`${before}${report(ids[0])}\n${report(ids[1])}`);
      expect(invocations).toHaveLength(1);
      expect(warnings).toEqual([
        expect.stringContaining(
          `line 1: this REPORT was skipped: the text around it is in an unknown format: '${before.slice(0, 7)}`,
        ),
      ]);
    }
  });
});

describe("a table of aggregates is refused: its rows are no invocations", () => {
  it.each([
    ["@duration,@initDuration,count(*)\n2.5,,7", "count(*)"],
    ["bin(5m),avg(@duration)\n2026-01-05 10:00:00.000,2.5", "bin(5m)"],
    [`[{"avg(@duration)": "2.5"}]`, "avg(@duration)"],
  ])("%s", (text, column) => {
    expect(() => read(text)).toThrow(
      `a.log line 1: header: found "${column}"; allowed: one row for each invocation`,
    );
  });
});

describe("a time is left out and named", () => {
  it.each([
    ["of a spreadsheet", `@timestamp,@message\n05/01/2026 10:00,"${report(ids[0])}"`, 2],
    ["in seconds", JSON.stringify([{ timestamp: 1_767_607_200, message: report(ids[0]) }]), 1],
    [
      "in microseconds",
      JSON.stringify([{ timestamp: 1_767_607_200_154_000, message: report(ids[0]) }]),
      1,
    ],
    ["that is none", JSON.stringify([{ timestamp: "today", message: report(ids[0]) }]), 1],
  ])("%s", (_, text, line) => {
    const { invocations, warnings } = read(text);
    expect(invocations[0]).not.toHaveProperty("reportedAt");
    expect(warnings).toEqual([
      expect.stringMatching(
        new RegExp(`^a\\.log line ${line}: the time .* neither in the form of`),
      ),
    ]);
  });

  it("but a time without a zone is UTC wherever it is read, and the inner one of two is the log's", () => {
    const events = JSON.stringify([
      { timestamp: "2026-01-05T10:00:00.154", message: report(ids[0]) },
    ]);
    expect(read(events).invocations[0]?.reportedAt).toBe(time);
    const inJob = `2026-03-01T00:00:00.0000000Z ${time} ${report(ids[0])}`;
    expect(read(inJob).invocations[0]?.reportedAt).toBe(time);
  });
});

describe("several functions in one source are told apart", () => {
  const streams = ["a", "b"].map((letter) => `2026/01/05/[$LATEST]${letter.repeat(32)}`);

  it("by the log groups of a CSV, also by custom ones", () => {
    for (const [column, ...groups] of [
      ["logGroup", "/aws/lambda/one", "/aws/lambda/two"],
      ["@log", "123456789012:/aws/lambda/one", "123456789012:/aws/lambda/two"],
      ["@log", "123456789012:one", "123456789012:two"],
    ]) {
      const rows = groups.map((group, index) => `${group},"${report(ids[index] ?? "")}"`);
      const { invocations } = read([`${column},@message`, ...rows].join("\n"));
      expect(invocations.map(({ functionName }) => functionName)).toEqual(["one", "two"]);
    }
  });

  it("by what platform.initStart says of their streams", () => {
    const lines = streams.flatMap((stream, index) => [
      `${time} ${stream} ${initStart({ functionName: ["one", "two"][index] })}`,
      `${time} ${stream} ${record(ids[index] ?? "")}`,
    ]);
    const { invocations } = read(lines.join("\n"));
    expect(invocations.map(({ functionName }) => functionName)).toEqual(["one", "two"]);
  });
});

describe("a warning names", () => {
  it.each([
    [
      "versions that count together",
      `START RequestId: ${ids[0]} Version: 3\n${report(ids[0])}\nSTART RequestId: ${ids[1]} Version: 4\n${report(ids[1])}`,
      "a.log: calls of several versions (3, 4) are in it and count together",
    ],
    [
      "Inits that no caller waited for",
      `${initStart({ initializationType: "provisioned-concurrency" })}\n${record(ids[0])}`,
      "a.log: 1 Init was made before any call came",
    ],
    [
      "reports as local emulators print them",
      [ids[0], ids[1]].map((id) => report(id, { used: 128 })).join("\n"),
      "a.log: Max Memory Used equals Memory Size in every report, as LocalStack",
    ],
    [
      "failures that no column tells",
      "@duration,@initDuration\n2.5,",
      "a.log: no column (@message or record.status) tells which calls failed",
    ],
    [
      "an error that may be a handler's own",
      `${JSON.stringify({ timestamp: time, level: "ERROR", requestId: ids[0], message: { errorType: "TypeError", stackTrace: [] } })}\n${record(ids[0])}`,
      "a.log line 1: an error that the handler logged or the runtime of Node.js reported",
    ],
  ])("%s", (_, text, start) => {
    expect(read(text).warnings).toEqual([expect.stringContaining(start)]);
  });

  it("none of these where there is no doubt", () => {
    const other = { timestamp: time, level: "ERROR", requestId: ids[0], message: "failed" };
    const lines = [
      `START RequestId: ${ids[0]} Version: 3`,
      JSON.stringify({ ...other, errorType: "TypeError", stackTrace: [] }),
      report(ids[0]),
      report(ids[1], { used: 128 }),
    ];
    const { warnings, invocations } = read(lines.join("\n"));
    expect(warnings).toEqual([]);
    expect(invocations.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  });
});

it("an error that Python's runtime reported in the JSON format is its invocation's", () => {
  const error = { errorMessage: "'id'", errorType: "KeyError", requestId: ids[0], stackTrace: [] };
  const text = [
    JSON.stringify({ timestamp: time, level: "ERROR", ...error }),
    record(ids[0]),
    record(ids[1]),
  ].join("\n");
  expect(read(text).invocations.map(({ failure }) => failure)).toEqual(["KeyError", undefined]);
});

it("a call in a log and in a CSV of Logs Insights is one, with the figures of both", () => {
  const log = `${report(ids[0])}Status: timeout`;
  const csv = `@requestId,@duration,@initDuration,@memorySize\n${ids[0]},2.48,,128000000\n${ids[1]},2.48,,128000000`;
  for (const texts of [
    [log, csv],
    [csv, log],
  ]) {
    const { samples, manifest } = importOf(texts.map(read), { variant: "hello" });
    expect(samples.map(({ requestId }) => requestId).sort()).toEqual([ids[0], ids[1]]);
    const both = samples.find(({ requestId }) => requestId === ids[0]);
    expect(both).toMatchObject({
      telemetry: { durationMs: 2.48, billedDurationMs: 3, maxMemoryUsedMb: 39, status: "timeout" },
      rejected: { reason: "error" },
    });
    const twice = manifest.imported?.sources.map(({ notTaken }) => notTaken["reports read before"]);
    expect(twice).toEqual([undefined, 1]);
  }
});

describe("a file without reports says what it seems to be", () => {
  it.each([
    ["an archive", "PK\u0003\u0004\u0014", "It is a zip archive"],
    ["a page", "<html><body>41.2 ms", "It is HTML"],
    ["a CSV of a spreadsheet", `@timestamp;@duration\n2026-01-05 10:00;2,5`, "CSV with semicolons"],
    ["columns with tabs", `@timestamp\t@duration\n2026-01-05 10:00\t2.5`, "without their commas"],
    ["a table of columns", `| @timestamp | @duration |`, "without their commas"],
    ["the text of get-query-results", `RESULTS\t@duration\t2.5`, "ask for --output json"],
    ["metrics", `{"MetricDataResults": [{"Values": [2.5]}]}`, "CloudWatch metrics"],
    [
      "Lambda Insights",
      `{"event_type": "performance", "duration": 2}`,
      "records of Lambda Insights",
    ],
    ["a Web Function", `{"type": "platform.invokeReport"}`, "a Lambda Web Function"],
    ["other letters", report(ids[0]).toLowerCase(), "Its letters were changed to lower case"],
    ["nothing", " \n", "It is empty"],
    ["anything else", "\nms,init\n2.5,", `Its line 2 is "ms,init", in no form that is known.`],
  ])("of %s", (_, text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });
});
