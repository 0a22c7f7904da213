import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts.js";
import { GridComponent } from "echarts/components.js";
import { type EChartsCoreOption, init, use } from "echarts/core.js";
import { SVGRenderer } from "echarts/renderers.js";
import { escapeHtml } from "../render/escape-html.ts";
import { singleLine } from "../render/plain-text.ts";
import { withVariables } from "./palette.ts";

use([BarChart, CustomChart, LineChart, ScatterChart, GridComponent, SVGRenderer]);

export interface SvgChart {
  /** Unique in the document. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly option: EChartsCoreOption;
}

/** The chart as an SVG element for an HTML page, the same text every time. */
export function svgChart({ id, title, description, width, height, option }: SvgChart): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  chart.setOption({ animation: false, ...option });
  const svg = chart.renderToSVGString();
  chart.dispose();
  const body = svg.slice(svg.indexOf(">") + 1, svg.lastIndexOf("</svg>"));
  const names = `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-desc">${escapeHtml(description)}</desc>`;
  const head = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">`;
  return `${head}${names}${withVariables(cleaned(body))}</svg>`;
}

/**
 * Without what a still picture does not need: hover styles, data for scripts, and clips, whose ids
 * count the charts of the process and would differ from one report to the next. Axes hold all of
 * their values, so that nothing needs a clip.
 */
function cleaned(body: string): string {
  return body
    .replace(/<style[\s\S]*?<\/style>|<defs[\s\S]*?<\/defs>|<clipPath[\s\S]*?<\/clipPath>/g, "")
    .replace(/ clip-path="[^"]*"/g, "")
    .replace(
      / (?:class="zr\d+-[^"]*"|ecmeta_[a-z_]+="[^"]*"|pointer-events="[^"]*"|xml:space="[^"]*")/g,
      "",
    )
    .replace(/ style="([^"]*)"/g, (_, style: string) => fontAttributes(style))
    .replace(/<rect [^>]*fill="none"[^>]*><\/rect>\n?/, "")
    .replace(/\n+/g, "");
}

/** Attributes in place of inline styles, which a strict page may forbid; the font is the page's. */
function fontAttributes(style: string): string {
  const size = /font-size:(\d+)px/.exec(style)?.[1];
  const weight = /font-weight:(\w+)/.exec(style)?.[1];
  return `${size === undefined ? "" : ` font-size="${size}"`}${weight === undefined ? "" : ` font-weight="${weight}"`}`;
}

export const textSize = 13;

const longestLabel = 50;

/** Text from outside as a label: on one line, harmless, and no longer than a margin can hold. */
export function labelText(text: string): string {
  const line = singleLine(text);
  return line.length <= longestLabel ? line : `${line.slice(0, longestLabel - 1)}…`;
}
