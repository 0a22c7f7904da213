import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLog } from "../../lib/import/read-log.ts";
import { readSource } from "../../lib/import/read-source.ts";
import { madeUpTelemetry } from "../sampler/made-up-telemetry.ts";
import { formatReport } from "../support/report-line.ts";
import { golden, readGolden, shortIds } from "./sources.ts";

const log = (text: string) => readLog({ name: "a.log", text });

describe("a log in Lambda's text format", () => {
  it("gives every REPORT, whatever the order of its fields, with tabs or with spaces", () => {
    const read = readGolden("text.log");
    expect(read.format).toBe("report");
    expect(shortIds(read)).toEqual(["1", "2", "3", "4", "5", "6", "3"]);
    const [first, second, , spaced] = read.invocations.map(({ telemetry }) => telemetry);
    expect(first).toEqual({
      durationMs: 41.2,
      billedDurationMs: 154,
      memorySizeMb: 128,
      maxMemoryUsedMb: 38,
      initDurationMs: 112.1,
    });
    expect(second).toEqual({
      ...first,
      durationMs: 39.5,
      billedDurationMs: 138,
      initDurationMs: 98,
    });
    expect(spaced).toEqual({
      durationMs: 2.51,
      billedDurationMs: 3,
      memorySizeMb: 128,
      maxMemoryUsedMb: 39,
    });
  });

  it("takes no Duration of an application, at the beginning of a line or within one", () => {
    const durations = readGolden("text.log").invocations.map(
      ({ telemetry }) => telemetry.durationMs,
    );
    expect(durations).not.toContain(9999);
  });

  it("counts what it did not take, and why; empty lines are no lines", () => {
    const read = readGolden("text.log");
    expect(read.read).toBe(16);
    expect(Object.fromEntries(read.notTaken)).toEqual({
      "other lines": 5,
      "reports that cannot be read for certain": 1,
      "INIT_REPORT lines, which name no invocation": 2,
      "reports without a Duration": 1,
    });
  });

  it("says of Inits that failed where the next invocation stands", () => {
    expect(readGolden("text.log").warnings).toEqual([
      expect.stringMatching(/^text.log line 4: this REPORT was skipped: /),
      expect.stringMatching(/^text.log: 1 Init failed .* is set aside$/),
      expect.stringMatching(/^text.log: a local emulator/),
    ]);
    expect(log("INIT_REPORT Init Duration: 8431.38 ms").warnings).toEqual([]);
  });

  it("reads past the time and the log stream that aws logs tail prints before a line", () => {
    const sixth = readGolden("text.log").invocations[5];
    expect(sixth).toMatchObject({ line: 15, reportedAt: "2026-01-05T10:00:00.123Z" });
    expect(sixth?.telemetry.memorySizeMb).toBe(256);
  });

  it("says what INIT_START does of the runtime and the region", () => {
    const { regions, runtimeVersions, functionNames } = readGolden("text.log");
    expect({ regions, runtimeVersions, functionNames }).toEqual({
      regions: ["eu-west-1"],
      runtimeVersions: ["python:3.13.v10"],
      functionNames: [],
    });
  });
});

describe("a log in Lambda's JSON format", () => {
  it("gives every platform.report, with its time, and none that an application logged", () => {
    const read = readGolden("json.log");
    expect(read.format).toBe("report");
    expect(shortIds(read)).toEqual(["1", "3", "5", "8"]);
    expect(read.invocations[0]).toMatchObject({ line: 5, reportedAt: "2026-01-05T10:00:00.154Z" });
    expect(read.invocations[2]?.telemetry).toMatchObject({ status: "error" });
  });

  it("counts a failed platform.initReport as a failed Init, and a successful one not", () => {
    const read = readGolden("json.log");
    expect(read.warnings).toEqual([expect.stringContaining(": 1 Init failed or timed out")]);
    expect(read.notTaken.get("INIT_REPORT lines, which name no invocation")).toBe(2);
  });

  it("names the function, the region and the runtime as platform.initStart does", () => {
    expect(readGolden("json.log")).toMatchObject({
      functionNames: ["hello"],
      regions: ["eu-west-1"],
      runtimeVersions: ["python:3.13.v10"],
    });
  });
});

describe("any log", () => {
  it("gives no report whose figures no invocation has: it is counted, and the first one is named", () => {
    const huge = `REPORT RequestId: r1\tDuration: ${"9".repeat(300)} ms\tMax Memory Used: 38 MB`;
    const read = log(
      ["REPORT RequestId: r2\tDuration: 2.50 ms\tMax Memory Used: 38 MB", huge, huge].join("\n"),
    );
    expect(read.invocations).toHaveLength(1);
    expect(Object.fromEntries(read.notTaken)).toEqual({
      "reports with an impossible figure": 2,
    });
    expect(read.warnings).toEqual([
      "a.log line 2: telemetry.durationMs: found 1e+300; allowed: must be <= 1000000000",
    ]);
    expect(() => readSource({ name: "a.log", text: huge })).toThrow(
      "reports with an impossible figure: 1\n  a.log line 1: telemetry.durationMs: found 1e+300",
    );
  });

  it.each(["constructor", "__proto__", "toString"])("takes the name %s for a name", (name) => {
    const start = JSON.stringify({ type: "platform.initStart", record: { functionName: name } });
    const read = log(
      `${start}\nREPORT RequestId: ${name}\t${name}: 1 ms\tDuration: 2.50 ms\tMax Memory Used: 38 MB`,
    );
    expect(read.functionNames).toEqual([name]);
    expect(read.invocations).toStrictEqual([
      { line: 2, requestId: name, telemetry: { durationMs: 2.5, maxMemoryUsedMb: 38 } },
    ]);
  });

  it("gives the same invocation of a REPORT in text, with tabs or spaces, and in JSON", () => {
    const inJson = {
      memorySizeMb: "memorySizeMB",
      maxMemoryUsedMb: "maxMemoryUsedMB",
    } as Readonly<Record<string, string>>;
    fc.assert(
      fc.property(
        madeUpTelemetry,
        fc.nat(10_240),
        fc.uuid(),
        (some, maxMemoryUsedMb, requestId) => {
          const reported = { ...some, maxMemoryUsedMb };
          const text = formatReport(requestId, reported);
          const entries = Object.entries(reported).map(([key, value]) => [
            inJson[key] ?? key,
            value,
          ]);
          const record = { requestId, status: "success", metrics: Object.fromEntries(entries) };
          const json = JSON.stringify({ type: "platform.report", record });
          const expected = [{ line: 1, requestId, telemetry: reported }];
          for (const form of [text, text.replaceAll("\t", " "), json]) {
            expect(log(form).invocations).toEqual(expected);
          }
        },
      ),
    );
  });

  it("is read without an error, whatever it holds", () => {
    const pieces = golden("text.log").text.split("\n").concat(golden("json.log").text.split("\n"));
    const piece = fc.oneof(fc.string(), fc.constantFrom(...pieces), fc.json());
    const cut = fc.tuple(piece, fc.nat(200)).map(([text, end]) => text.slice(0, end));
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, cut)), (lines) => {
        const read = log(lines.join("\n"));
        const left = [...read.notTaken.values()].reduce((sum, n) => sum + n, 0);
        expect(read.invocations.length + left).toBe(read.read);
      }),
    );
  });
});
