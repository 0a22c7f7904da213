import {
  type Block,
  type Column,
  type FirstScreen,
  heading,
  list,
  paragraph,
  type ReportDocument,
  strong,
  type Table,
  type Text,
} from "../document/document.ts";
import { barLines, sparklines } from "./bars.ts";
import { inlineMarkdown, lineMarkdown } from "./escape.ts";

/** Renders the document as GitHub's markdown. Tables are aligned, so that the source is readable, too. */
export function renderMarkdown(document: ReportDocument): string {
  const blocks = document.blocks.flatMap(blockMarkdown);
  return `${[`# ${inlineMarkdown(document.title)}`, ...blocks].join("\n\n")}\n`;
}

/** Reduces each section of the document to its takeaway, and names the files with the full sections. */
export function briefDocument({ title, blocks }: ReportDocument): ReportDocument {
  return { title, blocks: briefBlocks(blocks) };
}

function briefBlocks(blocks: readonly Block[]): readonly Block[] {
  const isSection = (block: Block) => block.kind === "details" && block.section !== undefined;
  const takeaways = blocks.flatMap((block): readonly Text[] => {
    if (block.kind !== "details" || block.section === undefined) return [];
    const { takeaway = "" } = block.section;
    const spans = typeof takeaway === "string" ? [takeaway] : takeaway;
    return [[...boldSpans(block.summary), ": ", ...spans]];
  });
  if (takeaways.length === 0) return blocks;
  const first = blocks.findIndex(isSection);
  return [
    ...blocks.slice(0, first),
    heading(2, "In report-full.md and report.html"),
    list(takeaways),
    ...blocks.slice(first).filter((block) => !isSection(block)),
  ];
}

function boldSpans(text: Text) {
  return (typeof text === "string" ? [text] : text).map((span) =>
    typeof span === "string" ? strong(span) : span,
  );
}

const toneNames = { warning: "Warning", remark: "Note" } as const;

function blockMarkdown(block: Block): readonly string[] {
  switch (block.kind) {
    case "heading":
      return [`${"#".repeat(block.level)} ${inlineMarkdown(block.text)}`];
    case "paragraph":
      return [lineMarkdown(block.text)];
    case "list":
      return [block.items.map((item) => `- ${lineMarkdown(item)}`).join("\n")];
    case "note":
      return [`> **${toneNames[block.tone]}:** ${inlineMarkdown(block.text)}`];
    case "table":
      return tableMarkdown(block);
    case "details":
      return [...summaryMarkdown(block), ...block.blocks.flatMap(blockMarkdown)];
    case "first-screen":
      return [
        ...block.blocks.flatMap((inner) =>
          inner.kind === "table"
            ? [...blockMarkdown(inner), ...curvesMarkdown(block)]
            : blockMarkdown(inner),
        ),
        ...(block.chart === undefined || hasTable(block) ? [] : barsMarkdown(block.chart)),
      ];
    case "chart":
      // The table has the same numbers, and markdown cannot embed an inline picture.
      return [];
  }
}

function hasTable({ blocks }: Extract<Block, { kind: "first-screen" }>): boolean {
  return blocks.some(({ kind }) => kind === "table");
}

function summaryMarkdown({
  summary,
  section,
}: Extract<Block, { kind: "details" }>): readonly string[] {
  if (section === undefined) return [`**${inlineMarkdown(summary)}**`];
  const { level, takeaway } = section;
  const title = blockMarkdown(heading(level, summary));
  return takeaway === undefined ? title : [...title, ...blockMarkdown(paragraph(takeaway))];
}

const mostBars = 12;
const textWidth = 96;

function barsMarkdown({ bars = [], title }: Extract<Block, { kind: "chart" }>): readonly string[] {
  const code = codeMarkdown(barLines(bars, mostBars, textWidth));
  return code.length === 0 ? [] : [lineMarkdown([strong(title)]), ...code];
}

/** Returns the lines of a first screen's chart in characters; none if it has no such lines. */
export function curvesMarkdown({ chart }: FirstScreen): readonly string[] {
  return codeMarkdown(sparklines(chart?.curves ?? [], textWidth));
}

/** Indents the lines by four, which markdown takes for code, and replaces characters that HTML takes for a tag. */
function codeMarkdown(lines: readonly string[]): readonly string[] {
  const code = lines.map((line) => `    ${line.replaceAll("<", "‹").replaceAll(">", "›")}`);
  return lines.length === 0 ? [] : [code.join("\n")];
}

function tableMarkdown(table: Table): readonly string[] {
  const head = table.columns.map((column) => inlineMarkdown(column.label));
  const rows = table.rows.map((row) => row.map(inlineMarkdown));
  const widths = head.map((label, index) =>
    Math.max(3, label.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => padded(cell, widths[index] ?? 0, table.columns[index]?.align)).join(" | ")} |`;
  const rule = widths.map((width, index) =>
    table.columns[index]?.align === "number" ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  const body = [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
  return [lineMarkdown(table.caption), body];
}

function padded(text: string, width: number, align: Column["align"] | undefined): string {
  return align === "number" ? text.padStart(width) : text.padEnd(width);
}
