import { expect } from "vitest";
import type { Summary } from "../../../lib/analysis/summary.ts";

/** What a reader sees of a report without scrolling. */
export interface SeenScreen {
  readonly text: string;
  /** The first screen's table: its head, then its rows. */
  readonly table: readonly (readonly string[])[];
}

type Question = readonly [question: string, check: (seen: SeenScreen, view: Summary) => void];

/** What a first-time reader asks of a local run, and whether the first screen's answer is that of its figures. */
export const questions: readonly Question[] = [
  [
    "What was compared?",
    ({ table }, view) => {
      const named = variantRows(table).map(({ name }) => name);
      const variants = view.subject.variants.map(({ label }) => label);
      expect(variants.map((label) => named.some((name) => label.startsWith(name)))).toEqual(
        variants.map(() => true),
      );
    },
  ],
  [
    "What would Lambda show, and by how much?",
    (seen, view) => {
      for (const { label, memoryMb, cold, warm } of rangesIn(seen)) {
        const variant = idOf(view, label);
        expectRange(cold, rangeOf(view, variant, memoryMb, "cold"));
        expectRange(warm, rangeOf(view, variant, memoryMb, "warm"));
      }
      expect(rangesIn(seen).length).toBeGreaterThan(0);
      expect(seen.text).toContain("On Lambda (90%) vs. ");
    },
  ],
  [
    "Does the range decide it?",
    ({ text }, { onLambda }) => {
      const ranges = (onLambda?.ratios ?? []).filter(({ operation }) => operation === "get");
      const [said = ""] = /On Lambda[^\n]*/.exec(text) ?? [];
      expect(said.includes("slower")).toBe(ranges.some(({ range }) => range.low > 1));
      expect(said.includes("faster")).toBe(ranges.some(({ range }) => range.high < 1));
      const [eitherTimes = 0] = [said.split(", either").length - 1];
      expect(eitherTimes).toBeLessThanOrEqual(
        ranges.filter(({ range: { low, high } }) => low <= 1 && high >= 1).length,
      );
    },
  ],
  [
    "Which one starts first, Init included, and which is faster on a warm call?",
    ({ table }, view) => {
      for (const { name, cells } of variantRows(table)) {
        const id = idOf(view, name);
        for (const { text, memoryMb } of cells) {
          const [, cold, warm] = /^([\d.,]+) \(([\d.,]+)\) \$[\d.]+$/.exec(text) ?? [];
          expectDigits(cold, meanOf(view, id, memoryMb, "cold"));
          expectDigits(warm, meanOf(view, id, memoryMb, "warm"));
        }
      }
    },
  ],
  [
    "What does each cost at each size?",
    ({ table }, view) => {
      for (const { name, cells } of variantRows(table)) {
        const id = idOf(view, name);
        const sizes = view.recommendation?.variants.find(({ variant }) => variant === id)?.sizes;
        for (const { text, memoryMb } of cells) {
          const usd = sizes?.find(({ cell }) => cell.memoryMb === memoryMb)?.usdPerMillion;
          expect(Number(text.split(" $")[1])).toBeCloseTo(usd ?? Number.NaN, 1);
        }
      }
    },
  ],
  [
    "Which one is faster here, and would it be on Lambda?",
    ({ table }, view) => {
      const [baseline, ...others] = variantRows(table);
      expect(baseline?.verdict).toBe("baseline");
      for (const { name, verdict } of others) {
        const id = idOf(view, name);
        expectVerdict(
          verdict,
          view.comparisons.variants
            .filter(
              ({ cell, phase, quantity, operation }) =>
                cell.variant === id &&
                operation === "get" &&
                quantity === (phase === "cold" ? "initAndDurationMs" : "durationMs") &&
                phase !== "second",
            )
            .map((each) => each.verdict),
        );
      }
      for (const { label, verdict, cells } of ratioRows(table)) {
        const id = idOf(view, label);
        const ranges = cells.flatMap(({ memoryMb }) =>
          (["cold", "warm"] as const).map((phase) => rangeOf(view, id, memoryMb, phase)),
        );
        expectVerdict(
          verdict,
          ranges.map((range) =>
            (range?.low ?? 0) > 1 ? "slower" : (range?.high ?? 2) < 1 ? "faster" : "either",
          ),
        );
      }
    },
  ],
  [
    "How often was it measured?",
    ({ text }, { series }) => {
      const warm = series.filter(({ phase }) => phase === "warm").map((each) => each.durationMs);
      const calls = Math.min(...warm.map(({ n }) => n));
      const [environments] = warm.map((each) => each.environments);
      expect(text).toContain(`n = ${calls} warm calls in ${environments} environments each`);
    },
  ],
  [
    "Was this on AWS?",
    ({ text }, { manifest }) => {
      expect(manifest.target).toBe("local");
      expect(text).toMatch(/simulated on one (?:quiet )?machine.*; check on AWS before quoting/);
    },
  ],
  [
    "Was the machine quiet?",
    ({ text }, { manifest }) => {
      expect(/one quiet machine|was busy|other work/.test(text)).toBe(manifest.noise !== undefined);
    },
  ],
  [
    "May I quote the milliseconds?",
    ({ text }, { simulated }) => {
      expect(text.includes("check on AWS before quoting milliseconds")).toBe(simulated);
    },
  ],
  [
    "What does a million calls cost, and how much of that is the request fee?",
    ({ text }, view) => {
      const fee = view.cost.requestUsdPerMillion ?? 0;
      expect(text).toContain(
        `$${leastCost(view).usd.toFixed(2)} per million (fee $${fee.toFixed(2)})`,
      );
    },
  ],
  [
    "Which size should I take?",
    ({ text }, view) => {
      const { label, memoryMb } = leastCost(view);
      const [, name = "", size] = /Take (.*?) at ([\d,]+) MB:/.exec(text) ?? [];
      expect(label.startsWith(name) && name !== "").toBe(true);
      expect(Number(size?.replace(",", ""))).toBe(memoryMb);
    },
  ],
  [
    "For which traffic?",
    ({ text }, { recommendation }) => {
      expect(text).toContain(` at ${100 * (recommendation?.coldShare ?? 0)}% cold`);
    },
  ],
  [
    "What would the other one cost?",
    ({ text }, view) => {
      const least = leastCost(view);
      const python = leastCost(view, "python");
      const [, amount] = /Python costs ([\d.]+)× as much/.exec(text) ?? [];
      expect(Number(amount)).toBeGreaterThanOrEqual((0.99 * python.low) / least.high);
      expect(Number(amount)).toBeLessThanOrEqual((1.01 * python.high) / least.low);
    },
  ],
];

/** A row of the first screen's table. */
interface SeenRow {
  readonly name: string;
  readonly verdict: string;
  readonly cells: readonly { readonly text: string; readonly memoryMb: number }[];
}

/** The rows by the heads of their columns, which stand in another order on a phone. */
function rowsIn(table: SeenScreen["table"]): readonly SeenRow[] {
  const [head = [], ...rows] = table;
  return rows.map((row) => ({
    name: row[0] ?? "",
    verdict: row[head.indexOf("verdict")] ?? "",
    cells: row.flatMap((text, column) => {
      const [, size] = /^([\d,]+) MB, ms/.exec(head[column] ?? "") ?? [];
      return size === undefined ? [] : [{ text, memoryMb: Number(size.replace(",", "")) }];
    }),
  }));
}

const isRatioRow = ({ name }: SeenRow) => name.startsWith("vs. ");

function variantRows(table: SeenScreen["table"]): readonly SeenRow[] {
  return rowsIn(table).filter((row) => !isRatioRow(row));
}

/** The rows such as `vs. Rust on Lambda`, each with the label of the variant in the row above. */
function ratioRows(table: SeenScreen["table"]): readonly (SeenRow & { readonly label: string })[] {
  return rowsIn(table).flatMap((row, index, all) =>
    isRatioRow(row) ? [{ ...row, label: all[index - 1]?.name ?? "" }] : [],
  );
}

/** `slower 2/4` where two of four are and none is faster, `mixed` where both are, `either` where neither is. */
function expectVerdict(shown: string, of: readonly string[]): void {
  const [slower, faster] = ["slower", "faster"].map(
    (word) => of.filter((each) => each === word).length,
  );
  const n = (slower ?? 0) + (faster ?? 0);
  const part = n === of.length ? "" : ` ${n}/${of.length}`;
  if (slower && faster) expect(shown).toBe("mixed");
  else if (n === 0) expect(shown).toMatch(/^(?:the same|either|undecided)$/);
  else expect(shown).toBe(`${slower ? "slower" : "faster"}${part}`);
}

interface SeenRange {
  /** Of the variant, without the part in brackets if that tells no two apart. */
  readonly label: string;
  readonly memoryMb: number;
  readonly cold: string;
  readonly warm: string;
}

/** The cells of rows such as `vs. Rust on Lambda`, `0.44–1.1 (4.4–14)`. */
function rangesIn({ table }: SeenScreen): readonly SeenRange[] {
  return ratioRows(table).flatMap(({ label, cells }) =>
    cells.map(({ text, memoryMb }) => {
      const [, cold = "", warm = ""] = /^(\S+) \((\S+)\)$/.exec(text) ?? [];
      return { label, memoryMb, cold, warm };
    }),
  );
}

type Phase = "cold" | "warm";

/** Of the variant whose label begins as it is shown. */
function idOf(view: Summary, shown: string): string {
  return view.subject.variants.find(({ label }) => label.startsWith(shown))?.id ?? "";
}

function rangeOf(view: Summary, variant: string, memoryMb: number, phase: Phase) {
  const cells = view.plan.cells.filter(
    (cell) => cell.variant === variant && cell.memoryMb === memoryMb,
  );
  return view.onLambda?.ratios.find(
    ({ cellId, operation, ...each }) =>
      each.phase === phase && operation === "get" && cells.some(({ id }) => id === cellId),
  )?.range;
}

/** The printed range holds the whole one, and is wider by no more than its two digits. */
function expectRange(text: string, range: { low: number; high: number } | undefined): void {
  const [low = 0, high = 0] = text.split("–").map((end) => Number(end.replace(",", "")));
  expect(low).toBeLessThanOrEqual(range?.low ?? Number.NaN);
  expect(high).toBeGreaterThanOrEqual(range?.high ?? Number.NaN);
  expect(low).toBeGreaterThan(0.9 * (range?.low ?? Number.NaN));
  expect(high).toBeLessThan(1.1 * (range?.high ?? Number.NaN));
}

function meanOf(view: Summary, variant: string, memoryMb: number, phase: Phase): number {
  const series = view.series.find(
    ({ cell, operation, ...each }) =>
      each.phase === phase &&
      operation === "get" &&
      cell.variant === variant &&
      cell.memoryMb === memoryMb &&
      cell.replicaOf === undefined,
  );
  const measure = phase === "cold" ? series?.initAndDurationMs : series?.durationMs;
  return measure?.mean ?? Number.NaN;
}

/** Three digits of a figure. */
function expectDigits(text: string | undefined, value: number): void {
  expect(Math.abs(Number(text?.replace(",", "")) / value - 1)).toBeLessThan(0.006);
}

/** The least cost per million calls, of one variant or of all, and where it is. */
function leastCost(view: Summary, variant?: string) {
  const all = (view.recommendation?.variants ?? [])
    .filter((each) => variant === undefined || each.variant === variant)
    .flatMap((each) => each.sizes.map((size) => ({ ...size, variant: each.variant })))
    .toSorted((a, b) => (a.usdPerMillion ?? 0) - (b.usdPerMillion ?? 0));
  const [least] = all;
  const { usdPerMillion: usd = Number.NaN, usdInterval, cell } = least ?? {};
  const { low = usd, high = usd } = usdInterval ?? {};
  const { label = "" } = view.subject.variants.find(({ id }) => id === least?.variant) ?? {};
  return { usd, low, high, label, memoryMb: cell?.memoryMb };
}
