import { describe, expect, it } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { formatReport } from "../support/report-line.ts";
import { first, importOf, readText, second } from "./sources.ts";

const start = (id: string) => `START RequestId: ${id} Version: $LATEST`;
const report = (id: string, durationMs: number, initDurationMs?: number) =>
  formatReport(id, {
    ...{ durationMs, memorySizeMb: 128, maxMemoryUsedMb: 38 },
    ...(initDurationMs !== undefined && { initDurationMs }),
  });
const failedInit = (phase: "init" | "invoke") =>
  `INIT_REPORT Init Duration: 9999.92 ms\tPhase: ${phase}\tStatus: timeout`;

/** Lines of a log as `aws logs tail` prints them: each with its time and its stream. */
function logOf(lines: readonly (readonly [stream: string, text: string])[]): string {
  return lines
    .map(([stream, text], index) => {
      const second = String(index).padStart(2, "0");
      return `2026-01-05T10:00:${second}.000000+00:00 ${stream} ${text}`;
    })
    .join("\n");
}

function imported(text: string) {
  const source = readText(text);
  const { samples } = importOf([source], { variant: "hello" });
  const described = (sample: Sample) => [
    sample.requestId,
    sample.phase,
    sample.rejected?.reason ?? "counts",
  ];
  return { warnings: source.warnings, samples: samples.map(described) };
}

describe("an Init that failed", () => {
  const both = logOf([
    [first, failedInit("init")],
    [second, start("b1")],
    [first, start("a1")],
    [second, report("b1", 3, 120)],
    [first, report("a1", 12_345)],
    [first, start("a2")],
    [first, report("a2", 3)],
  ]);

  it("sets aside the stream's next invocation, within which Init ran again, and no other", () => {
    const { samples, warnings } = imported(both);
    expect(samples.toSorted()).toEqual([
      ["a1", "cold", "init-repeated"],
      ["a2", "warm", "counts"],
      ["b1", "cold", "counts"],
    ]);
    expect(warnings).toEqual([expect.stringMatching(/^a\.log: 1 Init failed .* is set aside$/)]);
  });

  it("does so where the log has no START", () => {
    const { samples } = imported(
      logOf([
        [first, failedInit("init")],
        [first, report("a1", 12_345)],
        [first, report("a2", 3)],
      ]),
    );
    expect(samples.map(([, , reason]) => reason)).toEqual(["init-repeated", "counts"]);
  });

  it("leaves a call whose report has an Init Duration, and one after an Init within a call", () => {
    const later = imported(
      logOf([
        [first, failedInit("init")],
        [first, report("a1", 3, 150)],
        [first, failedInit("invoke")],
        [first, report("a2", 3)],
      ]),
    );
    expect(later.samples.map(([, , reason]) => reason)).toEqual(["counts", "counts"]);
  });

  it("does so without a known stream where no call is in progress, with the figures of INIT_REPORT", () => {
    const bare = [
      failedInit("init"),
      ...[start("a1"), report("a1", 12_345), start("a2"), report("a2", 3)],
    ].join("\n");
    const { samples, warnings } = imported(bare);
    expect(samples).toEqual([
      ["a1", "cold", "init-repeated"],
      ["a2", "warm", "counts"],
    ]);
    expect(warnings).toEqual([expect.stringMatching(/is set aside$/)]);
    const [first, second] = importOf([readText(bare)], { variant: "hello" }).samples;
    expect(first?.failedInits).toEqual([{ status: "timeout", durationMs: 9999.92 }]);
    expect(second).not.toHaveProperty("failedInits");
    expect(contractProblem("sample", first)).toBeUndefined();
  });

  it("leaves every call where the stream is unknown and another call in progress, and says that one counts as warm", () => {
    const lines = [start("b1"), failedInit("init"), report("b1", 3), start("a1")];
    const { samples, warnings } = imported([...lines, report("a1", 12_345)].join("\n"));
    expect(samples.map(([, , reason]) => reason)).toEqual(["counts", "counts"]);
    expect(warnings).toEqual([expect.stringMatching(/is counted as warm$/)]);
  });

  it("counts once what a console prints twice, with tabs and with spaces", () => {
    const init = (phase: string, ms: string) =>
      `INIT_REPORT Init Duration: ${ms} ms\tPhase: ${phase}\tStatus: error\tError Type: Runtime.ImportModuleError`;
    const failed = `${report("a1", 143.12)}\tStatus: error\tError Type: Runtime.ImportModuleError`;
    const lines = [init("init", "229.04"), init("invoke", "129.89"), start("a1"), failed];
    const twice = lines.flatMap((line) => [line, "", line.replaceAll("\t", " ")]).join("\n");
    const source = readText(twice);
    expect(source.warnings).toEqual([expect.stringMatching(/: 2 Inits failed/)]);
    const { samples } = importOf([source], { variant: "hello" });
    const errorType = "Runtime.ImportModuleError";
    expect(samples).toMatchObject([
      {
        rejected: { reason: "error" },
        failedInits: [
          { status: "error", durationMs: 229.04, errorType },
          { status: "error", durationMs: 129.89, errorType },
        ],
      },
    ]);
  });

  it("sets it aside in rows of Logs Insights too, whatever their order", () => {
    const rows = [
      [first, failedInit("init")],
      [first, report("a1", 12_345)],
      [first, report("a2", 3)],
    ].map(([stream, text = ""], index) => `2026-01-05 10:00:0${index}.000,"${text}",${stream}`);
    for (const ordered of [rows, rows.toReversed()]) {
      const csv = ["@timestamp,@message,@logStream", ...ordered].join("\n");
      expect(imported(csv).samples).toEqual([
        ["a1", "cold", "init-repeated"],
        ["a2", "warm", "counts"],
      ]);
    }
  });
});
