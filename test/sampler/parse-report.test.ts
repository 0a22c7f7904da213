import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReportLine, readReport } from "../../lib/sampler/telemetry.ts";
import { formatReport } from "../support/report-line.ts";
import { madeUpTelemetry } from "./made-up-telemetry.ts";

const id = "8f5e2e6c-7f0c-4c35-9f8a-0f0b8d3e1a11";
const report = `REPORT RequestId: ${id}\tDuration: 912.48 ms\tBilled Duration: 1025 ms\tMemory Size: 128 MB\tMax Memory Used: 30 MB\tInit Duration: 112.10 ms\t`;
const parseReport = (log: string, requestId: string) => readReport(log, requestId).telemetry;
const jsonLine = (record: object) => JSON.stringify({ time: "t", type: "platform.report", record });

describe("one line of a log", () => {
  it("is a report with its invocation, in text and as a record, which has its time too", () => {
    expect(parseReportLine(report)).toMatchObject({
      requestId: id,
      telemetry: { durationMs: 912.48 },
    });
    expect(parseReportLine(report)).not.toHaveProperty("time");
    const metrics = { durationMs: 3.1 };
    expect(parseReportLine(jsonLine({ requestId: id, metrics }))).toEqual({
      ...{ requestId: id, time: "t", telemetry: metrics },
    });
  });

  it("is none without the invocation, without a Duration, or of another kind", () => {
    const durations = "\tDuration: 3.10 ms\tBilled Duration: 4 ms";
    for (const other of [
      ...[`END RequestId: ${id}${durations}`, `REPORT RequestId: ${durations}`, durations.trim()],
      ...[`REPORT RequestId: ${id} of mine${durations}`, `my REPORT RequestId: ${id}${durations}`],
      ...[`REPORT RequestId: ${id}\tBilled Duration: 4 ms`, `REPORT RequestId: ${id}`],
      ...[jsonLine({ requestId: id, metrics: {} }), jsonLine({ requestId: id })],
      ...[
        jsonLine({ metrics: { durationMs: 1 } }),
        jsonLine({ requestId: 7, metrics: { durationMs: 1 } }),
      ],
    ]) {
      expect(parseReportLine(other), other).toBeUndefined();
    }
  });
});

describe("reading a REPORT", () => {
  it("takes every field by its key", () => {
    expect(parseReport(`START RequestId: ${id}\n${report}\n`, id)).toEqual({
      durationMs: 912.48,
      billedDurationMs: 1025,
      memorySizeMb: 128,
      maxMemoryUsedMb: 30,
      initDurationMs: 112.1,
    });
  });

  it("reads the fields in whatever order they come", () => {
    const line = `REPORT RequestId: ${id}\tInit Duration: 0.28 ms\tDuration: 3.10 ms\tBilled Duration: 4 ms`;
    expect(parseReport(line, id)).toEqual({
      durationMs: 3.1,
      billedDurationMs: 4,
      initDurationMs: 0.28,
    });
  });

  it("leaves absent what the line does not say", () => {
    expect(parseReport(`REPORT RequestId: ${id}\tDuration: 3.10 ms`, id)).toEqual({
      durationMs: 3.1,
    });
  });

  it("keeps Restore apart from Init", () => {
    const line = `${report.trimEnd()}\tRestore Duration: 200.50 ms\tBilled Restore Duration: 201 ms`;
    expect(parseReport(line, id)).toMatchObject({
      initDurationMs: 112.1,
      restoreDurationMs: 200.5,
      billedRestoreDurationMs: 201,
    });
  });

  it("keeps a SnapStart restore and its bill apart, and adds neither to the bill", () => {
    const line = `REPORT RequestId: ${id}\tDuration: 40.04 ms\tBilled Duration: 222 ms\tMemory Size: 512 MB\tMax Memory Used: 96 MB\tRestore Duration: 410.93 ms\tBilled Restore Duration: 181 ms\t`;
    const log = `RESTORE_START Runtime Version: x\nRESTORE_REPORT Restore Duration: 410.93 ms\n${line}\nXRAY TraceId: 1-a\tSegmentId: b\tSampled: true`;
    expect(parseReport(log, id)).toEqual({
      durationMs: 40.04,
      billedDurationMs: 222,
      memorySizeMb: 512,
      maxMemoryUsedMb: 96,
      restoreDurationMs: 410.93,
      billedRestoreDurationMs: 181,
    });
  });

  it("takes no other invocation's line", () => {
    expect(parseReport(report, "another-id")).toBeUndefined();
  });

  it("takes no Duration that the application printed", () => {
    const log = `Duration: 9999 ms\nI saw REPORT RequestId: ${id}\tDuration: 9999.00 ms\n${report}\nDuration: 9999.00 ms`;
    expect(parseReport(log, id)?.durationMs).toBe(912.48);
  });

  it.each([
    ["before Lambda's", (forged: string) => `${forged}\n${report}\n`],
    ["after it, from the next invocation", (forged: string) => `${report}\n${forged}`],
  ])("takes neither where the application printed one of the same form %s", (_, logWith) => {
    const metrics = { durationMs: 1, billedDurationMs: 1 };
    for (const forged of [
      `REPORT RequestId: ${id}\tDuration: 9999.00 ms\tBilled Duration: 9999 ms`,
      report.replace("912.48", "1.00"),
      jsonLine({ requestId: id, metrics }),
    ]) {
      expect(readReport(logWith(forged), id)).toEqual({
        refused: `2 reports of ${id} differ; Lambda writes one`,
      });
    }
  });

  it("takes one that a log has twice", () => {
    expect(parseReport(`${report}\n${report}`, id)?.durationMs).toBe(912.48);
  });

  it("gives only whole figures of a line that was cut, wherever it was cut", () => {
    const whole = parseReport(report, id);
    for (let end = 0; end < report.length; end += 1) {
      expect(whole).toMatchObject(parseReport(report.slice(0, end), id) ?? {});
    }
  });

  it("finds nothing in a tail that lost its REPORT, and never 0", () => {
    expect(parseReport("x".repeat(4096), id)).toBeUndefined();
    expect(parseReport(report.slice(20), id)).toBeUndefined();
  });

  it("is not confused by INIT_REPORT lines, even twice", () => {
    const init = "INIT_REPORT Init Duration: 10010.12 ms\tPhase: init\tStatus: timeout";
    const log = `${init}\n${init}\nREPORT RequestId: ${id}\tDuration: 12.00 ms`;
    expect(parseReport(log, id)).toEqual({ durationMs: 12 });
  });

  it("takes no Init from INIT_REPORT where the invocation's own line has none", () => {
    const log = `INIT_REPORT Init Duration: 9999.00 ms\tPhase: invoke\tStatus: error\tError Type: Runtime.ExitError\nREPORT RequestId: ${id}\tDuration: 10012.00 ms\tStatus: error\tError Type: Runtime.ExitError`;
    expect(parseReport(log, id)).toEqual({
      durationMs: 10012,
      status: "error",
      errorType: "Runtime.ExitError",
    });
  });

  it("carries a status that is no success", () => {
    const log = `2026-01-01T00:00:00.000Z ${id} Task timed out after 3.00 seconds\n\nREPORT RequestId: ${id}\tDuration: 3000.00 ms\tStatus: timeout`;
    expect(parseReport(log, id)).toEqual({ durationMs: 3000, status: "timeout" });
  });

  it("reads the JSON record of a warm invocation", () => {
    const record = {
      requestId: id,
      status: "success",
      metrics: { durationMs: 2.5, billedDurationMs: 3, memorySizeMB: 128, maxMemoryUsedMB: 31 },
    };
    const log = `{"level":"INFO"}\n${JSON.stringify({ time: "t", type: "platform.report", record })}\n`;
    expect(parseReport(log, id)).toEqual({
      durationMs: 2.5,
      billedDurationMs: 3,
      memorySizeMb: 128,
      maxMemoryUsedMb: 31,
    });
  });

  it.each([
    ["a cold start", { initDurationMs: 112.1 }, { initDurationMs: 112.1 }],
    [
      "a restore",
      { restoreDurationMs: 410.93, billedRestoreDurationMs: 181 },
      { restoreDurationMs: 410.93, billedRestoreDurationMs: 181 },
    ],
    ["a figure that is none", { billedDurationMs: null, memorySizeMB: "128" }, {}],
    ["a figure that no clock gives", { initDurationMs: -1 }, {}],
  ])("reads the JSON record of %s", (_, metrics, expected) => {
    const record = { requestId: id, metrics: { durationMs: 2.5, ...metrics } };
    expect(parseReport(jsonLine(record), id)).toEqual({ durationMs: 2.5, ...expected });
  });

  it("takes no report whose figures no invocation has, and no earlier line in its place", () => {
    const huge = `REPORT RequestId: ${id}\tDuration: ${"9".repeat(300)} ms`;
    for (const line of [
      huge,
      huge.replace(/9{300}/, "9".repeat(400)),
      `${report}Max Memory Used: 99999999999 MB`,
      jsonLine({ requestId: id, metrics: { durationMs: 1e299 } }),
      jsonLine({ requestId: id, metrics: { durationMs: 1, initDurationMs: 2e9 } }),
      jsonLine({ requestId: id, metrics: { durationMs: 1, initDurationMs: 0.5 } }).replace(
        "0.5",
        "1e400",
      ),
    ]) {
      expect(readReport(line, id)).toEqual({ refused: expect.stringContaining("telemetry") });
      expect(parseReport(`${report}\n${line}`, id)).toBeUndefined();
    }
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "has no use for a key %s, as text or as JSON",
    (key) => {
      const text = `REPORT RequestId: ${id}\t${key}: 7 ms\tDuration: 2.50 ms`;
      expect(parseReport(text, id)).toStrictEqual({ durationMs: 2.5 });
      const metrics = JSON.parse(`{ "durationMs": 2.5, "${key}": 7 }`);
      expect(parseReport(jsonLine({ requestId: id, metrics }), id)).toStrictEqual({
        durationMs: 2.5,
      });
    },
  );

  it("carries the status and the error of a JSON record", () => {
    const metrics = { durationMs: 3000 };
    const record = { requestId: id, metrics, status: "timeout", errorType: "Sandbox.Timedout" };
    expect(parseReport(jsonLine(record), id)).toEqual({
      durationMs: 3000,
      status: "timeout",
      errorType: "Sandbox.Timedout",
    });
  });

  it("takes no JSON record of another kind, of another invocation, or inside an application's message", () => {
    const record = { requestId: id, metrics: { durationMs: 9999 } };
    const logged = { level: "INFO", requestId: id, message: jsonLine(record), record };
    const log = [
      JSON.stringify(logged),
      JSON.stringify({ type: "platform.initReport", record }),
      jsonLine({ ...record, requestId: "another" }),
      jsonLine(record).slice(0, -3),
    ];
    expect(parseReport(log.join("\n"), id)).toBeUndefined();
  });

  it("reads back what is printed, to its two decimals", () => {
    fc.assert(
      fc.property(madeUpTelemetry, fc.uuid(), (printed, requestId) => {
        expect(parseReport(formatReport(requestId, printed), requestId)).toEqual(printed);
      }),
    );
  });

  it("never throws and never invents, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseReport(text, id)).toBeUndefined();
      }),
    );
  });
});
