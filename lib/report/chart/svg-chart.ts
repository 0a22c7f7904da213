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
  const head = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc" ${inherited}>`;
  return `${head}${names}${withVariables(shortened(cleaned(body)))}</svg>`;
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

/** What most words of a chart have, said once. */
const inherited = 'font-size="13" dominant-baseline="central"';

/** The same picture in fewer characters: a report of many charts stays small. */
function shortened(body: string): string {
  return body
    .replace(/<text(?![^>]* dominant-baseline=)/g, '<text dominant-baseline="auto"')
    .replace(/ (?:font-size="13"|dominant-baseline="central")/g, "")
    .replace(/ (?:d|transform)="[^"]*"/g, (attribute) =>
      attribute
        .replace(/\d+\.\d{2,}/g, (digits) => tenths(Number(digits)))
        .replace(/M(\S+) (\S+?)L\1 /g, "M$1 $2V")
        .replace(/M(\S+) (\S+?)L(\S+?) \2(?=["M])/g, "M$1 $2H$3")
        .replace(/(?:M\S+ \S+?V[\d.]+){3,}/, strokes),
    )
    .replaceAll("></path>", "/>");
}

/** Upright strokes of one height, each by its distance from the one before. */
function strokes(path: string): string {
  const all = [...path.matchAll(/M(\S+) (\S+?)V([\d.]+)/g)].map(([, x, top, bottom]) => ({
    x: Number(x),
    top,
    bottom,
  }));
  const [first] = all;
  if (first === undefined || all.some(({ top }) => top !== first.top)) return path;
  const size = tenths(Number(first.bottom) - Number(first.top));
  const steps = all.slice(1).map(({ x }, index) => tenths(x - (all[index]?.x ?? 0)));
  const later = steps.map((step) => `m${step}-${size}v${size}`);
  return `M${first.x} ${first.top}v${size}${later.join("")}`;
}

function tenths(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Attributes in place of inline styles, which a strict page may forbid; the font is the page's. */
function fontAttributes(style: string): string {
  const size = /font-size:(\d+)px/.exec(style)?.[1];
  const weight = /font-weight:(\w+)/.exec(style)?.[1];
  return `${size === undefined ? "" : ` font-size="${size}"`}${weight === undefined ? "" : ` font-weight="${weight}"`}`;
}

export const textSize = 13;

const longestLabel = 50;

/**
 * Text from outside as a label: on one line, harmless, and no longer than a margin can hold. The library
 * keeps the widths of texts by their names in a plain object, where it would find `__proto__` and write
 * into the prototype of every object: a blank after such a name makes another name of it.
 */
export function labelText(text: string): string {
  const line = singleLine(text);
  if (line in Object.prototype) return `${line} `;
  return line.length <= longestLabel ? line : `${line.slice(0, longestLabel - 1)}…`;
}
