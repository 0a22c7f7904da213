import { type Bar, type Curve, singleLine } from "../document/document.ts";

const fewestCharacters = 10;

/**
 * Returns a text chart: one bar per row, all on one scale from 0. Groups that do not fit are omitted, the middle ones
 * first. A bar is never cut.
 */
export function barLines(bars: readonly Bar[], rows: number, width: number): readonly string[] {
  const shown = barsFor(bars, rows);
  if (shown.length === 0) return [];
  const widest = (of: (bar: Bar) => string) => Math.max(...shown.map((bar) => of(bar).length));
  const groupWidth = widest(groupOf);
  const labelWidth = widest(labelOf);
  const room = width - groupWidth - labelWidth - widest(textOf) - barGaps;
  const most = Math.max(...bars.map(({ value }) => value));
  const longest = Math.max(fewestCharacters, room);
  return shown.map((bar, index) => {
    const isFirst = groupOf(shown[index - 1]) !== groupOf(bar);
    const group = (isFirst ? groupOf(bar) : "").padEnd(groupWidth);
    const length = most > 0 ? Math.max(1, Math.round((bar.value / most) * longest)) : 1;
    return `${group}  ${labelOf(bar).padEnd(labelWidth)}  ${"█".repeat(length)} ${textOf(bar)}`;
  });
}

/** Spaces between the columns of a line: two before a label, two before a bar or curve, then one or two. */
const [barGaps, curveGaps] = [5, 4];
const longestLabel = 40;
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

function groupOf(bar: Bar | undefined): string {
  return bar === undefined ? "" : singleLine(bar.group);
}

function labelOf({ label }: Bar): string {
  return singleLine(label).slice(0, longestLabel);
}

function textOf({ text }: Bar): string {
  return singleLine(text);
}

/** Returns the whole groups that fit into `rows`, taken from both ends inwards. */
function barsFor(bars: readonly Bar[], rows: number): readonly Bar[] {
  const groups = [...new Set(bars.map(({ group }) => group))];
  const inOrder = groups
    .map((group, index) => ({ group, rank: Math.min(index, groups.length - 1 - index) }))
    .toSorted((a, b) => a.rank - b.rank);
  const kept = new Set<string>();
  let left = rows;
  for (const { group } of inOrder) {
    const size = bars.filter((bar) => bar.group === group).length;
    if (size > left) break;
    left -= size;
    kept.add(group);
  }
  return bars.filter(({ group }) => kept.has(group));
}
