import { type Block, plain, type ReportDocument, type Table } from "../document/document.ts";

/** What stands on the terminal when a run ends: warnings, the answer and the headline tables. */
export function renderTerminal(
  title: string,
  answer: readonly Block[],
  document: ReportDocument,
): string {
  const tables = headlineTables(document.blocks).map(tableText);
  return `${[plain(title), ...answer.map(blockText), ...tables].join("\n\n")}\n`;
}

function headlineTables(blocks: readonly Block[]): readonly Table[] {
  return blocks.flatMap((block) => {
    if (block.kind === "details") return headlineTables(block.blocks);
    return block.kind === "table" && block.headline === true ? [block] : [];
  });
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "note":
      return wrapped(`${block.tone === "warning" ? "WARNING: " : ""}${plain(block.text)}`);
    case "list":
      return block.items.map((item) => wrapped(`- ${plain(item)}`, "  ")).join("\n");
    case "paragraph":
    case "heading":
      return wrapped(plain(block.text));
    default:
      return "";
  }
}

function tableText(table: Table): string {
  const head = table.columns.map((column) => plain(column.label));
  const rows = table.rows.map((row) => row.map(plain));
  const widths = head.map((label, index) =>
    Math.max(label.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return table.columns[index]?.align === "number" ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [wrapped(plain(table.caption)), line(head), rule, ...rows.map(line)].join("\n");
}

const terminalWidth = 100;

/** Broken at spaces, so that no word is cut by the terminal's edge. */
function wrapped(text: string, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > terminalWidth) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
