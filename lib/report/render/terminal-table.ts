import { type Column, plain, type Table } from "../document/document.ts";
import { terminalWidth, wrapped } from "../document/wrapped.ts";

/**
 * Renders the table in columns. If it is too wide, its widest words are cut, or wrapped in the last column. If that
 * is not enough, columns are omitted from the middle, and the table says so.
 */
export function tableLines(table: Table): readonly string[] {
  const heads = table.columns.map(({ label }) => plain(label));
  const rows = table.rows.map((row) => row.map(plain));
  const natural = heads.map((head, index) =>
    Math.min(longestCell, Math.max(head.length, ...rows.map((row) => row[index]?.length ?? 0))),
  );
  const least = narrowed(table, natural);
  const shown = fittingColumns(table, least);
  const widths = widened(least, natural, shown);
  const marked = withGaps(heads, widths, shown);
  const [head = "", ...lines] = [marked, ...rows].flatMap((row) =>
    rowLines(table, row, widths, shown),
  );
  const isMarked = shown.length === widths.length || marked !== heads;
  return [
    ...(isMarked ? [head] : withMore(head, widths[0] ?? 0)),
    ...lines,
    ...(table.notShown === undefined ? [] : [table.notShown]),
  ];
}

/** Puts `… ` before the head that follows omitted columns. Returns the same heads if that does not fit everywhere. */
function withGaps(
  heads: readonly string[],
  widths: readonly number[],
  shown: readonly number[],
): readonly string[] {
  const afterGap = shown.filter((index, at) => at > 0 && index - 1 !== shown[at - 1]);
  const marks = new Map(afterGap.map((index) => [index, `… ${heads[index]}`]));
  const isRoom = [...marks].every(([index, text]) => text.length <= (widths[index] ?? 0));
  return isRoom && marks.size > 0 ? heads.map((head, index) => marks.get(index) ?? head) : heads;
}

/** Adds that columns were omitted: at the end of the head, after the name of its first column, or in a line below. */
function withMore(head: string, firstWidth: number): readonly string[] {
  const more = " (more)";
  if (head.length + 1 + more.length <= terminalWidth) return [`${head} ${more}`];
  const [first, rest] = [head.slice(0, firstWidth).trimEnd(), head.slice(firstWidth)];
  return first.length + more.length <= firstWidth
    ? [`${(first + more).padEnd(firstWidth)}${rest}`]
    : [head, more.trim()];
}

/** Returns a row in as many lines as the text of its last column needs. */
function rowLines(
  { columns, rowHeaders }: Table,
  row: readonly string[],
  widths: readonly number[],
  shown: readonly number[],
): readonly string[] {
  const last = columns.length - 1;
  const isWords = last >= rowHeaders && columns[last]?.align !== "number";
  const cells = row.map((text, index) =>
    isWords && index === last ? wrapped(text, widths[index]) : [text],
  );
  const height = Math.max(...shown.map((index) => cells[index]?.length ?? 1));
  return Array.from({ length: height }, (_, line) =>
    shown
      .map((index) =>
        cellLine(cells[index]?.[line] ?? "", widths[index] ?? 0, columns[index]?.align),
      )
      .join("  ")
      .trimEnd(),
  );
}

const longestCell = 34;
const fewestLetters = 16;

/** If the table is too wide, narrows its widest column of words, except row names, as far as needed. */
function narrowed({ columns, rowHeaders }: Table, widths: readonly number[]): readonly number[] {
  const over = widths.reduce((sum, width) => sum + width + 2, -2) - terminalWidth;
  const isWords = (index: number) => index >= rowHeaders && columns[index]?.align !== "number";
  const most = Math.max(...widths.filter((_, index) => isWords(index)));
  const widest = widths.findIndex((width, index) => isWords(index) && width === most);
  return widths.map((width, index) =>
    index === widest && over > 0 ? Math.max(Math.min(fewestLetters, width), width - over) : width,
  );
}

/** Gives columns that were narrowed the room that omitted ones left. */
function widened(
  widths: readonly number[],
  natural: readonly number[],
  shown: readonly number[],
): readonly number[] {
  const used = shown.reduce((sum, index) => sum + (widths[index] ?? 0) + 2, -2);
  const room = terminalWidth - used;
  return widths.map((width, index) =>
    shown.includes(index) ? Math.min(natural[index] ?? width, width + room) : width,
  );
}

function cellLine(text: string, width: number, align: Column["align"] | undefined): string {
  const cut = text.length > width ? `${text.slice(0, width - 1)}…` : text;
  return align === "number" ? cut.padStart(width) : cut.padEnd(width);
}

/**
 * Returns the indices of the columns that fit: the row's name, the first and the last column, a last verdict, then the
 * others from both ends inwards.
 */
function fittingColumns({ columns }: Table, widths: readonly number[]): readonly number[] {
  const end = columns.at(-1)?.isVerdict === true ? widths.length - 2 : widths.length - 1;
  const rank = (index: number) => (index > end ? 0.5 : Math.min(index - 1, end - index));
  const inOrder = widths.map((_, index) => index).toSorted((a, b) => rank(a) - rank(b));
  const kept = new Set([0]);
  let room = terminalWidth - (widths[0] ?? 0);
  for (const index of inOrder) {
    const width = (widths[index] ?? 0) + 2;
    if (kept.has(index) || width > room) continue;
    kept.add(index);
    room -= width;
  }
  return widths.map((_, index) => index).filter((index) => kept.has(index));
}
