import { type Curve, singleLine } from "../document/document.ts";

/** Spaces between the columns of a line: two after a label, and two after its blocks. */
const curveGaps = 4;
const heights = "▁▂▃▄▅▆▇█";
const widestStep = 4;

/**
 * Returns one line of text per curve: a block for each value, as high as the value's share of the curve's largest, so
 * that a block of half the height is half the time or cost. Empty if a curve has fewer than two values.
 */
export function sparklines(curves: readonly Curve[], width: number): readonly string[] {
  const fewest = Math.min(...curves.map(({ values }) => values.length));
  if (curves.length === 0 || fewest < 2) return [];
  const labelWidth = Math.max(...curves.map(({ label }) => label.length));
  const textWidth = Math.max(...curves.map(({ text }) => text.length));
  const points = Math.max(...curves.map(({ values }) => values.length));
  const room = width - labelWidth - textWidth - curveGaps;
  const step = Math.max(1, Math.min(widestStep, Math.floor(room / points)));
  return curves.map(({ label, values, text }) => {
    const most = Math.max(...values);
    const blocks = values.map((value) => heightOf(value / most).repeat(step)).join("");
    return `${singleLine(label).padEnd(labelWidth)}  ${blocks}  ${singleLine(text)}`;
  });
}

function heightOf(share: number): string {
  const height = Math.max(1, Math.round(share * heights.length));
  return heights.charAt(height - 1);
}
