import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  exitCodeFor,
  exitCodes,
  exitCodesHelp,
  type FailOn,
  gateExitCode,
  gateStatus,
  isWhole,
} from "../../bin/exit-codes.ts";
import { type GateFinding, gateFinding } from "../../lib/analysis/gate.ts";
import type { Compared } from "../../lib/analysis/series-ratio.ts";
import { callWords, type Topic } from "../../lib/report/first-screen/topic.ts";
import { gateLines } from "../../lib/report/gate-text.ts";

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

const topicOf = (compared: Compared): Topic => ({
  ...{ subject: "head", against: "the base", call: callWords.warm },
  compared: [{ ...compared, row: "" }],
});
/** What a gate prints with its exit code. */
const textOf = (found: GateFinding<Compared>, failOn?: FailOn) =>
  gateLines(found, gateStatus(gateExitCode(found, failOn)), topicOf).join("\n");

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

describe("the first word of a gate", () => {
  it.each([
    ["PASS", ["complete"]],
    ["FAIL", ["slower", "limitMissed"]],
    ["CANNOT TELL", ["partial", "notCompared", "failed", "notProven", "interrupted"]],
  ] as const)("is %s of %s", (word, codes) => {
    for (const each of codes) expect(gateStatus(exitCodes[each])).toBe(word);
  });
});

describe("a gate", () => {
  const equivalent = own("equivalent", { ratio: 1, low: 0.99, high: 1.01 });
  const slower = own("slower", { ratio: 2, low: 1.9, high: 2.1 });
  const undecided = own("undecided", {
    ...{ undecidedReason: "interval-crosses-margin", ratio: 1.4, low: 1.02, high: 1.91 },
  });

  it("passes what was compared and is not slower, and says what is undecided, up to how much", () => {
    const found = finding([equivalent, undecided]);
    expect(gateExitCode(found)).toBe(0);
    expect(textOf(found)).toMatch(
      /^PASS: .*1 the same, 1 undecided of 2\..*up to 1\.91×; a slow path in fewer than 1 of 3 environments\.$/,
    );
  });

  it("cannot tell where what is undecided has to be proven, and names it with its interval", () => {
    const found = finding([equivalent, undecided]);
    expect(gateExitCode(found, "not-proven")).toBe(exitCodes.notProven);
    const text = textOf(found, "not-proven");
    expect(text).toMatch(/^CANNOT TELL head .*the base .*1\.40× \[1\.02, 1\.91\]/);
    expect(text).not.toMatch(/PASS|FAIL|is slower/);
  });

  it("ends with 1 on what is slower, whatever else could not be compared", () => {
    const found = finding([equivalent, slower], { "result-wrong": 3 });
    expect(gateExitCode(found)).toBe(1);
    expect(textOf(found)).toMatch(
      /^FAIL: head is slower than the base on a warm call: 2\.00× \[1\.90, 2\.10\]\. .*3 calls did not/,
    );
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
    expect(textOf(found)).toContain(`CANNOT TELL: Not compared in full: ${text}. `);
  });

  it("passes nothing of which there are too few environments", () => {
    const few = own("undecided", { undecidedReason: "too-few", environments: 0 });
    expect(gateExitCode(finding([equivalent, few]))).toBe(exitCodes.notCompared);
    expect(textOf(finding([few]))).toContain("1 comparison has too few environments");
  });

  it("passes no run that ended early, though none of its trials failed", () => {
    const early = { ...manifest({}, 0), status: "partial" as const };
    const found = gateFinding({
      ...{ comparisons: [equivalent], margin: 0.05 },
      manifests: [manifest({}, 0), early],
    });
    expect(gateExitCode(found)).toBe(exitCodes.notCompared);
    expect(textOf(found)).toContain("CANNOT TELL: Not compared in full: 1 run is partial. ");
  });

  it("passes no run that compares nothing, as of one function alone", () => {
    expect(gateExitCode(finding([]))).toBe(exitCodes.notCompared);
    expect(textOf(finding([]))).toBe(
      "CANNOT TELL: Not compared in full: there is nothing to compare.",
    );
  });

  it("passes nothing whose mean is 0, which nothing can be held against", () => {
    const zero = own("undecided", { undecidedReason: "not-positive" });
    expect(gateExitCode(finding([equivalent, zero]))).toBe(exitCodes.notCompared);
    expect(textOf(finding([zero]))).toContain(
      "CANNOT TELL: Not compared in full: 1 comparison has a mean of 0, and no ratio. ",
    );
  });

  it("tells a slowdown of a few percent from none", () => {
    const near = own("undecided", {
      undecidedReason: "inside-noise-floor",
      ratio: 1,
      low: 0.99,
      high: 1.04,
    });
    expect(textOf(finding([near]))).toContain("Not excluded: a slowdown up to 1.04×");
  });

  it.each([
    [9, 3],
    [59, 20],
    [60, 20],
    [600, 200],
  ])("says of %i environments on a side that a slow path in 1 of %i may be unseen", (n, rare) => {
    const passed = { ...equivalent, environments: n, baselineEnvironments: 2 * n };
    expect(textOf(finding([passed]))).toContain(
      `Not excluded: a slow path in fewer than 1 of ${rare} environments.`,
    );
  });

  it("asks nothing of the parts of a cold start, nor of warm-up calls", () => {
    const part = { ...slower, descriptive: true as const };
    expect(gateExitCode(finding([equivalent, part], { "warm-up": 27 }))).toBe(0);
  });
});
