import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLog } from "../../lib/import/read-log.ts";
import { SourceReader } from "../../lib/import/read-source.ts";
import { madeUpTelemetry } from "../sampler/made-up-telemetry.ts";
import { formatReport } from "../support/report-line.ts";
import { cold, golden, ids, readGolden, record, shortIds, warm } from "./sources.ts";

const log = (text: string) => readLog({ name: "a.log", text });

describe("a log in Lambda's text format", () => {
  const source = readGolden("text.log");

  it("gives every REPORT, whatever the order of its fields, and no Duration of an application", () => {
    expect(source.format).toBe("report");
    expect(shortIds(source)).toEqual(["1", "2", "3", "4", "5", "6", "3"]);
    const figures = source.invocations.map(({ telemetry }) => telemetry);
    const warm = { durationMs: 2.51, billedDurationMs: 3, memorySizeMb: 128, maxMemoryUsedMb: 39 };
    const cold = { ...warm, durationMs: 41.2, billedDurationMs: 154, maxMemoryUsedMb: 38 };
    expect(figures[0]).toEqual({ ...cold, initDurationMs: 112.1 });
    expect(figures[1]).toEqual({
      ...cold,
      durationMs: 39.5,
      billedDurationMs: 138,
      initDurationMs: 98,
    });
    expect(figures[3]).toEqual(warm);
    expect(source.invocations[5]).toMatchObject({
      line: 15,
      reportedAt: "2026-01-05T10:00:00.123Z",
    });
    expect(figures.map(({ durationMs }) => durationMs)).not.toContain(9999);
  });

  it("counts what it did not take, and why; empty lines are no lines", () => {
    expect(source.read).toBe(16);
    expect(Object.fromEntries(source.notTaken)).toEqual({
      "other lines": 5,
      "reports that cannot be read for certain": 1,
      "INIT_REPORT lines, which name no invocation": 2,
      "reports without a Duration": 1,
    });
    expect(source.warnings).toEqual([
      expect.stringMatching(/^text.log line 4: this REPORT was skipped: /),
      expect.stringMatching(/^text.log: 1 Init failed .* is set aside$/),
      expect.stringMatching(/^text.log: a local emulator/),
    ]);
    expect(log("INIT_REPORT Init Duration: 8431.38 ms").warnings).toEqual([]);
  });
});

describe("a log in Lambda's JSON format", () => {
  const source = readGolden("json.log");

  it("gives every platform.report, with its time, and none that an application logged", () => {
    expect(source.format).toBe("report");
    expect(shortIds(source)).toEqual(["1", "3", "5", "8"]);
    expect(source.invocations[0]).toMatchObject({
      line: 5,
      reportedAt: "2026-01-05T10:00:00.154Z",
    });
    expect(source.invocations[2]?.telemetry).toMatchObject({ status: "error" });
  });

  it("counts a failed platform.initReport as a failed Init, and a successful one not", () => {
    expect(source.warnings).toEqual([expect.stringContaining(": 1 Init failed or timed out")]);
    expect(source.notTaken.get("INIT_REPORT lines, which name no invocation")).toBe(2);
  });

  const pretty = (indent: number, ...some: readonly string[]) =>
    some.map((id) => JSON.stringify(record(id), null, indent)).join("\n");

  it.each([2, 4])("is read of records indented by %i, wherever the text was cut", (indent) => {
    const text = `said something\n${pretty(indent, "a", "b")}\n${warm}\n`;
    const reader = new SourceReader("a", "report");
    for (const character of text) reader.add(character);
    const { invocations, read } = reader.end();
    const found = invocations.map(({ requestId, line }) => [requestId, line]);
    expect(found).toEqual([
      ["a", 2],
      ["b", expect.any(Number)],
      [ids[1], text.split("\n").length - 1],
    ]);
    expect(read).toBe(4);
  });

  it("hides no report behind a record that never ends", () => {
    const text = `{\n  "half": 1,\n${cold}\n{\n  not JSON\n}\n${warm}\n{\n  "open": 1`;
    const { invocations, read } = log(text);
    expect(invocations.map(({ requestId }) => requestId)).toEqual([ids[0], ids[1]]);
    expect(read).toBe(9);
  });
});

describe("any log", () => {
  it.each([
    ["text.log", []],
    ["json.log", ["hello"]],
  ])(
    "names the function, the region and the runtime as INIT_START does: %s",
    (name, functionNames) => {
      const { regions, runtimeVersions, functionNames: found } = readGolden(name);
      expect([regions, runtimeVersions, found]).toEqual([
        ["eu-west-1"],
        ["python:3.13.v10"],
        functionNames,
      ]);
    },
  );

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
