import type { Block, Chart, Heading } from "../document/document.ts";

const deeper = { 1: 2, 2: 3, 3: 4, 4: 4 } as const;

/** A document's blocks as a part of a larger one: headings a level deeper, ids with a prefix of their own. */
export function nested(blocks: readonly Block[], prefix: string): readonly Block[] {
  return blocks.map((block) => nestedBlock(block, prefix));
}

function nestedBlock(block: Block, prefix: string): Block {
  switch (block.kind) {
    case "heading":
      return { ...block, level: deeper[block.level] satisfies Heading["level"] };
    case "table":
      return { ...block, id: prefix + block.id };
    case "details":
      return { ...block, blocks: nested(block.blocks, prefix) };
    case "chart":
      return nestedChart(block, prefix);
    default:
      return block;
  }
}

function nestedChart(chart: Chart, prefix: string): Chart {
  const panels = chart.panels.map((panel) => ({ ...panel, svg: renamed(panel.svg, prefix) }));
  return { ...chart, id: prefix + chart.id, tableId: prefix + chart.tableId, panels };
}

/** Only the element's title and description have ids, and the element names them. */
function renamed(svg: string, prefix: string): string {
  return svg.replace(/ (id|aria-labelledby)="([^"]*)"/g, (_, name: string, ids: string) => {
    const all = ids.split(" ").map((id) => prefix + id);
    return ` ${name}="${all.join(" ")}"`;
  });
}
