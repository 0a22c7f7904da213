import { describe, expect, it } from "vitest";
import { compareRuns } from "../../lib/analysis/compare-runs.ts";
import { gatedComparisons, gateFinding, isCompared } from "../../lib/analysis/gate.ts";
import type { CellCounts } from "../../lib/analysis/quality-counts.ts";
import { type Unsound, unsoundCalls } from "../../lib/analysis/standing.ts";
import { lostReasons } from "../../lib/contract/exclusion-reasons.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { fixtureReport } from "../report/support/fixture-report.ts";
import { oneRun } from "./support/one-run.ts";

type Calls = readonly [recorded: number, lost: number, rejected: number];

function counts(calls: Partial<Record<Sample["phase"], Calls>>): Pick<CellCounts, "byPhase"> {
  const of = ([recorded, lost, rejected]: Calls = [0, 0, 0]) => ({
    ...{ recorded, lost, rejected },
    reasons: [...(lost > 0 ? ["error"] : []), ...(rejected > 0 ? ["init-missing"] : [])],
  });
  return { byPhase: { cold: of(calls.cold), second: of(calls.second), warm: of(calls.warm) } };
}

describe("the calls of a cell", () => {
  const cell = { id: "head-arm64-512" };

  it.each<[string, Sample["target"], Parameters<typeof counts>[0], Unsound["kind"] | undefined]>([
    ["count if none is lost or rejected", "aws", { cold: [9, 0, 0] }, undefined],
    ["do not count if one is lost", "local", { cold: [60, 1, 0] }, "lost"],
    ["do not count if one of another kind is lost", "aws", { warm: [600, 1, 0] }, "lost"],
    ["count if one alone is rejected", "local", { cold: [9, 0, 1] }, undefined],
    ["count if 5% are rejected", "local", { cold: [60, 0, 3] }, undefined],
    ["do not count if more are rejected", "local", { cold: [60, 0, 4] }, "rejected"],
    ["count if many of another kind are rejected", "local", { warm: [60, 0, 30] }, undefined],
    ["of a log count if 5% failed", "imported", { warm: [200, 10, 40] }, undefined],
    ["of a log do not count if more failed", "imported", { warm: [200, 11, 0] }, "lost"],
  ])("%s", (_, target, calls, kind) => {
    expect(unsoundCalls(target, cell, counts(calls), "cold")?.kind).toBe(kind);
  });

  it("are named by what they did, of the kind of call that they are", async () => {
    const each = (sample: Sample): Sample =>
      sample.cell.variant === "python" && sample.phase === "warm" && sample.sequence % 3 === 0
        ? { ...sample, rejected: { reason: "boot-id-changed" } }
        : sample;
    const choice = { target: "local", variants: ["rust", "python"], memoryMb: [128] } as const;
    const { screen } = await fixtureReport(choice, { each });
    expect(screen).toMatch(
      /Not compared: \d+ of \d+ warm calls of Python do not count \(boot-id-changed\)\./,
    );
    expect(screen).not.toMatch(/failed|answered wrongly/);
  });

  it("are counted with those of the same kinds, and with their reasons", () => {
    expect(
      unsoundCalls("local", cell, counts({ cold: [9, 2, 1], warm: [90, 0, 0] }), "warm"),
    ).toEqual({
      kind: "lost",
      cellId: cell.id,
      calls: 2,
      of: 9,
      phases: ["cold"],
      reasons: ["error"],
    });
  });
});

describe("a rule that is changed in its one place", () => {
  const choice = { target: "local", variants: ["rust", "python"], memoryMb: [128, 512] } as const;
  const each = (sample: Sample): Sample =>
    sample.cell.id === "python-arm64-128" && sample.phase === "cold" && sample.block === 1
      ? { ...sample, rejected: { reason: "init-missing" } }
      : sample;

  async function surfaces() {
    const report = await fixtureReport(choice, { each });
    const { comparisons, margin, manifest, recommendation } = report.view;
    const finding = gateFinding({
      ...{ comparisons: gatedComparisons(comparisons), margin, manifests: [manifest] },
    });
    const run = await oneRun(choice, { each });
    return {
      unsound: finding.unsound.length,
      isCompared: isCompared(finding),
      ofTwoRuns: compareRuns([{ before: run, after: run }], { margin }).filter(
        ({ unsound }) => unsound !== undefined,
      ).length,
      leftOut: recommendation?.leftOut?.map(({ cell }) => cell.id) ?? [],
      screen: /Not compared: 1 of \d+ cold starts of Python at 128 MB/.test(report.screen),
      markdown: /Not compared: 1 of \d+ cold starts of Python at 128 MB/.test(report.markdown),
      page: /Not compared: 1 of \d+ cold starts of Python at 128.MB/.test(
        report.files["report.html"] ?? "",
      ),
      comment: /Not compared in full/.test(report.comment),
    };
  }

  it("changes gate, comparison of runs, advice, first screen, page and comment together", async () => {
    const before = await surfaces();
    const changed: string[] = lostReasons as unknown as string[];
    changed.push("init-missing");
    const after = await surfaces().finally(() => changed.pop());
    const said = { screen: false, markdown: false, page: false, comment: false };
    expect(before).toEqual({ unsound: 0, isCompared: true, ofTwoRuns: 0, leftOut: [], ...said });
    expect(after).toMatchObject({
      ...{ isCompared: false, leftOut: ["python-arm64-128"] },
      ...{ screen: true, markdown: true, page: true, comment: true },
    });
    expect(after.unsound).toBeGreaterThan(0);
    expect(after.ofTwoRuns).toBeGreaterThan(0);
  });
});
