import { expect } from "vitest";
import type { TwoRuns } from "../../../lib/report/two-runs-document.ts";
import type { SeenScreen } from "./first-screen-answers.ts";

type Question = readonly [question: string, check: (seen: SeenScreen, runs: TwoRuns) => void];

/** What a reader asks of two builds, and whether the first screen's answer is that of the comparison's figures. */
export const buildQuestions: readonly Question[] = [
  [
    "Did this build get slower, and where?",
    (seen, { changes }) => {
      const slower = judged(changes)
        .filter(({ verdict }) => verdict === "slower")
        .map(seriesName);
      expect(slower.length).toBeGreaterThan(0);
      expect(rowsOf(seen).flatMap((row) => (row.verdict === "slower" ? [row.series] : []))).toEqual(
        slower,
      );
    },
  ],
  [
    "By how much, and between which bounds?",
    (seen, { changes }) => {
      for (const { series, ratio } of rowsOf(seen)) {
        const change = judged(changes).find((each) => seriesName(each) === series);
        const [shown, low, high] = (ratio.match(/[\d.]+/g) ?? []).map(Number);
        expect(shown).toBeCloseTo(change?.ratio ?? Number.NaN, 1);
        expect(low).toBeCloseTo(change?.low ?? Number.NaN, 1);
        expect(high).toBeCloseTo(change?.high ?? Number.NaN, 1);
      }
    },
  ],
  [
    "What did it take before, and what does it take now?",
    (seen, { changes }) => {
      for (const { series, times } of rowsOf(seen)) {
        const change = judged(changes).find((each) => seriesName(each) === series);
        const [before = 0, after = 0] = times
          .split(" → ")
          .map((text) => Number(text.replace(",", "")));
        expect(before / (change?.before.mean ?? Number.NaN)).toBeCloseTo(1, 2);
        expect(after / (change?.after.mean ?? Number.NaN)).toBeCloseTo(1, 2);
      }
    },
  ],
  [
    "How sure is that?",
    ({ text }, { changes, margin }) => {
      const sides = changes.flatMap(({ before, after }) => [
        before.environments,
        after.environments,
      ]);
      const [fewest, most] = [Math.min(...sides), Math.max(...sides)];
      const each = fewest === most ? `${most}` : `${fewest} to ${most}`;
      expect(text).toContain(`How sure: ${each} environments on each side`);
      expect(text).toContain(`its whole 95% CI lies beyond ${100 * margin}%`);
    },
  ],
  [
    "Did anything else change, or stay undecided?",
    ({ text }, { changes }) => {
      const [, counts = "", total] =
        /((?:\d+ [a-z ]+,? )+)of (\d+) series in both runs/.exec(text) ?? [];
      const all = judged(changes);
      expect(Number(total)).toBe(all.length);
      for (const verdict of ["slower", "faster", "equivalent", "undecided"] as const) {
        const n = all.filter((change) => change.verdict === verdict).length;
        const word = verdict === "equivalent" ? "the same" : verdict;
        const [, said = "0"] = new RegExp(`(\\d+) ${word}`).exec(counts) ?? [];
        expect(Number(said), word).toBe(n);
      }
    },
  ],
  [
    "Were both measured under the same conditions?",
    ({ text }, { differences }) => {
      expect(text.includes("The recorded conditions do not differ")).toBe(differences.length === 0);
      for (const { what } of differences) expect(text).toContain(what);
    },
  ],
];

/** Init and the first Duration are parts of the cold start, and have no verdict of their own. */
function judged(changes: TwoRuns["changes"]): TwoRuns["changes"] {
  return changes.filter(({ descriptive }) => descriptive === undefined);
}

function seriesName({ cell, phase, operation }: TwoRuns["changes"][number]): string {
  return phase === "cold" ? `${cell.id} cold` : `${cell.id} ${phase} ${operation}`;
}

interface SeenRow {
  readonly series: string;
  readonly times: string;
  readonly ratio: string;
  readonly verdict: string;
}

/** The rows by the heads of their columns, which stand in another order on a phone. */
function rowsOf({ table }: SeenScreen): readonly SeenRow[] {
  const [head = [], ...rows] = table;
  expect(rows.length).toBeGreaterThan(0);
  return rows.map((row) => {
    const at = (label: string) => row[head.indexOf(label)] ?? "";
    return {
      ...{ series: at("series"), times: at("before → after, ms") },
      ...{ ratio: at("ratio [95% CI]"), verdict: at("verdict") },
    };
  });
}
