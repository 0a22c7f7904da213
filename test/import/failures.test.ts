import { describe, expect, it } from "vitest";
import { contractProblem } from "../../lib/contract/validate.ts";
import { formatReport } from "../support/report-line.ts";
import {
  cold,
  first,
  ids,
  importOf,
  readText as read,
  record,
  second,
  start,
  warm,
} from "./sources.ts";

// Which invocations failed, and which ran Init again, by lines other than their reports.

const time = "2026-01-05T10:00:00.154Z";
const lines = [start(ids[0]), cold, start(ids[1]), warm];
/** The log with others among the lines of its second invocation. */
const withLines = (...others: readonly string[]) => lines.toSpliced(3, 0, ...others).join("\n");
const failuresOf = (text: string) => read(text).invocations.map(({ failure }) => failure);
const inEvents = (text: string) =>
  JSON.stringify(
    text.split("\n").map((message) => ({ message, logStreamName: first, timestamp: 1 })),
  );
const pythonRecord = {
  errorMessage: "'id'",
  errorType: "KeyError",
  requestId: ids[1],
  stackTrace: [],
};
const inJson = (fields: object) => JSON.stringify({ timestamp: time, level: "ERROR", ...fields });

describe("an invocation that failed outside its REPORT", () => {
  it.each<[string, string, string]>([
    ["a timeout", `${time} ${ids[1]} Task timed out after 3.00 seconds`, "timeout"],
    [
      "an exit",
      `RequestId: ${ids[1]} Error: Runtime exited with error: exit status 1`,
      "Runtime exited with error",
    ],
    [
      "an error in Node.js",
      `${time}\t${ids[1]}\tERROR\tInvoke Error \t{"errorType":"TypeError"}`,
      "TypeError",
    ],
    ["one without a type", `${time}\tundefined\tERROR\tUncaught Exception`, "Invoke Error"],
    [
      "an error in Python",
      "[ERROR] KeyError: 'id'\rTraceback (most recent call last):",
      "KeyError",
    ],
    ["one in the JSON format", inJson(pythonRecord), "KeyError"],
    ["a traceback", "Traceback (most recent call last):", "Traceback"],
  ])("by %s is known as failed, and the others are not", (_, line, type) => {
    expect(failuresOf(withLines(line))).toEqual([undefined, type]);
    expect(failuresOf(inEvents(withLines(line)))).toEqual([undefined, type]);
  });

  it("is known where its line comes after its REPORT, as a timeout's does", () => {
    const line = `${time} ${ids[0]} Task timed out after 3.00 seconds`;
    const text = lines.toSpliced(2, 0, line).join("\n");
    expect(failuresOf(text)).toEqual(["timeout", undefined]);
  });

  it.each([
    `[ERROR]\t${time}\t${ids[1]}\tnot found`,
    "[ERROR] app.orders: not found",
    "ERROR:root:not found",
    "2026-01-05 10:00:00,100 WARNING app: not found",
    inJson({ requestId: ids[1], message: "failed", errorType: "TypeError", stackTrace: [] }),
  ])("is none where a handler logged the error itself: %s", (logged) => {
    const { invocations, warnings } = read(withLines(logged, "Traceback (most recent call last):"));
    expect(invocations.map(({ failure }) => failure)).toEqual([undefined, undefined]);
    expect(warnings).toEqual([]);
  });

  it.each<[string, readonly string[], number]>([
    [
      "the newest lines are first",
      [...lines.slice(0, 1), "[ERROR] KeyError: 'id'", ...lines.slice(1)].toReversed(),
      4,
    ],
    ["no call is known", ["[ERROR] KeyError: 'id'", cold, warm], 1],
  ])("is told by its line alone where %s", (_, all, line) => {
    const { invocations, warnings } = read(all.join("\n"));
    expect(invocations.map(({ failure }) => failure)).toEqual([undefined, undefined]);
    expect(warnings).toEqual([
      `a.log line ${line}: a failure of which the log does not tell the invocation; it may count as one that succeeded`,
    ]);
  });

  it("may be one of Node.js in the JSON format, which is named", () => {
    const logged = inJson({
      requestId: ids[0],
      message: { errorType: "TypeError", stackTrace: [] },
    });
    expect(read(`${logged}\n${logged}\n${JSON.stringify(record(ids[0]))}`).warnings).toEqual([
      expect.stringMatching(
        /^a\.log line 1: the first of 2 errors that the handler logged or the runtime/,
      ),
    ]);
  });
});

const report = (id: string, durationMs: number, initDurationMs?: number) =>
  formatReport(id, {
    ...{ durationMs, memorySizeMb: 128, maxMemoryUsedMb: 38 },
    ...(initDurationMs !== undefined && { initDurationMs }),
  });
const failedInit = (phase: "init" | "invoke", ms = "9999.92", rest = "timeout") =>
  `INIT_REPORT Init Duration: ${ms} ms\tPhase: ${phase}\tStatus: ${rest}`;
/** Lines as `aws logs tail` prints them: each with its time and its stream. */
const logOf = (...all: readonly (readonly [stream: string, text: string])[]) =>
  all
    .map(([stream, text], n) => `2026-01-05T10:00:0${n}.000000+00:00 ${stream} ${text}`)
    .join("\n");
const csvOf = (...rows: readonly string[]) => [
  "@timestamp,@message,@logStream",
  ...rows.map((text, n) => `2026-01-05 10:00:0${n}.000,"${text}",${first}`),
];
const repeated = [failedInit("init"), report("a1", 12_345), report("a2", 3)];
const both = [
  ["a1", "cold", "init-repeated"],
  ["a2", "warm", "counts"],
];
const [header = "", ...csvRows] = csvOf(...repeated);
const setAside = /^a\.log: 1 Init failed .* is set aside$/;
const countedAsWarm = /^a\.log: 1 Init failed .* is counted as warm$/;

describe("an Init that failed or timed out", () => {
  it.each<[string, string, readonly (readonly string[])[], RegExp]>([
    [
      "the stream's next call, and no other stream's",
      logOf(
        [first, failedInit("init")],
        [second, start("b1")],
        [first, start("a1")],
        [second, report("b1", 3, 120)],
        [first, report("a1", 12_345)],
        [first, start("a2")],
        [first, report("a2", 3)],
      ),
      [["b1", "cold", "counts"], ...both],
      setAside,
    ],
    [
      "the next call where no START is",
      logOf([first, failedInit("init")], [first, report("a1", 12_345)], [first, report("a2", 3)]),
      both,
      setAside,
    ],
    [
      "the next call without a stream, if no call is in progress",
      [failedInit("init"), start("a1"), report("a1", 12_345), start("a2"), report("a2", 3)].join(
        "\n",
      ),
      both,
      setAside,
    ],
    ["the next call in rows of Insights", [header, ...csvRows].join("\n"), both, setAside],
    [
      "the next call in rows, newest first",
      [header, ...csvRows.toReversed()].join("\n"),
      both,
      setAside,
    ],
    [
      "none whose report has an Init, nor one after an Init within a call",
      logOf(
        [first, failedInit("init")],
        [first, report("a1", 3, 150)],
        [first, failedInit("invoke")],
        [first, report("a2", 3)],
      ),
      [
        ["a1", "cold", "counts"],
        ["a2", "warm", "counts"],
      ],
      /: 2 Inits failed .* counted as warm$/,
    ],
    [
      "none where another call is in progress and no stream is known",
      [start("b1"), failedInit("init"), report("b1", 3), start("a1"), report("a1", 12_345)].join(
        "\n",
      ),
      [
        ["b1", "warm", "counts"],
        ["a1", "warm", "counts"],
      ],
      countedAsWarm,
    ],
  ])("sets aside %s", (_, text, expected, warning) => {
    const source = read(text);
    const { samples } = importOf([source], { variant: "hello" });
    expect(
      samples.map(({ requestId, phase, rejected }) => [
        requestId,
        phase,
        rejected?.reason ?? "counts",
      ]),
    ).toEqual(expected);
    expect(source.warnings).toEqual([expect.stringMatching(warning)]);
    for (const { rejected, failedInits, ...sample } of samples) {
      const inits = rejected && [{ status: "timeout", durationMs: 9999.92 }];
      expect(failedInits).toEqual(inits);
      expect(contractProblem("sample", sample)).toBeUndefined();
    }
  });

  it("counts once where a console prints each line twice, with tabs and with spaces", () => {
    const error = "error\tError Type: Runtime.ImportModuleError";
    const failed = `${report("a1", 143.12)}\tStatus: ${error}`;
    const inits = [failedInit("init", "229.04", error), failedInit("invoke", "129.89", error)];
    const printed = [...inits, start("a1"), failed];
    const twice = printed.flatMap((line) => [time, line, "", line.replaceAll("\t", " ")]);
    const source = read(twice.join("\n"));
    expect(source.warnings).toEqual([expect.stringMatching(/: 2 Inits failed .* set aside$/)]);
    const { samples } = importOf([source], { variant: "hello" });
    const failedInits = [229.04, 129.89].map((durationMs) => ({
      ...{ status: "error", durationMs, errorType: "Runtime.ImportModuleError" },
    }));
    expect(samples).toMatchObject([{ rejected: { reason: "error" }, failedInits }]);
  });
});

describe("a function that wrote a report of its own", () => {
  const forged = report(ids[0], 0.1);
  it.each<[string, string, readonly string[]]>([
    ["beside Lambda's has both left out", [start(ids[0]), forged, cold, warm].join("\n"), [ids[1]]],
    [
      "cannot be told from a retry",
      [start(ids[0]), forged, start(ids[0]), cold].join("\n"),
      [ids[0], ids[0]],
    ],
    [
      "in rows of Insights has both left out",
      ["@message", ...[start(ids[0]), forged, cold, warm].map((row) => `"${row}"`)].join("\n"),
      [ids[1]],
    ],
  ])("%s", (_, text, expected) => {
    const { invocations, warnings, notTaken } = read(text);
    expect(invocations.map(({ requestId }) => requestId)).toEqual(expected);
    const leftOut = expected.length === 1;
    expect(notTaken.get("reports that cannot be read for certain")).toBe(leftOut ? 2 : undefined);
    const why =
      /^a\.log line \d: the reports of \S+1 were skipped: they differ, and Lambda writes one/;
    expect(warnings).toEqual(leftOut ? [expect.stringMatching(why)] : []);
  });
});
