/** A report as blocks of text, tables and charts, before it is markdown, HTML or plain text. */
export type Block = Heading | Paragraph | List | Note | Table | Chart | Details | FirstScreen;

/** Text with the few marks that a report needs. A plain string is a span without a mark. */
export type Span =
  | string
  | { readonly mark: "code" | "strong"; readonly text: string }
  /** Leads to the element of that id; plain text where the medium has no such links. */
  | { readonly mark: "link"; readonly text: string; readonly to: string };
export type Text = string | readonly Span[];

export interface Heading {
  readonly kind: "heading";
  readonly level: 1 | 2 | 3 | 4;
  readonly text: Text;
  /** Of a section that is folded: what its content comes to, in a line beside the heading. */
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

/** Something that a reader must not miss. */
export interface Note {
  readonly kind: "note";
  readonly tone: "warning" | "remark";
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
  /** By row: what links to it name; unique in the document. */
  readonly rowIds?: readonly string[];
}

export interface Chart {
  readonly kind: "chart";
  readonly id: string;
  readonly title: string;
  /** What the chart shows, for who does not see it; the numbers are in the table. */
  readonly description: string;
  readonly tableId: string;
  /** Small panels stand side by side where there is room. */
  readonly panelSize?: "small" | "medium";
  /** Whether a reader may pick one panel, by its label, and leave the others out. */
  readonly isPickable?: boolean;
  /** Shared by the panels. */
  readonly legend?: readonly LegendEntry[];
  readonly panels: readonly Panel[];
  /** The same in characters, where a picture cannot be; absent: the table stands for it. */
  readonly bars?: readonly Bar[];
}

/** A row of a chart of characters. */
export interface Bar {
  readonly group: string;
  readonly label: string;
  readonly value: number;
  readonly text: string;
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

/** Long tables and whole sections, folded where the medium can. */
interface Details {
  readonly kind: "details";
  readonly summary: Text;
  readonly blocks: readonly Block[];
  /** Of a section, whose summary is its heading. */
  readonly section?: Pick<Heading, "level" | "takeaway">;
}

/** What a reader sees before anything else: the answer in words, with the one chart that shows it. */
export interface FirstScreen {
  readonly kind: "first-screen";
  readonly blocks: readonly Block[];
  readonly chart?: Chart;
}

export interface ReportDocument {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Short forms of the document's blocks. */
export function heading(level: Heading["level"], text: Text, takeaway?: Text): Heading {
  return { kind: "heading", level, text, ...(takeaway !== undefined && { takeaway }) };
}

/** Each heading of the second level folds what follows it, up to the next one. */
export function foldSections(blocks: readonly Block[]): readonly Block[] {
  const folded: Block[] = [];
  let inside: { readonly title: Heading; readonly blocks: Block[] } | undefined;
  const close = () => {
    if (inside === undefined) return;
    const { level, text, takeaway } = inside.title;
    const section = { level, ...(takeaway !== undefined && { takeaway }) };
    folded.push({ ...details(text, inside.blocks), section });
  };
  for (const block of blocks) {
    if (block.kind === "heading" && block.level === 2) {
      close();
      inside = { title: block, blocks: [] };
    } else (inside?.blocks ?? folded).push(block);
  }
  close();
  return folded;
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
  head: Pick<Table, "id" | "caption"> & { readonly rowId?: (row: Row) => string },
  columns: readonly (ColumnOf<Row> | undefined)[],
  rows: readonly Row[],
): Table {
  const used = columns.filter((column) => column !== undefined);
  const { id, caption, rowId } = head;
  return {
    kind: "table",
    ...{ id, caption },
    rowHeaders: used.filter(({ isRowHeader }) => isRowHeader).length,
    ...(rowId !== undefined && { rowIds: rows.map(rowId) }),
    columns: used.map(({ label, align }) => ({ label, align })),
    rows: rows.map((row) => used.map((column) => column.cell(row))),
  };
}

export interface CleanSpan {
  readonly mark: "none" | "code" | "strong" | "link";
  readonly text: string;
  /** Of a link. */
  readonly to?: string;
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
      : { ...span, text: singleLine(span.text) },
  );
}

/** The text without its marks. */
export function plain(text: Text): string {
  return cleanSpans(text)
    .map((span) => span.text)
    .join("");
}
