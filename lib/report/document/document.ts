/** A report as blocks of text, tables and charts, before it is markdown, HTML or plain text. */
export type Block = Heading | Paragraph | List | Note | Table | Chart | Details;

/** Text with the few marks that a report needs. A plain string is a span without a mark. */
export type Span = string | { readonly mark: "code" | "strong"; readonly text: string };
export type Text = string | readonly Span[];

export interface Heading {
  readonly kind: "heading";
  readonly level: 1 | 2 | 3 | 4;
  readonly text: Text;
}

interface Paragraph {
  readonly kind: "paragraph";
  readonly text: Text;
}

interface List {
  readonly kind: "list";
  readonly items: readonly Text[];
}

/** Something that a reader must not miss; the answer is what the whole document comes to. */
export interface Note {
  readonly kind: "note";
  readonly tone: "answer" | "warning" | "remark";
  readonly text: Text;
}

export interface Column {
  readonly label: Text;
  /** Prose may be broken into lines; text and numbers stay whole. */
  readonly align: "text" | "prose" | "number";
}

export interface Table {
  readonly kind: "table";
  /** Unique in the document; charts point at it. */
  readonly id: string;
  readonly caption: Text;
  readonly columns: readonly Column[];
  /** The first cells of a row that name it. */
  readonly rowHeaders: number;
  readonly rows: readonly (readonly Text[])[];
  /** The headline tables are printed on the terminal too. */
  readonly headline?: boolean;
}

export interface Chart {
  readonly kind: "chart";
  readonly id: string;
  readonly title: string;
  /** What the chart shows, for who does not see it; the numbers are in the table. */
  readonly description: string;
  readonly tableId: string;
  /** Small panels stand side by side where there is room; wide ones scroll where there is none. */
  readonly panelSize?: "small" | "medium" | "wide";
  /** Shared by the panels. */
  readonly legend?: readonly LegendEntry[];
  readonly panels: readonly Panel[];
}

interface LegendEntry {
  readonly label: string;
  /** A small SVG element. */
  readonly swatch: string;
}

/** One picture of a chart: small multiples have several, each with a heading of its own. */
export interface Panel {
  readonly label?: Text;
  /** An SVG element. */
  readonly svg: string;
}

/** Long tables, folded where the medium can. */
interface Details {
  readonly kind: "details";
  readonly summary: Text;
  readonly blocks: readonly Block[];
}

export interface ReportDocument {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Short forms of the document's blocks. */
export function heading(level: Heading["level"], text: Text): Heading {
  return { kind: "heading", level, text };
}

export function paragraph(text: Text): Paragraph {
  return { kind: "paragraph", text };
}

export function list(items: readonly Text[]): List {
  return { kind: "list", items };
}

export function warning(text: Text): Note {
  return { kind: "note", tone: "warning", text };
}

export function remark(text: Text): Note {
  return { kind: "note", tone: "remark", text };
}

export function answerNote(text: Text): Note {
  return { kind: "note", tone: "answer", text };
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

/** One column of a table of `Row`: what stands at its head and in each row. */
export interface ColumnOf<Row> extends Column {
  /** Whether it names the row: such columns stand first. */
  readonly isRowHeader?: true;
  readonly cell: (row: Row) => Text;
}

export function textColumn<Row>(label: Text, cell: (row: Row) => Text): ColumnOf<Row> {
  return { label, align: "text", cell };
}

export function proseColumn<Row>(label: Text, cell: (row: Row) => Text): ColumnOf<Row> {
  return { label, align: "prose", cell };
}

export function numberColumn<Row>(label: Text, cell: (row: Row) => Text): ColumnOf<Row> {
  return { label, align: "number", cell };
}

/** A column that names the row, or is a part of its name. */
export function rowHeader<Row>(
  label: Text,
  cell: (row: Row) => Text,
  align: Column["align"] = "text",
): ColumnOf<Row> {
  return { label, align, cell, isRowHeader: true };
}

/** A table whose columns say how a row is printed. Columns that are undefined are left out. */
export function makeTable<Row>(
  head: Pick<Table, "id" | "caption"> & Partial<Pick<Table, "headline">>,
  columns: readonly (ColumnOf<Row> | undefined)[],
  rows: readonly Row[],
): Table {
  const used = columns.filter((column) => column !== undefined);
  const { id, caption, headline } = head;
  return {
    kind: "table",
    ...{ id, caption },
    rowHeaders: used.filter(({ isRowHeader }) => isRowHeader).length,
    ...(headline !== undefined && { headline }),
    columns: used.map(({ label, align }) => ({ label, align })),
    rows: rows.map((row) => used.map((column) => column.cell(row))),
  };
}

export interface CleanSpan {
  readonly mark: "none" | "code" | "strong";
  readonly text: string;
}

/**
 * Text that came from outside, made harmless for every medium: on one line, without control
 * characters (a terminal would obey them), without marks that reorder what is read, without halves
 * of characters (no UTF-8 can hold them).
 */
export function singleLine(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]/gu, "\uFFFD");
}

/** The spans of a text, each on one line and harmless. */
export function cleanSpans(text: Text): readonly CleanSpan[] {
  return (typeof text === "string" ? [text] : text).map((span) =>
    typeof span === "string"
      ? { mark: "none", text: singleLine(span) }
      : { mark: span.mark, text: singleLine(span.text) },
  );
}

/** The text without its marks. */
export function plain(text: Text): string {
  return cleanSpans(text)
    .map((span) => span.text)
    .join("");
}
