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

  it("counts the rows that are no REPORT, quoted newlines being no rows", () => {
    const read = readGolden("insights.csv");
    expect(read.read).toBe(4);
    expect(Object.fromEntries(read.notTaken)).toEqual({
      "other lines": 1,
      "rows of another type": 1,
    });
    expect(read.invocations[1]?.line).toBe(7);
  });

  it("needs no column but @message, which holds the REPORT", () => {
    const message =
      '"REPORT RequestId: r1\tDuration: 2.50 ms\tMax Memory Used: 38 MB\tMemory Size: 128 MB\t"';
    expect(csv("@message", message).invocations).toEqual([
      {
        line: 2,
        requestId: "r1",
        telemetry: { durationMs: 2.5, maxMemoryUsedMb: 38, memorySizeMb: 128 },
      },
    ]);
  });

  it("is also read as the table in Markdown that the console copies after the query", () => {
    const row = (line: string) => `| ${line.replaceAll(",", " | ")} |`;
    const header = "@timestamp,@duration,@initDuration,@memorySize";
    const rows = [
      "2026-01-05 10:00:01.000,2.5,,128000000",
      "2026-01-05 10:00:00.000,41.2,112.1,128000000",
    ];
    const table = [row(header), "| --- | --- | --- | --- |", ...rows.map(row)].join("\n");
    const text = `**CloudWatch Logs Insights**  \nregion: us-east-1\n---\n${table}\n\nThe end`;
    const { format, invocations } = readSource({ name: "a.md", text });
    expect(format).toBe("insights");
    expect(invocations.map(({ line }) => line)).toEqual([7, 6]);
    const figures = ({ telemetry }: (typeof invocations)[number]) => telemetry;
    expect(invocations.map(figures)).toEqual(csv(header, ...rows).invocations.map(figures));
  });

  it("takes a log group's events too, whose time is in milliseconds since 1970", () => {
    const message = '"REPORT RequestId: r1\tDuration: 2.50 ms\tMax Memory Used: 38 MB\t"';
    const [found] = csv("timestamp,message", `1767607200154,${message}`).invocations;
    expect(found?.reportedAt).toBe("2026-01-05T10:00:00.154Z");
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

  it("is refused where its columns cannot tell a cold start from a warm call", () => {
    expect(() => csv("@requestId,@duration", "r1,2.5")).toThrow(
      'a.csv line 1: header: found ["@requestId","@duration"]; allowed: @duration and @initDuration',
    );
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

  it("is refused with a REPORT in its message whose figures no invocation has", () => {
    const message = `REPORT RequestId: r1\tDuration: ${"9".repeat(300)} ms\tMax Memory Used: 38 MB`;
    expect(() => csv("@message", message)).toThrow(
      /^a.csv line 2: telemetry.durationMs: found "REPORT .*; allowed: must be <= 1000000000$/,
    );
  });

  it("is refused where it is no CSV, by its line", () => {
    expect(() => csv("@duration,@initDuration", "1,", '"2,')).toThrow(
      /^a.csv line \d: found "CSV_/,
    );
    expect(() => csv("@duration,@initDuration", "1,2,3")).toThrow(/^a.csv line 2: found "CSV_/);
  });
});
