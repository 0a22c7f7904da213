import { describe, expect, it } from "vitest";
import { readSource } from "../../lib/import/read-source.ts";
import { readGolden, shortIds } from "./sources.ts";

const csv = (...lines: readonly string[]) =>
  readSource({ name: "a.csv", text: `${lines.join("\n")}\n` });

describe("a CSV of CloudWatch Logs Insights", () => {
  it("gives the rows of type REPORT, with memory in MB of a million bytes", () => {
    const read = readGolden("insights.csv");
    expect(read.format).toBe("insights");
    expect(shortIds(read)).toEqual(["1", "3"]);
    expect(read.read).toBe(4);
    expect(Object.fromEntries(read.notTaken)).toEqual({ "other lines": 2 });
    expect(read.invocations[1]?.line).toBe(7);
    expect(read.invocations[0]).toEqual({
      line: 2,
      requestId: "6f2b1c7e-0000-4000-8000-000000000001",
      reportedAt: "2026-01-05T10:00:00.154Z",
      functionName: "hello",
      telemetry: {
        durationMs: 41.2,
        billedDurationMs: 154,
        memorySizeMb: 128,
        maxMemoryUsedMb: 38,
        initDurationMs: 112.1,
      },
    });
  });

  it("is read in the order of its times: queries return the newest rows first", () => {
    const report = (id: string) =>
      `REPORT RequestId: ${id}\tDuration: 2.50 ms\tMax Memory Used: 38 MB\t`;
    const start = (id: string) => `START RequestId: ${id} Version: $LATEST`;
    const rows = [
      ["10:00:02.400", report("r2")],
      ["10:00:02.000", start("r2")],
      ["10:00:01.000", report("r1")],
      ["10:00:01.000", "[ERROR] KeyError: 'id'"],
      ["10:00:01.000", start("r1")],
      ["10:00:00.400", report("r0")],
      ["10:00:00.000", start("r0")],
    ].map(([time, message]) => `2026-01-05 ${time},2026/01/05/[$LATEST]0f1e2d3c,"${message}"`);
    const { invocations, warnings } = csv("@timestamp,@logStream,@message", ...rows);
    expect(invocations.map(({ requestId, failure, line }) => [requestId, failure, line])).toEqual([
      ["r0", undefined, 7],
      ["r1", "KeyError", 4],
      ["r2", undefined, 2],
    ]);
    expect(warnings).toEqual([]);
  });

  it("takes the fields that Insights discovers in a JSON platform.report", () => {
    const names = "durationMs billedDurationMs initDurationMs memorySizeMB".split(" ");
    const header = ["record.requestId", ...names.map((name) => `record.metrics.${name}`)].join(",");
    expect(csv(`type,${header}`, "platform.report,r1,2.5,3,,512").invocations[0]).toMatchObject({
      requestId: "r1",
      telemetry: { durationMs: 2.5, billedDurationMs: 3, memorySizeMb: 512 },
    });
  });

  it("leaves absent what a row leaves empty", () => {
    const [found] = csv("@duration,@initDuration,@billedDuration", "2.5,,").invocations;
    expect(found).toEqual({ line: 2, telemetry: { durationMs: 2.5 } });
  });

  it.each([
    [
      "@requestId,@duration\nr1,2.5",
      '["@requestId","@duration"]; allowed: @duration and @initDuration',
    ],
    [
      "@duration,@initDuration,count(*)\n2.5,,7",
      '"count(*)"; allowed: one row for each invocation',
    ],
    ["bin(5m),avg(@duration)\n2026-01-05 10:00:00.000,2.5", '"bin(5m)"; allowed: one row for each'],
    [`[{"avg(@duration)": "2.5"}]`, '"avg(@duration)"; allowed: one row for each invocation'],
  ])("is refused where its columns tell no calls, or no cold starts: %s", (text, found) => {
    expect(() => csv(text)).toThrow(`a.csv line 1: header: found ${found}`);
  });

  it.each([
    ["@duration", "fast", "milliseconds"],
    ["@duration", "-1", "milliseconds"],
    ["@memorySize", "128", "bytes, the unit that Insights uses (128000000 for 128 MB)"],
    ["@initDuration", "Infinity", "milliseconds"],
    ["@duration", "9".repeat(300), "milliseconds from 0 to 1000000000"],
    ["@memorySize", `128${"0".repeat(30)}`, "bytes"],
  ])("is refused with %s of %s, by line and column", (column, value, allowed) => {
    const header = ["@duration", "@initDuration", "@memorySize"];
    const row = header.map((name) => (name === column ? value : ""));
    expect(() => csv(header.join(","), "1.5,,128000000", row.join(","))).toThrow(
      `a.csv line 3: ${column}: found "${value}"; allowed: ${allowed}`,
    );
  });

  it("is refused where it is no CSV, by its line", () => {
    expect(() => csv("@duration,@initDuration", "1,", '"2,')).toThrow(
      /^a.csv line \d: found "CSV_/,
    );
    expect(() => csv("@duration,@initDuration", "1,2,3")).toThrow(/^a.csv line 2: found "CSV_/);
  });
});
