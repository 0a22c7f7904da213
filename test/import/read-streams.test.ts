import { describe, expect, it } from "vitest";
import { SourceReader } from "../../lib/import/read-source.ts";
import { formatReport } from "../support/report-line.ts";
import { first, importOf, readText as read, second } from "./sources.ts";

const report = (requestId: string, more: object = {}) =>
  formatReport(requestId, { durationMs: 2.5, memorySizeMb: 128, maxMemoryUsedMb: 38, ...more });
const record = (requestId: string) => ({
  time: "2026-01-05T10:00:00.000Z",
  type: "platform.report",
  record: { requestId, status: "success", metrics: { durationMs: 2.5, memorySizeMB: 128 } },
});
const streamsOf = (text: string) =>
  read(text).invocations.map(({ requestId, stream }) => [requestId, stream]);

describe("the log stream of an invocation", () => {
  it("is the one that aws logs tail prints before it", () => {
    const log = [
      `2026-01-05T10:00:00.123000+00:00 ${first} ${report("a")}`,
      `2026-01-05T10:00:01.123000+00:00 ${second} ${report("b")}`,
      "XRAY TraceId: 1-5759e988-bd862e3fe1be46a994272793",
      `2026-01-05T10:00:02.123000+00:00 ${first} ${JSON.stringify(record("c"))}`,
    ].join("\n");
    expect(read(log).format).toBe("report");
    expect(streamsOf(log)).toEqual([
      ["a", first],
      ["b", second],
      ["c", first],
    ]);
    expect(read(log).invocations[0]?.reportedAt).toBe("2026-01-05T10:00:00.123Z");
  });

  it("is not known of the short format, nor of bare lines", () => {
    const log = `2026-01-05T10:00:00 ${report("a")}\n${report("b")}`;
    expect(streamsOf(log)).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
  });

  it("of a custom log group names the function too", () => {
    const stream = "2026/01/05/hello[$LATEST][0f1e2d3c4b5a69788796a5b4c3d2e1f0]";
    const source = read(`2026-01-05T10:00:00+00:00 ${stream} ${report("a")}`);
    expect(source.invocations[0]).toMatchObject({ stream, functionName: "hello" });
    expect(source.functionNames).toEqual(["hello"]);
  });

  it.each([
    ["the whole answer", (events: readonly object[]) => ({ events, searchedLogStreams: [] })],
    ["its events alone", (events: readonly object[]) => events],
  ])("is what filter-log-events says, %s", (_, wrapped) => {
    const event = (message: string, logStreamName: string, index: number) => ({
      logStreamName,
      timestamp: 1_767_607_200_000 + index,
      message,
      ingestionTime: 1_767_607_200_999,
      eventId: String(index),
    });
    const text = JSON.stringify(
      wrapped([
        event(`START RequestId: a Version: $LATEST\n`, first, 0),
        event(`${report("a")}\n`, first, 1),
        event(JSON.stringify(record("b"), null, 2), second, 2),
        event(`said\n${report("c")}`, second, 3),
      ]),
      null,
      4,
    );
    const source = read(text);
    expect(source.format).toBe("events");
    expect(source.invocations).toMatchObject([
      { requestId: "a", stream: first, reportedAt: "2026-01-05T10:00:00.001Z", line: 2 },
      { requestId: "b", stream: second, reportedAt: "2026-01-05T10:00:00.000Z" },
    ]);
    expect(Object.fromEntries(source.notTaken)).toEqual({
      ...{ "other lines": 1, "reports that cannot be read for certain": 1 },
    });
    expect(source.warnings).toEqual([
      expect.stringContaining("skipped: it does not start its event's message"),
    ]);
  });

  it("is the column @logStream of Logs Insights, as CSV and as JSON", () => {
    const message = JSON.stringify(record("a")).replaceAll('"', '""');
    const csv = `@timestamp,@logStream,@message\n2026-01-05 10:00:00.000,${first},"${message}"\n`;
    const fields = { "@timestamp": "2026-01-05 10:00:00.000", "@logStream": first };
    const row = { ...fields, "@requestId": "a", "@duration": "2.5", "@memorySize": "1.28E8" };
    const cold = { ...row, "@requestId": "b", "@initDuration": "100.1" };
    const results = [row, cold].map((each) =>
      Object.entries(each).map(([field, value]) => ({ field, value })),
    );
    const answer = JSON.stringify({ results, statistics: {}, status: "Complete" }, null, 2);
    expect(streamsOf(csv)).toEqual([["a", first]]);
    for (const text of [answer, JSON.stringify([row, cold])]) {
      const source = read(text);
      expect(source.format).toBe("insights");
      expect(source.invocations).toMatchObject([
        { requestId: "a", stream: first, telemetry: { durationMs: 2.5, memorySizeMb: 128 } },
        { requestId: "b", stream: first, telemetry: { initDurationMs: 100.1 } },
      ]);
    }
  });

  it("is none where several environments write one, as those of a capacity provider do", () => {
    const event = { logStreamName: "pool/managed-instances", message: report("a") };
    expect(streamsOf(JSON.stringify([event]))).toEqual([["a", undefined]]);
  });
});

it.each([
  ["events", `{"events": [${" ".repeat(33_600_000)}`],
  ["events", `[${" ".repeat(33_600_000)}`],
  ["insights", `{"results": [${" ".repeat(33_600_000)}`],
])("JSON that must be read whole is told by its limit: %s", (format, text) => {
  const reader = new SourceReader("a", undefined);
  expect(() => reader.add(text)).toThrow(`more than that (read as ${format})`);
});

describe("JSON records over several lines", () => {
  const pretty = (indent: number, ...ids: readonly string[]) =>
    ids.map((id) => JSON.stringify(record(id), null, indent)).join("\n");

  it.each([2, 4])("indented by %i are read, each as one, wherever the text was cut", (indent) => {
    const text = `said something\n${pretty(indent, "a", "b")}\n${report("c")}\n`;
    const reader = new SourceReader("a", "report");
    for (const character of text) reader.add(character);
    const source = reader.end();
    expect(source.invocations.map(({ requestId, line }) => [requestId, line])).toEqual([
      ["a", 2],
      ["b", expect.any(Number)],
      ["c", text.split("\n").length - 1],
    ]);
    expect(source.read).toBe(4);
  });

  it("have the stream that aws logs tail prints before the first line", () => {
    const log = `2026-01-05T10:00:00+00:00 ${first} ${pretty(2, "a")}`;
    expect(streamsOf(log)).toEqual([["a", first]]);
  });

  it("are read from a list too", () => {
    expect(streamsOf(JSON.stringify([record("a"), record("b")], null, 2))).toHaveLength(2);
  });

  it("that never end hide no report behind them", () => {
    const log = `{\n  "half": 1,\n${report("a")}\n{\n  not JSON\n}\n${report("b")}\n{\n  "open": 1`;
    const source = read(log);
    expect(source.invocations.map(({ requestId }) => requestId)).toEqual(["a", "b"]);
    expect(source.read).toBe(9);
  });
});

describe("the environments of an import", () => {
  const run = (...sources: readonly ReturnType<typeof read>[]) =>
    importOf(sources, { variant: "f" });
  const tail = (stream: string, text: string) => `2026-01-05T10:00:00+00:00 ${stream} ${text}`;
  const log = [
    tail(first, report("a", { initDurationMs: 100 })),
    tail(second, report("b")),
    tail(first, report("c")),
    report("d"),
    report("e"),
    tail(second, report("f", { memorySizeMb: 256 })),
  ].join("\n");

  it("are its log streams, and of what names none each invocation is one", () => {
    const { samples, manifest, plan } = run(read(log));
    expect(samples.map(({ block, sequence }) => [block, sequence])).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [2, 0],
      [3, 0],
      [4, 0],
    ]);
    expect(manifest.imported?.logStreams).toEqual({
      streams: 3,
      samples: 4,
      samplesWithout: 2,
      fewestSamples: 1,
      mostSamples: 2,
    });
    expect(plan.sizes).toMatchObject({ environments: 1, warmEnvironments: 4 });
  });

  it("are the same ones where two files hold parts of a stream", () => {
    const { samples } = run(read(tail(first, report("a"))), read(tail(first, report("b"))));
    expect(samples.map(({ block }) => block)).toEqual([0, 0]);
  });

  it("are not told of where no stream is named", () => {
    expect(run(read(report("a"))).manifest.imported).not.toHaveProperty("logStreams");
  });
});
