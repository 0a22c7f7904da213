import { describe, expect, it } from "vitest";
import type { ReadSource } from "../../lib/import/source.ts";
import { ids, readText } from "./sources.ts";

// Logs in the forms in which people have them, each read as it is or refused by a sentence that names form and line.

const stream = "2026/01/05/[$LATEST]0f1e2d3c4b5a69788796a5b4c3d2e1f0";
const atMs = Date.parse("2026-01-05T10:00:00.154Z");

const cold = `REPORT RequestId: ${ids[0]}\tDuration: 41.20 ms\tBilled Duration: 154 ms\tMemory Size: 128 MB\tMax Memory Used: 38 MB\tInit Duration: 112.10 ms\t`;
const warm = `REPORT RequestId: ${ids[1]}\tDuration: 2.48 ms\tBilled Duration: 3 ms\tMemory Size: 128 MB\tMax Memory Used: 39 MB\t`;
const start = (id: string) => `START RequestId: ${id} Version: $LATEST`;
const end = (id: string) => `END RequestId: ${id}`;
const lines = [start(ids[0]), end(ids[0]), cold, start(ids[1]), "hello", end(ids[1]), warm];
const both = [
  { requestId: ids[0], durationMs: 41.2, initDurationMs: 112.1 },
  { requestId: ids[1], durationMs: 2.48 },
];
const inStream = both.map((each) => ({ ...each, stream }));
const timed = inStream.map((each) => ({ ...each, reportedAt: "2026-01-05T10:00:00.154Z" }));

const events = lines.map((line, index) => ({
  ...{ eventId: `3781${index}`, ingestionTime: atMs + 999, logStreamName: stream },
  ...{ message: `${line}\n`, timestamp: atMs },
}));
const subscription = {
  ...{ messageType: "DATA_MESSAGE", owner: "123456789012", logGroup: "/aws/lambda/hello" },
  ...{ logStream: stream, subscriptionFilters: ["all"] },
  logEvents: lines.map((line, index) => ({
    id: `${index}`,
    timestamp: atMs,
    message: `${line}\n`,
  })),
};
const half = (from: number, to?: number) => ({
  ...subscription,
  logEvents: subscription.logEvents.slice(from, to),
});
const base64 = (text: string) => Buffer.from(text).toString("base64");
const invoked = (text: string) => ({
  ...{ StatusCode: 200, LogResult: base64(text), ExecutedVersion: "$LATEST" },
});
const first = lines.slice(0, 3).join("\n");
const second = lines.slice(3).join("\n");
const grey = (text: string) => `\u001b[90m${text}\u001b[0m`;
const upright = (line: string) =>
  ["eventId", "37811", "ingestionTime", `${atMs}`, "logStreamName", stream, "message", line]
    .flatMap((cell, index, all) =>
      index % 2 === 0 ? [`||  ${cell} |  ${all[index + 1]}  ||`] : [],
    )
    .join("\n");

/** The log with each of its lines in another form. */
const inForm = (form: (line: string, index: number) => string) => lines.map(form).join("\n");

const read: readonly (readonly [form: string, text: string, expected: readonly object[]])[] = [
  ["the console's lines", lines.join("\n"), both],
  ["lines that end as on Windows", lines.join("\r\n"), both],
  ["lines with spaces for tabs", lines.join("\n").replaceAll("\t", " "), both],
  ["lines that lost their tabs", lines.join("\n").replaceAll("\t", ""), both],
  ["aws logs tail", inForm((line) => `2026-01-05T10:00:00.154000+00:00 ${stream} ${line}`), timed],
  [
    "aws logs tail --format short",
    inForm((line) => `2026-01-05T10:00:00 ${line}`),
    both.map((each) => ({ ...each, reportedAt: "2026-01-05T10:00:00.000Z" })),
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
    both,
  ],
  [
    "serverless logs",
    inForm((line) => `2026-01-05 11:00:00.154 (+01:00) ${line}`),
    both.map((each) => ({ ...each, reportedAt: "2026-01-05T10:00:00.154Z" })),
  ],
  [
    "awslogs",
    inForm((line) => `/aws/lambda/hello ${stream} ${line}`),
    inStream.map((each) => ({ ...each, functionName: "hello" })),
  ],
  ["docker compose", inForm((line) => `function-1  | ${line}`), both],
  [
    "docker compose with times, in colours",
    inForm((line) => `\u001b[36mfunction-1  |\u001b[0m 2026-01-05T10:00:00.154000000Z ${line}`),
    both.map((each) => ({ ...each, reportedAt: "2026-01-05T10:00:00.154Z" })),
  ],
  [
    "Docker's json-file log",
    inForm((line) =>
      JSON.stringify({ log: `${line}\n`, stream: "stdout", time: "2026-01-05T10:00:00.154Z" }),
    ),
    both,
  ],
  ["filter-log-events", JSON.stringify({ events, searchedLogStreams: [] }, null, 4), timed],
  ["the messages of events", JSON.stringify(lines), both],
  ["events as JSON lines", events.map((each) => JSON.stringify(each)).join("\n"), timed],
  [
    "--output text",
    events
      .map(
        ({ eventId, ingestionTime, logStreamName, message, timestamp }) =>
          `EVENTS\t${eventId.padEnd(56, "0")}\t${ingestionTime}\t${logStreamName}\t${message}\t${timestamp}`,
      )
      .join("\n"),
    inStream,
  ],
  [
    "--output table, upright",
    ["|  FilterLogEvents  |", "+-----+", ...lines.map(upright)].join("\n+----+\n"),
    inStream,
  ],
  [
    "--output table, a row an event",
    inForm((line, index) => `||  3781${index} |  ${atMs} |  ${stream} |  ${line}  ||`),
    inStream,
  ],
  [
    "a subscription's data",
    JSON.stringify(subscription),
    timed.map((each) => ({ ...each, functionName: "hello" })),
  ],
  [
    "what Firehose stores of a subscription, with nothing between",
    [half(0, 3), half(3)].map((each) => JSON.stringify(each)).join(""),
    timed,
  ],
  [
    "subscription data as JSON lines",
    [half(0, 3), half(3)].map((each) => JSON.stringify(each)).join("\n"),
    timed,
  ],
  ["aws lambda invoke --log-type Tail", JSON.stringify(invoked(lines.join("\n")), null, 4), both],
  [
    "several of these one below the other",
    [first, second].map((text) => JSON.stringify(invoked(text), null, 4)).join("\n"),
    both,
  ],
  ["LogResult alone, a line a call", [first, second].map(base64).join("\n"), both],
  [
    "an execution history of calls with a LogResult",
    JSON.stringify({
      events: [
        { id: 1, type: "ExecutionStarted", executionStartedEventDetails: { input: "{}" } },
        ...[first, second].map((text, index) => ({
          ...{ id: index + 2, type: "TaskSucceeded" },
          taskSucceededEventDetails: { output: JSON.stringify(invoked(text)) },
        })),
      ],
    }),
    both,
  ],
  [
    "a terminal of 80 columns",
    lines.flatMap((line) => line.match(/.{1,80}/gs) ?? []).join("\n"),
    both,
  ],
  [
    "an editor that wraps at 60 between words",
    inForm((line) =>
      line
        .replaceAll("\t", " ")
        .replaceAll(/(.{1,60})(?: +|$)/g, "$1\n")
        .trimEnd(),
    ),
    both,
  ],
  [
    "groups of digits",
    cold.replace("41.20", "1,041.20").replace("154", "1,154"),
    [{ requestId: ids[0], durationMs: 1041.2, billedDurationMs: 1154 }],
  ],
];

it.each(read)("a log is read as it is in the form of %s", (_, text, expected) => {
  const source = readText(text);
  expect(figuresOf(source)).toMatchObject(expected);
  expect(source.invocations).toHaveLength(expected.length);
  expect(source.warnings).toEqual([]);
});

const refused: readonly (readonly [form: string, text: string, sentence: RegExp])[] = [
  ["a decimal comma", cold.replace("41.20", "41,20"), /a\.log line 1: .* Duration '41,20 ms/],
  ["points for groups", warm.replace("Billed Duration: 3", "Billed Duration: 1.300"), /line 1/],
  ["groups that may be decimals", cold.replace("41.20", "1,041"), /line 1: .* Duration '1,041 ms/],
  ["spaces for groups", cold.replace("41.20", "1 041.20"), /line 1: .* Duration '1 041\.20 ms/],
  ["a line that is cut off", `hello\n${cold.slice(0, -5)}`, /line 2: .* Init Duration '112/],
  [
    "a line that is cut between fields",
    warm.slice(0, warm.indexOf("Max") - 1),
    /line 1: .* it has no Max Memory Used/,
  ],
  ["seconds", warm.replace("2.48 ms", "2.48 s"), /line 1: .* Duration '2\.48 s/],
  ["two Durations", `${warm}Duration: 9.00 ms`, /line 1: .* two values of Duration/],
  ["a prefix that is not known", `>>> ${warm}`, /line 1: .* in an unknown format/],
  ["a line broken within its first word", `REP\nORT${warm.slice(6)}`, /line 2: /],
  [
    "what a subscription sends, still compressed",
    JSON.stringify({ awslogs: { data: "H4sIAAAAAAAA" } }),
    /compressed events of a subscription/,
  ],
  [
    "an execution history without logs",
    JSON.stringify({ events: [{ id: 1, type: "ExecutionStarted" }] }),
    /an execution history of Step Functions without a LogResult/,
  ],
];

describe("a log is refused by a sentence", () => {
  it.each(refused)("with %s", (_, text, sentence) => {
    expect(() => readText(text)).toThrow(sentence);
  });

  it("for the lines that cannot be read, and no others", () => {
    const all = [cold, warm.replace("2.48", "2,48"), warm.replace(ids[1], ids[2])];
    const source = readText(all.join("\n"));
    expect(source.invocations.map(({ requestId }) => requestId)).toEqual([ids[0], ids[2]]);
    expect(source.warnings).toEqual([
      expect.stringMatching(/^a\.log line 2: this REPORT was skipped/),
    ]);
    expect(source.notTaken.get("reports that cannot be read for certain")).toBe(1);
  });
});

describe("an invocation that failed outside its REPORT", () => {
  /** The log with others among the lines of its second invocation. */
  const withLines = (...others: readonly string[]) => lines.toSpliced(4, 0, ...others);

  const failures: readonly (readonly [how: string, line: string, type: string])[] = [
    [
      "a timeout",
      `2026-01-05T10:00:03.003Z ${ids[1]} Task timed out after 3.00 seconds`,
      "timeout",
    ],
    [
      "an exit",
      `RequestId: ${ids[1]} Error: Runtime exited with error: exit status 1`,
      "Runtime exited with error",
    ],
    [
      "an error in Node.js",
      `2026-01-05T10:00:00.100Z\t${ids[1]}\tERROR\tInvoke Error \t{"errorType":"TypeError","errorMessage":"x"}`,
      "TypeError",
    ],
    [
      "an error in Python",
      "[ERROR] KeyError: 'id'\rTraceback (most recent call last):",
      "KeyError",
    ],
    ["a traceback", "Traceback (most recent call last):", "Traceback"],
  ];

  it.each(failures)("by %s is known as failed, and the others are not", (_, line, type) => {
    expect(failuresOf(withLines(line).join("\n"))).toEqual([undefined, type]);
    const asEvents = withLines(line).map((message) => ({
      ...{ message, logStreamName: stream, timestamp: atMs },
    }));
    expect(failuresOf(JSON.stringify({ events: asEvents }))).toEqual([undefined, type]);
  });

  it("is known where its line comes after its REPORT, as a timeout's does", () => {
    const line = `2026-01-05T10:00:03.003Z ${ids[0]} Task timed out after 3.00 seconds`;
    expect(failuresOf([...lines.slice(0, 3), line, ...lines.slice(3)].join("\n"))).toEqual([
      "timeout",
      undefined,
    ]);
  });

  it.each([
    `[ERROR]\t2026-01-05T10:00:00.100Z\t${ids[1]}\tnot found`,
    "[ERROR] app.orders: not found",
    "ERROR:root:not found",
    "2026-01-05 10:00:00,100 WARNING app: not found",
  ])("is none where a handler logged the error itself: %s", (logged) => {
    const text = withLines(logged, "Traceback (most recent call last):");
    expect(failuresOf(text.join("\n"))).toEqual([undefined, undefined]);
  });

  it("is not told by the place of its line where the newest lines are first", () => {
    const error = "[ERROR] KeyError: 'id'";
    const newestFirst = [...lines.slice(0, 2), error, ...lines.slice(2)].toReversed();
    for (const text of [
      newestFirst.join("\n"),
      newestFirst.map((line) => `2026-01-05T10:00:00Z ${stream} ${line}`).join("\n"),
    ]) {
      expect(failuresOf(text)).toEqual([undefined, undefined]);
      expect(readText(text).warnings).toEqual([
        "a.log line 6: a failure of which the log does not tell the invocation; it may count as one that succeeded",
      ]);
    }
  });

  it("is told by its line where the log does not say which invocation it was", () => {
    const text = ["[ERROR] KeyError: 'id'", cold, warm].join("\n");
    expect(readText(text).warnings).toEqual([
      "a.log line 1: a failure of which the log does not tell the invocation; it may count as one that succeeded",
    ]);
  });
});

function failuresOf(text: string): readonly (string | undefined)[] {
  return readText(text).invocations.map(({ failure }) => failure);
}

function figuresOf({ invocations }: ReadSource): readonly object[] {
  return invocations.map(({ telemetry, ...rest }) => ({ ...rest, ...telemetry }));
}
