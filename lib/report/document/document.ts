/** A block of a report, which is rendered as markdown, HTML or plain text. */
export type Block = Heading | Paragraph | List | Note | Table | Chart | Details | FirstScreen;

/** A span of text. A plain string has no mark. */
export type Span =
  | string
  | { readonly mark: "code" | "strong"; readonly text: string }
  /** A link to the element with that id; plain text if the medium has no such links. */
  | { readonly mark: "link"; readonly text: string; readonly to: string };
export type Text = string | readonly Span[];

export interface Heading {
  readonly kind: "heading";
  readonly level: 1 | 2 | 3 | 4;
  readonly text: Text;
  /** One-line summary of a folded section, shown beside its heading. */
  readonly takeaway?: Text;
}

interface Paragraph {
  readonly kind: "paragraph";
  readonly text: Text;
}

interface List {
  readonly kind: "list";
  readonly items: readonly Text[];
}

/** A note that the reader must not miss. */
export interface Note {
  readonly kind: "note";
  readonly tone: "warning" | "remark";
  readonly text: Text;
  /** A few words that stand for the note where there is little room. */
  readonly brief?: string;
  /** Whether the note changes what may be concluded: such notes are never only counted. */
  readonly isGrave?: true;
}

export interface Column {
  readonly label: Text;
  /** Prose may wrap. Text and numbers do not. */
  readonly align: "text" | "prose" | "number";
  /** Whether the column has verdicts, which a phone shows first. */
  readonly isVerdict?: true;
}

export interface Table {
  readonly kind: "table";
  /** Unique in the document; charts refer to it. */
  readonly id: string;
  readonly caption: Text;
  /** Counts the rows that the table leaves out, as its caption does. Absent if it has all. */
  readonly notShown?: string;
  readonly columns: readonly Column[];
  /** The number of leading cells that name a row. */
  readonly rowHeaders: number;
  readonly rows: readonly (readonly Text[])[];
  /** Link targets, one per row; unique in the document. */
  readonly rowIds?: readonly string[];
}

export interface Chart {
  readonly kind: "chart";
  readonly id: string;
  readonly title: string;
  /** A text alternative for readers who cannot see the chart; the numbers are in the table. */
  readonly description: string;
  readonly tableId: string;
  /** Small panels stand side by side if there is room. */
  readonly panelSize?: "small" | "medium";
  /** Whether a reader may show one panel, by its label, and hide the others. */
  readonly isPickable?: boolean;
  /** The legend shared by the panels. */
  readonly legend?: readonly LegendEntry[];
  readonly panels: readonly Panel[];
  /** The chart's lines in characters, shown below the first screen's table in media without pictures. */
  readonly curves?: readonly Curve[];
}

/** A line of a text chart: one value per memory size, smallest size first. */
export interface Curve {
  readonly label: string;
  readonly values: readonly number[];
  /** The values at both ends, with their units. */
  readonly text: string;
}

interface LegendEntry {
  readonly label: string;
  /** A small SVG element. */
  readonly swatch: string;
}

/** One picture of a chart. A chart of small multiples has several, each with its own heading. */
export interface Panel {
  readonly label?: Text;
  /** An SVG element. */
  readonly svg: string;
}

/** A long table or a whole section, folded if the medium supports it. */
export interface Details {
  readonly kind: "details";
  readonly summary: Text;
  readonly blocks: readonly Block[];
  /** Set for a section, whose summary is its heading. */
  readonly section?: Pick<Heading, "level" | "takeaway">;
}

/** The first screen: the answer in words, with the one chart that shows it. */
export interface FirstScreen {
  readonly kind: "first-screen";
  readonly blocks: readonly Block[];
  readonly chart?: Chart;
}

export interface ReportDocument {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export function heading(level: Heading["level"], text: Text, takeaway?: Text): Heading {
  return { kind: "heading", level, text, ...(takeaway !== undefined && { takeaway }) };
}

export function paragraph(text: Text): Paragraph {
  return { kind: "paragraph", text };
}

export function list(items: readonly Text[]): List {
  return { kind: "list", items };
}

export function warning(text: Text, brief?: string): Note {
  return { kind: "note", tone: "warning", text, ...(brief !== undefined && { brief }) };
}

/** Returns a warning that changes what may be concluded. */
export function graveWarning(text: Text, brief?: string): Note {
  return { ...warning(text, brief), isGrave: true };
}

export function remark(text: Text): Note {
  return { kind: "note", tone: "remark", text };
}

export function details(summary: Text, blocks: Details["blocks"]): Details {
  return { kind: "details", summary, blocks };
}

export function code(text: string): Span {
  return { mark: "code", text };
}

export function strong(text: string): Span {
  return { mark: "strong", text };
}

export function link(text: string, to: string): Span {
  return { mark: "link", text, to };
}

/** A column of a table of `Row`: its header, and its cell for each row. */
export interface ColumnOf<Row> extends Column {
  /** Whether the column names the row; such columns come first. */
  readonly isRowHeader?: true;
  readonly cell: (row: Row) => Text;
}

export function textColumn<Row>(label: Text, cell: (row: Row) => Text): ColumnOf<Row> {
  return { label, align: "text", cell };
}

/** Returns a column of verdicts, alone or after their ratios. */
export function verdictColumn<Row>(label: Text, cell: (row: Row) => Text): ColumnOf<Row> {
  return { ...textColumn(label, cell), isVerdict: true };
}

export function proseColumn<Row>(label: Text, cell: (row: Row) => Text): ColumnOf<Row> {
  return { label, align: "prose", cell };
}

export function numberColumn<Row>(label: Text, cell: (row: Row) => Text): ColumnOf<Row> {
  return { label, align: "number", cell };
}

/** Returns a column that is all or part of the row's name. */
export function rowHeader<Row>(
  label: Text,
  cell: (row: Row) => Text,
  align: Column["align"] = "text",
): ColumnOf<Row> {
  return { label, align, cell, isRowHeader: true };
}

/** Returns a table whose columns define how a row is printed. Undefined columns are left out. */
export function makeTable<Row>(
  head: Pick<Table, "id" | "caption" | "notShown"> & { readonly rowId?: (row: Row) => string },
  columns: readonly (ColumnOf<Row> | undefined)[],
  rows: readonly Row[],
): Table {
  const used = columns.filter((column) => column !== undefined);
  const { id, caption, notShown, rowId } = head;
  return {
    kind: "table",
    id,
    caption,
    ...(notShown !== undefined && { notShown }),
    rowHeaders: used.filter(({ isRowHeader }) => isRowHeader).length,
    ...(rowId !== undefined && { rowIds: rows.map(rowId) }),
    columns: used.map(({ label, align, isVerdict }) => ({
      label,
      align,
      ...(isVerdict && { isVerdict }),
    })),
    rows: rows.map((row) => used.map((column) => column.cell(row))),
  };
}

export function spansOf(text: Text): readonly Span[] {
  return typeof text === "string" ? [text] : text;
}

export interface CleanSpan {
  readonly mark: "none" | "code" | "strong" | "link";
  readonly text: string;
  /** The target of a link. */
  readonly to?: string;
}

/**
 * Makes external text safe for every medium: on one line, without control characters (a terminal would obey them),
 * bidirectional marks (they reorder the text) or lone surrogates (UTF-8 cannot encode them).
 */
export function singleLine(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]/gu, "\uFFFD");
}

/** Returns the spans of a text, each safe and on one line. */
export function cleanSpans(text: Text): readonly CleanSpan[] {
  return spansOf(text).map((span) =>
    typeof span === "string"
      ? { mark: "none", text: singleLine(span) }
      : { ...span, text: singleLine(span.text) },
  );
}

/** Returns the text without its marks. */
export function plain(text: Text): string {
  return cleanSpans(text)
    .map((span) => span.text)
    .join("");
}
