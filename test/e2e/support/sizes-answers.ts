import { expect } from "vitest";
import type { Summary } from "../../../lib/analysis/summary.ts";
import type { SeenScreen } from "./first-screen-answers.ts";

type Question = readonly [question: string, check: (seen: SeenScreen, view: Summary) => void];

/** What a reader asks of one function's sizes, and whether the first screen's answer is that of the figures. */
export const sizeQuestions: readonly Question[] = [
  [
    "What does each size take, cold and warm, and what does it cost?",
    (seen, view) => {
      const choice = choiceOf(view);
      const rows = rowsOf(seen);
      expect(rows.map(({ memoryMb }) => memoryMb)).toEqual(
        choice.sizes.map(({ cell }) => cell.memoryMb).toSorted((a, b) => a - b),
      );
      for (const { memoryMb, at } of rows) {
        const means = (["cold", "warm"] as const).map((phase) => {
          const series = view.series.find(
            (each) =>
              each.phase === phase &&
              each.operation === choice.operation &&
              each.cell.memoryMb === memoryMb,
          );
          return phase === "cold" ? series?.initAndDurationMs?.mean : series?.durationMs.mean;
        });
        const shown = [at("cold start, ms"), at(`warm ${choice.operation}, ms`)];
        shown.forEach((text, index) => {
          expect(Number(text.replace(",", "")) / (means[index] ?? Number.NaN)).toBeCloseTo(1, 2);
        });
        const usd = choice.sizes.find(({ cell }) => cell.memoryMb === memoryMb)?.usdPerMillion;
        expect(Number(at("$/million").slice(1))).toBeCloseTo(usd ?? Number.NaN, 1);
      }
    },
  ],
  [
    "Which size is the cheapest, the balanced and the fastest, as far as the run can tell?",
    (seen, view) => {
      const choice = choiceOf(view);
      for (const name of ["cheapest", "balanced", "fastest"] as const) {
        const best = choice[name];
        const isOpen = best.kind === "undecided" && best.among.length === choice.sizes.length;
        const wanted = isOpen
          ? []
          : best.kind === "decided"
            ? [best.cell.memoryMb]
            : best.kind === "undecided"
              ? best.among.map(({ memoryMb }) => memoryMb)
              : [];
        const shown = rowsOf(seen).filter(({ at }) => at("pick").includes(name));
        expect(shown.map(({ memoryMb }) => memoryMb)).toEqual(wanted.toSorted((a, b) => a - b));
        for (const { at } of shown) {
          expect(at("pick").includes(`${name}?`)).toBe(best.kind === "undecided");
        }
      }
    },
  ],
  [
    "Which size should I take, for which traffic?",
    ({ text }, view) => {
      const [, size, traffic] = /Take ([\d,]+) MB: .*? at ([\d.]+)% cold/.exec(text) ?? [];
      const costOf = ({ usdPerMillion = 0 }: { readonly usdPerMillion?: number }) => usdPerMillion;
      const { sizes } = choiceOf(view);
      const taken = sizes.find(({ cell }) => cell.memoryMb === Number(size?.replace(",", "")));
      expect(Number(traffic) / 100).toBe(view.recommendation?.coldShare);
      expect(costOf(taken ?? {})).toBeLessThanOrEqual(1.1 * Math.min(...sizes.map(costOf)));
      expect(costOf(taken ?? {})).toBeGreaterThan(0);
    },
  ],
];

function choiceOf({ recommendation }: Summary) {
  const [choice] = recommendation?.variants ?? [];
  if (choice === undefined) throw new Error("the report recommends no size");
  return choice;
}

/** The rows by the heads of their columns, which stand in another order on a phone. */
function rowsOf({ table }: SeenScreen) {
  const [head = [], ...rows] = table;
  return rows.map((row) => ({
    memoryMb: Number.parseInt((row[0] ?? "").replace(",", ""), 10),
    at: (label: string) => row[head.indexOf(label)] ?? "",
  }));
}
