import { number } from "../lib/report/document/format.ts";
import { type Comparison, judgedText, largestShare, renewal } from "./baseline.ts";
import type { Figure, Figures } from "./figures.ts";
import { type Metric, metrics } from "./quantities.ts";

/** The columns of the table. */
export interface Columns {
  /** The default Rust build. */
  readonly usual: Figures;
  readonly tuned: Figures;
  /** Timed by the clock only. */
  readonly python: Figures;
  /** The no-op function. */
  readonly rig: Figures;
}

/** Formats the table: one row per quantity, medians with the smallest and the largest value. */
export function tableText({ usual, tuned, python, rig }: Columns): string {
  const rows = metrics.map((quantity) => [
    quantity.label,
    figureText(quantity, usual[quantity.id]),
    figureText(quantity, tuned[quantity.id]),
    ratioText(usual[quantity.id], tuned[quantity.id]),
    figureText(quantity, python[quantity.id]),
    ratioText(python[quantity.id], tuned[quantity.id]),
    figureText(quantity, rig[quantity.id]),
  ]);
  const head = [
    ...["", "default", "tuned", "default/tuned"],
    ...["python", "python/tuned", "rig (noop)"],
  ];
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : pad(cell, column)))
      .join("  ")
      .trimEnd();
  const pad = (cell: string, column: number) => cell.padStart(widths[column] ?? 0);
  return [head, ...rows].map(line).join("\n");
}

/** Compares the counts with the baseline and explains how to renew it. */
export function comparisonText(comparison: Comparison | undefined, processor: string): string {
  if (comparison === undefined) {
    return `baseline: none for this processor (${processor}), so nothing was compared\n${renewal(bench)}`;
  }
  const { baseline, changes } = comparison;
  const limit = `${largestShare * 100}%`;
  const rows = changes.map(({ variant, quantity, before, now, share, isTooLarge }) => {
    const sign = share < 0 ? "" : "+";
    const change = `${sign}${(share * 100).toFixed(2)}%`;
    const verdict = isTooLarge ? `  more than ${limit}` : "";
    return `  ${variant} ${quantity}: ${millions(before)} -> ${millions(now)}  ${change}${verdict}`;
  });
  const { measuredAt } = baseline;
  return judgedText(comparison, rows, { measuredAt, share: largestShare, bench });
}

export const renewedText =
  "baseline: these counts are now this place's (bench/first-request-baseline.json)";

const bench = "first-request";

function figureText(quantity: Metric, figure: Figure | undefined): string {
  if (figure === undefined) return "–";
  const [median, smallest, largest] = [figure.median, figure.smallest, figure.largest].map(
    formats[quantity.unit],
  );
  return smallest === largest ? `${median}` : `${median} [${smallest}, ${largest}]`;
}

const formats: Readonly<Record<Metric["unit"], (value: number) => string>> = {
  instructions: millions,
  ms: (value) => `${number(value)} ms`,
  bytes: (value) => `${number(value / 1_000_000)} MB`,
  MB: (value) => `${number(value, 0)} MB`,
};

function millions(value: number): string {
  return `${(value / 1_000_000).toFixed(value < 10_000_000 ? 3 : 1)} M`;
}

function ratioText(usual: Figure | undefined, tuned: Figure | undefined): string {
  if (usual === undefined || tuned === undefined || tuned.median === 0) return "–";
  return number(usual.median / tuned.median);
}
