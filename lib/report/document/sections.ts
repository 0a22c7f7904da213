import {
  type Block,
  type Chart,
  details,
  type Heading,
  type Table,
  type Text,
} from "./document.ts";

/** Folds the blocks under each second-level heading, up to the next one. */
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

const nextLevel = { 1: 2, 2: 3, 3: 4, 4: 4 } as const;

/**
 * Returns the blocks as a part of a larger document: headings one level deeper, and ids with a prefix, as in the links
 * to them.
 */
export function deeper(blocks: readonly Block[], prefix = ""): readonly Block[] {
  return blocks.map((block): Block => {
    switch (block.kind) {
      case "heading":
        return { ...block, level: nextLevel[block.level] };
      case "paragraph":
        return { ...block, text: withPrefix(block.text, prefix) };
      case "list":
        return { ...block, items: block.items.map((item) => withPrefix(item, prefix)) };
      case "table":
        return deeperTable(block, prefix);
      case "chart":
        return deeperChart(block, prefix);
      case "details": {
        const { section } = block;
        const inner = { ...block, blocks: deeper(block.blocks, prefix) };
        return section === undefined
          ? inner
          : { ...inner, section: { ...section, level: nextLevel[section.level] } };
      }
      case "first-screen": {
        const inner = { ...block, blocks: deeper(block.blocks, prefix) };
        return block.chart === undefined
          ? inner
          : { ...inner, chart: deeperChart(block.chart, prefix) };
      }
      default:
        return block;
    }
  });
}

function deeperTable(table: Table, prefix: string): Table {
  const rowIds = table.rowIds?.map((id) => prefix + id);
  const rows = table.rows.map((row) => row.map((cell) => withPrefix(cell, prefix)));
  return { ...table, id: prefix + table.id, rows, ...(rowIds !== undefined && { rowIds }) };
}

function deeperChart(chart: Chart, prefix: string): Chart {
  return { ...chart, id: prefix + chart.id, tableId: prefix + chart.tableId };
}

/** Adds the prefix to link targets, in the same way as to ids. */
export function withPrefix(text: Text, prefix: string): Text {
  if (typeof text === "string") return text;
  return text.map((span) =>
    typeof span !== "string" && span.mark === "link" ? { ...span, to: prefix + span.to } : span,
  );
}
