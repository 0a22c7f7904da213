import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boundHead, boundRows } from "../../bench/gate-study/bounds.ts";
import { busyHead, busyText, sharedMachines, takenShares } from "../../bench/gate-study/busy.ts";
import { meanLimitHead, meanLimitText, meanShapes } from "../../bench/gate-study/mean-limits.ts";
import {
  gatePopulations,
  outcomeEnvironments,
  outcomeHead,
  outcomesOf,
  publishedOutcomes,
} from "../../bench/gate-study/outcomes.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { columns, publishedTable } from "./support/study-table.ts";

const outcomes = publishedTable("regression-gate.md", "outcomes");
const bounds = publishedTable("regression-gate.md", "bounds");
const busy = publishedTable("regression-gate.md", "busy");
const meanLimits = publishedTable("regression-gate.md", "mean-limits");

/** The shares of a row, after its first columns. */
function sharesOf(row: string, first: number): readonly number[] {
  return columns(row).slice(first, -1).map(Number.parseFloat);
}

describe("the study of what a gate says", () => {
  it("prints the tables of the document, of as many rounds as were asked for", () => {
    const command = ["--import", "tsx", join("bench", "outcome-study.ts"), "--rounds", "1"];
    const options = { cwd: projectPaths.root, encoding: "utf8", stdio: "pipe" } as const;
    const printed = execFileSync(process.execPath, command, options).trimEnd().split("\n\n");
    const firstColumns = (row: string) => columns(row).slice(0, 2);
    expect(printed.map((table) => table.split("\n").map(firstColumns))).toEqual(
      [outcomes, busy, bounds, meanLimits].map((table) => table.map(firstColumns)),
    );
    expect(outcomes).toHaveLength(
      outcomeHead.length + gatePopulations.length * outcomeEnvironments.length,
    );
  });

  it("gives the document's bounds again", () => {
    expect([...boundHead, ...boundRows(4_000)]).toEqual(bounds);
    for (const row of bounds.slice(boundHead.length)) {
      const [met = 1, missed = 1] = sharesOf(row, 4);
      expect(Math.max(met, missed)).toBeLessThanOrEqual(8);
    }
  });

  it("gives figures of the document's busy machines again, and no false alarm under any load", () => {
    const [machine] = sharedMachines;
    if (machine === undefined) throw new Error("no machine");
    const again = [0.1, 0.2].map((share) => busyText(share, machine, publishedOutcomes));
    for (const row of again) expect(busy).toContain(row);
    expect(busy).toHaveLength(busyHead.length + takenShares.length * sharedMachines.length);
    for (const row of busy.slice(busyHead.length)) {
      const [, same = 1, , found = 0] = sharesOf(row, 3);
      expect(same).toBeLessThanOrEqual(1);
      if (Number.parseFloat(columns(row)[1] ?? "") <= 10) expect(found).toBeGreaterThanOrEqual(80);
    }
  });

  it("gives a figure of the document's limits on means again, of which at most 5 of 100 are met wrongly but of what was not seen", () => {
    const [plain] = meanShapes;
    if (plain === undefined) throw new Error("no shape");
    expect(meanLimits).toContain(meanLimitText(plain, 10 * publishedOutcomes.rounds));
    const rows = meanLimits.slice(meanLimitHead.length);
    expect(rows).toHaveLength(meanShapes.length);
    for (const row of rows) {
      const [few = 100, many = 100, choosing = 100] = sharesOf(row, 2);
      if (row.includes("Pareto")) continue;
      expect(Math.max(many, choosing)).toBeLessThanOrEqual(5);
      if (!row.includes("1 of 10")) expect(few).toBeLessThanOrEqual(5);
    }
  });

  it("proves no slower build to be no slower, and states no bound below the truth but of one-sided drift", () => {
    for (const row of outcomes.slice(outcomeHead.length)) {
      const [same = 1, , , provenOfTen, understatedOfTen = 1, , provenOfMore, understated] =
        sharesOf(row, 3);
      const isOneSided = row.includes("the variant alone drifts") || row.includes("deployment");
      if (!isOneSided) expect(same).toBeLessThanOrEqual(1);
      expect([provenOfMore, understated]).toEqual([0, 0]);
      expect(Math.max(provenOfTen ?? 1, understatedOfTen)).toBeLessThanOrEqual(isOneSided ? 2 : 1);
    }
  });

  it("finds extra work with nine environments, and calls the same build slower in at most 2 of 40 runs", () => {
    const [plain] = gatePopulations;
    if (plain === undefined) throw new Error("no population");
    const options = { rounds: 40, draws: 1_000, seed: 1 };
    const more = outcomesOf(plain, { environments: 9, slowdown: 1.67 }, options);
    expect(more.slower).toBeGreaterThanOrEqual(0.8);
    expect(more.proven).toBe(0);
    const same = outcomesOf(plain, { environments: 9, slowdown: 1 }, options);
    expect(same.slower).toBeLessThanOrEqual(0.05);
  });
});
