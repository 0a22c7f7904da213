import {
  type Block,
  type Column,
  type Details,
  type FirstScreen,
  type Heading,
  heading,
  list,
  paragraph,
  type ReportDocument,
  spansOf,
  strong,
  type Table,
  type Text,
} from "../document/document.ts";
import { inlineHtml, inlineMarkdown, lineMarkdown } from "./escape.ts";
import { sparklines } from "./sparklines.ts";

/** Renders the document as GitHub's markdown. Tables are aligned, so that the source is readable, too. */
export function renderMarkdown(
  { title, blocks }: ReportDocument,
  level: Heading["level"] = 1,
): string {
  return `${[heading(level, title), ...blocks].flatMap(blockMarkdown).join("\n\n")}\n`;
}

/** Renders a comment on a pull request, where a title of the first level would be larger than the page's own. */
export function renderComment(document: ReportDocument): string {
  return renderMarkdown(document, 3);
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
    return [[...boldSpans(block.summary), ": ", ...spansOf(takeaway)]];
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
  return spansOf(text).map((span) => (typeof span === "string" ? strong(span) : span));
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
      return detailsMarkdown(block);
    case "first-screen":
      return firstScreenMarkdown(block);
    case "chart":
      // The table has the same numbers, and markdown cannot embed an inline picture.
      return codeMarkdown(sparklines(block.curves ?? [], textWidth));
  }
}

/** Shows the chart's lines below the table. */
function firstScreenMarkdown({ blocks, chart }: FirstScreen): readonly string[] {
  return blocks.flatMap((block) =>
    block.kind === "table" && chart !== undefined
      ? [...blockMarkdown(block), ...blockMarkdown(chart)]
      : blockMarkdown(block),
  );
}

/** Folds the blocks in an element that GitHub shows as folded. A section has a heading instead. */
function detailsMarkdown({ summary, section, blocks }: Details): readonly string[] {
  const inner = blocks.flatMap(blockMarkdown);
  if (section === undefined) {
    return [`<details>\n<summary>${inlineHtml(summary)}</summary>`, ...inner, "</details>"];
  }
  const { level, takeaway } = section;
  const title = blockMarkdown(heading(level, summary));
  return takeaway === undefined
    ? [...title, ...inner]
    : [...title, ...blockMarkdown(paragraph(takeaway)), ...inner];
}

const textWidth = 96;

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
