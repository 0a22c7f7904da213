import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReportView } from "../../lib/analysis/report-view.ts";
import type { Compared } from "../../lib/analysis/series-ratio.ts";
import { verdictText } from "../../lib/report/document/format.ts";
import { verdictCounts } from "../../lib/report/section/columns.ts";

const undecided = (undecidedReason: NonNullable<Compared["undecidedReason"]>): Compared => ({
  environments: 60,
  baselineEnvironments: 60,
  verdict: "undecided",
  undecidedReason,
});

test("a difference that the test alone sees is told beside its verdict", () => {
  expect(verdictText(undecided("differs"))).toBe("undecided (differs)");
  expect(verdictText(undecided("interval-crosses-margin"))).toBe("undecided");
});

test("the guide to reports begins with a legend that has every verdict", () => {
  const path = join(import.meta.dirname, "../../docs/reading-a-report.md");
  const [, legend = ""] = readFileSync(path, "utf8").split("\n\n");
  const reasons = ["differs", "few-calls", "too-few", "one-of-many", "inside-noise-floor"] as const;
  const words = [...reasons, "within-cpu-period" as const].map((each) =>
    verdictText(undecided(each)),
  );
  for (const word of ["**faster**", "**slower**", "**the same**", "**undecided**", ...words]) {
    expect(legend).toContain(`| ${word}`.replace("| **slower", ", **slower"));
  }
});

test("the answer counts why verdicts are undecided, and only what there is", () => {
  const view = { margin: 0.05 } as ReportView;
  const [open, differs] = [undecided("interval-crosses-margin"), undecided("differs")];
  const slower: Compared = { ...open, verdict: "slower" };
  expect(verdictCounts(view, [open, differs, slower])).toBe(
    "slower in 1, undecided (1 different, but possibly by less than the margin) in 2 of 3 comparisons",
  );
  expect(verdictCounts(view, [undecided("one-of-many"), differs])).toBe(
    "undecided (1 not significant after correction, 1 different, but possibly by less than the margin) in all 2 comparisons",
  );
  expect(verdictCounts(view, [open, open])).toBe("undecided in all 2 comparisons");
});
