import {
  type Block,
  type Column,
  type FirstScreen,
  type Note,
  plain,
  type Table,
  type Text,
} from "../document/document.ts";
import { terminalWidth, wrapped } from "../document/wrapped.ts";
import { barLines } from "./bars.ts";

/**
 * Renders the first screen for a terminal with 80 columns. With the lines that a command adds, it has at most 18
 * lines, plus two for each warning.
 */
export function renderTerminal(title: string, { blocks, chart }: FirstScreen): string {
  const notes = blocks.flatMap((block) => (block.kind === "note" ? noteLines(block) : []));
  const texts = blocks.flatMap((block) => (block.kind === "note" ? [] : [blockText(block)]));
  const head = [plain(title), ...notes, texts.join("\n\n")].join("\n");
  const room = mostLines - head.split("\n").length - 2;
  const hasTable = blocks.some(({ kind }) => kind === "table");
  const bars = hasTable ? [] : barLines(chart?.bars ?? [], room, terminalWidth);
  const picture = bars.length === 0 ? "" : `\n\n${bars.join("\n")}`;
  return `${head}${picture}\n`;
}

const mostLines = 18;

function blockText(block: Block): string {
  switch (block.kind) {
    case "list":
      return block.items.flatMap((item) => wrapped(plain(item))).join("\n");
    case "paragraph":
    case "heading":
      return wrapped(plain(block.text)).join("\n");
    case "table":
      return tableLines(block).join("\n");
    default:
      return "";
  }
}

/**
 * Renders the table in columns. If it is too wide, its widest words are cut, or wrapped in the last column. If that
 * is not enough, columns are omitted from the middle, and the table says so.
 */
function tableLines(table: Table): readonly string[] {
  const heads = table.columns.map(({ label }) => plain(label));
  const rows = table.rows.map((row) => row.map(plain));
  const widths = narrowed(
    table,
    heads.map((head, index) =>
      Math.min(longestCell, Math.max(head.length, ...rows.map((row) => row[index]?.length ?? 0))),
    ),
  );
  const shown = fittingColumns(widths);
  const [head = "", ...lines] = [heads, ...rows].flatMap((row) =>
    rowLines(table, row, widths, shown),
  );
  return [...(shown.length === widths.length ? [head] : withMore(head, widths[0] ?? 0)), ...lines];
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

function cellLine(text: string, width: number, align: Column["align"] | undefined): string {
  const cut = text.length > width ? `${text.slice(0, width - 1)}…` : text;
  return align === "number" ? cut.padStart(width) : cut.padEnd(width);
}

/** Returns the indices of the columns that fit: the row's name, then from both ends inwards. */
function fittingColumns(widths: readonly number[]): readonly number[] {
  const last = widths.length - 1;
  const inOrder = widths
    .map((_, index) => index)
    .toSorted((a, b) => Math.min(a - 1, last - a) - Math.min(b - 1, last - b));
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

const longestNote = 220;

/** Prints a note in two lines, or three at most. Later lines are indented, to set the note apart from the answer. */
function noteLines({ tone, text }: Note): readonly string[] {
  const note = `${tone === "warning" ? "WARNING: " : ""}${noteText(text)}`;
  return wrapped(note, terminalWidth - indent.length).map((line, index) =>
    index === 0 ? line : `${indent}${line}`,
  );
}

const indent = "  ";

/**
 * Shortens a long note to as many of its first sentences as fit: at least the part in bold, and never an announcement
 * (`Not measured:`) without part of its list.
 */
function noteText(text: Text): string {
  const whole = plain(text);
  if (whole.length <= longestNote) return whole;
  const lead = plain(typeof text === "string" ? "" : text.slice(0, 1));
  const sentences = lastEnd(whole.slice(0, longestNote + 1), /[.!?](?= )/g);
  if (sentences >= lead.length && sentences > 0) return whole.slice(0, sentences);
  if (lead.length > longestNote && !lead.endsWith(":")) return lead;
  const items = lastEnd(whole.slice(0, longestNote), /[;,](?= )| (?=\S)/g);
  return `${whole.slice(0, items).replace(/[;, ]+$/, "")} …`;
}

/** Returns the end index of the last match, or 0 if there is none. */
function lastEnd(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((_, match) => match.index + match[0].length, 0);
}
