import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  exitCodeFor,
  exitCodes,
  exitCodesHelp,
  gateExitCode,
  isWhole,
} from "../../bin/exit-codes.ts";
import { gateFinding } from "../../lib/analysis/gate.ts";
import type { Compared } from "../../lib/analysis/series-ratio.ts";
import { gateText } from "../../lib/report/gate-text.ts";

const cellFailure = { cellId: "a", block: 0, type: "Error", message: "failed" };
const manifest = (rejected: Record<string, number>, failures: number) => ({
  target: "local" as const,
  status: failures === 0 ? ("complete" as const) : ("partial" as const),
  counts: { planned: 200, recorded: 200, rejected },
  cellFailures: Array.from({ length: failures }, () => cellFailure),
});
const own = (verdict: Compared["verdict"], more: Partial<Compared> = {}): Compared => ({
  ...{ environments: 9, baselineEnvironments: 9, verdict, ...more },
});
const finding = (
  comparisons: readonly Compared[],
  rejected: Record<string, number> = {},
  failures = 0,
) => gateFinding({ comparisons, margin: 0.05, manifests: [manifest(rejected, failures)] });

describe("the exit codes", () => {
  it("stand in the docs as --help prints them, each once", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../docs/running-locally.md"), "utf8");
    expect(docs).toContain(exitCodesHelp);
    for (const code of Object.values(exitCodes)) {
      expect(exitCodesHelp.match(new RegExp(`^ {2}${code} `, "gm"))).toHaveLength(1);
    }
  });

  it("have 1 for what is slower alone", () => {
    expect(exitCodeFor("TypeError")).toBe(exitCodes.failed);
    expect(exitCodeFor("InvalidInput")).toBe(exitCodes.badInput);
    expect(exitCodes.failed).not.toBe(1);
  });
});

describe("a run without a gate", () => {
  const counts = { planned: 9, recorded: 9, kept: 0, rejected: {} };

  it("is not whole where all of its calls are wrong, nor where it is partial", () => {
    const wrong = { ...counts, rejected: { "result-wrong": 9 } };
    expect(isWhole({ status: "complete", counts: wrong })).toBe(false);
    expect(isWhole({ status: "complete", counts: { ...wrong, kept: 1 } })).toBe(true);
    expect(isWhole({ status: "partial", counts: { ...counts, kept: 9 } })).toBe(false);
  });
});

describe("a gate", () => {
  const equivalent = own("equivalent", { ratio: 1, low: 0.99, high: 1.01 });
  const slower = own("slower", { ratio: 2, low: 1.9, high: 2.1 });
  const undecided = own("undecided", {
    ...{ undecidedReason: "interval-crosses-margin", ratio: 1.4, low: 1.02, high: 1.91 },
  });

  it("passes what was compared and is not slower, and says what is undecided, up to how much", () => {
    expect(gateExitCode(finding([equivalent, undecided]))).toBe(0);
    expect(gateText(finding([equivalent, undecided]))).toBe(
      "0 slower, 1 undecided: a slowdown of up to 1.91 times is not excluded",
    );
  });

  it("ends with 1 on what is slower, whatever else could not be compared", () => {
    expect(gateExitCode(finding([equivalent, slower], { "result-wrong": 3 }))).toBe(1);
  });

  it.each([
    ["wrong answers", { "result-wrong": 24 }, 0, "24 calls did not return the expected answer"],
    ["failed calls", { error: 1 }, 0, "1 call failed"],
    [
      "calls without a report",
      { "telemetry-missing": 2 },
      0,
      "2 calls have no report of their own",
    ],
    ["failed trials", {}, 2, "2 trials failed"],
  ] as const)("passes no build with %s", (_what, rejected, failures, text) => {
    const found = finding([equivalent], rejected, failures);
    expect(gateExitCode(found)).toBe(exitCodes.notCompared);
    expect(gateText(found)).toBe(`not compared in full (${text}); 0 slower, 0 undecided`);
  });

  it("passes nothing of which there are too few environments", () => {
    const few = own("undecided", { undecidedReason: "too-few", environments: 0 });
    expect(gateExitCode(finding([equivalent, few]))).toBe(exitCodes.notCompared);
    expect(gateText(finding([few]))).toContain("1 comparison has too few environments");
  });

  it("passes no run that ended early, though none of its trials failed", () => {
    const early = { ...manifest({}, 0), status: "partial" as const };
    const found = gateFinding({
      ...{ comparisons: [equivalent], margin: 0.05 },
      manifests: [manifest({}, 0), early],
    });
    expect(gateExitCode(found)).toBe(exitCodes.notCompared);
    expect(gateText(found)).toBe("not compared in full (1 run is partial); 0 slower, 0 undecided");
  });

  it("passes no run that compares nothing, as of one function alone", () => {
    expect(gateExitCode(finding([]))).toBe(exitCodes.notCompared);
    expect(gateText(finding([]))).toContain("not compared in full (there is nothing to compare)");
  });

  it("passes nothing whose mean is 0, which nothing can be held against", () => {
    const zero = own("undecided", { undecidedReason: "not-positive" });
    expect(gateExitCode(finding([equivalent, zero]))).toBe(exitCodes.notCompared);
    expect(gateText(finding([zero]))).toBe(
      "not compared in full (1 comparison has a mean of 0, and no ratio); 0 slower, 0 undecided",
    );
  });

  it("tells a slowdown of a few percent from none", () => {
    const near = own("undecided", {
      undecidedReason: "inside-noise-floor",
      ratio: 1,
      low: 0.99,
      high: 1.04,
    });
    expect(gateText(finding([near]))).toContain("a slowdown of up to 1.04 times is not excluded");
  });

  it("asks nothing of the parts of a cold start, nor of warm-up calls", () => {
    const part = { ...slower, descriptive: true as const };
    expect(gateExitCode(finding([equivalent, part], { "warm-up": 27 }))).toBe(0);
  });
});
