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

export interface Paragraph {
  readonly kind: "paragraph";
  readonly text: Text;
}

export interface List {
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

export interface LegendEntry {
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
export interface Details {
  readonly kind: "details";
  readonly summary: Text;
  readonly blocks: readonly Block[];
}

export interface ReportDocument {
  readonly title: string;
  readonly blocks: readonly Block[];
}
