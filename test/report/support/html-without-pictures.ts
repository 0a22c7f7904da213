import type { Block, Chart } from "../../../lib/report/document/document.ts";
import type { RenderedReport } from "../../../lib/report/experiment-report.ts";
import { renderHtml } from "../../../lib/report/render/html.ts";

/**
 * report.html with empty pictures in its charts, for what is asserted of all the rest: drawing takes most
 * of a page's time, and a run that differs only in what no chart shows has the same pictures.
 */
export function htmlWithoutPictures({ page }: Pick<RenderedReport, "page">): string {
  return renderHtml({ title: page.title, blocks: page.blocks.map(withoutPictures) });
}

function withoutPictures(block: Block): Block {
  switch (block.kind) {
    case "chart":
      return emptied(block);
    case "details":
      return { ...block, blocks: block.blocks.map(withoutPictures) };
    case "first-screen": {
      const { blocks, chart } = block;
      return {
        ...block,
        blocks: blocks.map(withoutPictures),
        ...(chart !== undefined && { chart: emptied(chart) }),
      };
    }
    default:
      return block;
  }
}

/** Reads no picture, for a picture is drawn when it is read. */
function emptied(chart: Chart): Chart {
  const panels = chart.panels.map(({ label }) => ({
    ...(label !== undefined && { label }),
    svg: "<svg></svg>",
  }));
  return { ...chart, panels };
}
