import type {
  Column,
  Details,
  Heading,
  List,
  Note,
  Paragraph,
  Span,
  Table,
  Text,
} from "./document.ts";

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

/** A table whose columns say how a row is printed. Columns that are undefined are left out. */
export function tableOf<Row>(
  head: Pick<Table, "id" | "caption" | "rowHeaders"> & { readonly headline?: boolean },
  columns: readonly (ColumnOf<Row> | undefined)[],
  rows: readonly Row[],
): Table {
  const used = columns.filter((column) => column !== undefined);
  return {
    kind: "table",
    ...head,
    columns: used.map(({ label, align }) => ({ label, align })),
    rows: rows.map((row) => used.map((column) => column.cell(row))),
  };
}
