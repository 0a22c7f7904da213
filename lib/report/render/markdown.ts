import type { Block, Column, ReportDocument, Table } from "../document/document.ts";
import { inlineMarkdown, lineMarkdown } from "./escape.ts";

/** The document as GitHub's markdown, its tables aligned so that the source reads as well. */
export function renderMarkdown(document: ReportDocument): string {
  const blocks = document.blocks.flatMap(blockMarkdown);
  return `${[`# ${inlineMarkdown(document.title)}`, ...blocks].join("\n\n")}\n`;
}

const toneNames = { answer: "Answer", warning: "Warning", remark: "Note" } as const;

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
      return [`**${inlineMarkdown(block.summary)}**`, ...block.blocks.flatMap(blockMarkdown)];
    case "chart":
      // The table beside it holds the same numbers, and markdown cannot carry an inline picture.
      return [];
  }
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
