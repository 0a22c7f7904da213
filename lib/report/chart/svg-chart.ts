import type { EChartsCoreOption } from "echarts/core.js";
import { init } from "#echarts";
import type { SeriesView } from "../../analysis/series-view.ts";
import { type Chart, type Panel, singleLine, type Text } from "../document/document.ts";
import { escapeHtml } from "../render/escape.ts";

interface SvgChart {
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly option: EChartsCoreOption;
}

/** Returns a panel whose SVG is drawn when first read: most report formats do not need it. */
export function chartPanel(chart: SvgChart, label?: Text): Panel {
  let svg: string | undefined;
  return {
    ...(label !== undefined && { label }),
    get svg() {
      svg ??= svgChart(chart);
      return svg;
    },
  };
}

/** Returns the chart as an SVG element for an HTML page. The text is deterministic. */
function svgChart({ title, description, width, height, option }: SvgChart): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  chart.setOption({ animation: false, ...option });
  const svg = chart.renderToSVGString();
  chart.dispose();
  const body = svg.slice(svg.indexOf(">") + 1, svg.lastIndexOf("</svg>"));
  const names = `<title>${escapeHtml(title)}</title><desc>${escapeHtml(description)}</desc>`;
  const head = withVariables(`<svg viewBox="0 0 ${width} ${height}" role="img" ${inherited}>`);
  return `${head}${names}${withVariables(shortened(cleaned(body)))}</svg>`;
}

/**
 * Removes what a static picture does not need: hover styles, data for scripts, and clips. A clip's id counts the
 * charts of the process and would differ between reports. Axes span all of their values, so nothing needs clipping.
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

/** Shortens the markup of the same picture, to keep a report with many charts small. */
function shortened(body: string): string {
  return body
    .replace(/<text(?![^>]* dominant-baseline=)/g, '<text dominant-baseline="auto"')
    .replace(/ (?:font-size="13"|dominant-baseline="central")/g, "")
    .replaceAll(/(<text[^>]*) fill="#010101"/g, "$1")
    .replace(/ (?:d|transform)="[^"]*"/g, (attribute) =>
      attribute
        .replace(/\d+\.\d{2,}/g, (digits) => tenths(Number(digits)))
        .replace(/M(\S+) (\S+?)L\1 /g, "M$1 $2V")
        .replace(/M(\S+) (\S+?)L(\S+?) \2(?=["M])/g, "M$1 $2H$3")
        .replace(/(?:M\S+ \S+?V[\d.]+){3,}/, strokes),
    )
    .replace(
      /<text text-anchor="(start|end)" transform="translate\(([\d.-]+) ([\d.-]+)\)"/g,
      (_, anchor: string, x: string, y: string) =>
        `<text${anchor === "end" ? ' text-anchor="end"' : ""} x="${x}" y="${y}"`,
    )
    .replaceAll("></path>", "/>");
}

/** Rewrites vertical strokes of equal height, each positioned relative to the previous one. */
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

/** Returns attributes in place of inline styles, which a strict CSP may forbid. The page sets the font. */
function fontAttributes(style: string): string {
  const size = /font-size:(\d+)px/.exec(style)?.[1];
  const weight = /font-weight:(\w+)/.exec(style)?.[1];
  return `${size === undefined ? "" : ` font-size="${size}"`}${weight === undefined ? "" : ` font-weight="${weight}"`}`;
}

export const textSize = 13;

const longestLabel = 40;

/**
 * Returns external text as a label: safe, on one line, and short enough for a margin. The library caches text widths
 * in a plain object, where a key such as `__proto__` would change the prototype of every object; a trailing space
 * makes such a name a different key.
 */
export function labelText(text: string): string {
  const line = singleLine(text);
  if (line in Object.prototype) return `${line} `;
  return line.length <= longestLabel ? line : `${line.slice(0, longestLabel - 1)}…`;
}

/**
 * Charts are drawn with placeholder colours, which CSS variables then replace: the library accepts only real colours,
 * and one picture serves both the light and the dark page.
 */
const tokens = {
  ink: "#010101",
  muted: "#010102",
  grid: "#010103",
  band: "#010104",
  page: "#010105",
  variant0: "#010110",
  variant1: "#010111",
  variant2: "#010112",
  variant3: "#010113",
  variant4: "#010114",
  variant5: "#010115",
} as const;

/** Attributes shared by most of a chart's text elements, set once. */
const inherited = `font-size="13" dominant-baseline="central" fill="${tokens.ink}"`;

type ColourToken = keyof typeof tokens;

/** Placeholder colours for a chart's options. */
export const colours: Readonly<Record<ColourToken, string>> = tokens;

const names = Object.keys(tokens) as readonly ColourToken[];
const variantTokens = names.filter((name) => name.startsWith("variant"));

/** There are as many symbols as colours, so that six variants differ even in grey. The last two are paths. */
const downTriangle = "path://M0 0L10 0L5 9Z";
const cross = "path://M3.5 0h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z";
const symbols = ["circle", "triangle", "rect", "diamond", downTriangle, cross] as const;

/** A variant's colour, with a symbol and a dash for readers who cannot tell colours apart. */
export interface VariantStyle {
  readonly colour: string;
  readonly symbol: (typeof symbols)[number];
  readonly dash: "solid" | "dashed" | "dotted";
}

const dashes = ["solid", "dashed", "dotted"] as const;

/** Returns the style of the variant at this index in the run. */
export function variantStyle(index: number): VariantStyle {
  return {
    colour: tokens[variantTokens[index % variantTokens.length] as ColourToken],
    symbol: symbols[index % symbols.length] as VariantStyle["symbol"],
    dash: dashes[index % dashes.length] as VariantStyle["dash"],
  };
}

/** Replaces the placeholder colours with CSS variables. */
function withVariables(svg: string): string {
  return names.reduce(
    (text, name) => text.replaceAll(`"${tokens[name]}"`, `"var(--${name})"`),
    svg,
  );
}

/**
 * Values of the CSS variables. The variants' colours are Okabe and Ito's (Color Universal Design, 2008), ordered by
 * greatest difference in lightness, and darkened or lightened to a contrast of 3:1 against the page.
 */
export const paletteCss = {
  light: `--ink:#1b1f24;--muted:#57606a;--grid:#d8dee4;--band:#e6eaef;--page:#ffffff;
--variant0:#b84a00;--variant1:#8a4f7d;--variant2:#0067a5;--variant3:#00775a;--variant4:#8a6d00;--variant5:#3b4a5a;`,
  dark: `--ink:#e6edf3;--muted:#9aa5b1;--grid:#333c47;--band:#252d37;--page:#0f1419;
--variant0:#ff9d5c;--variant1:#dba0cd;--variant2:#5ab8f0;--variant3:#3cc9a0;--variant4:#e3c54f;--variant5:#b4c2d1;`,
} as const;

const dashArrays = { solid: "", dashed: "5 3", dotted: "2 2" } as const;

const marks = {
  circle: '<circle cx="16" cy="7" r="4"/>',
  rect: '<rect x="12" y="3" width="8" height="8"/>',
  triangle: '<path d="M16 2.5l4.5 8.5h-9z"/>',
  diamond: '<path d="M16 2l5 5-5 5-5-5z"/>',
  [downTriangle]: '<path d="M11.5 3h9l-4.5 8.5z"/>',
  [cross]: '<path d="M14.5 2h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z"/>',
} as const;

/** Returns a grey box of this opacity: the legend for a part of a stacked bar, whatever the variant's colour. */
export function boxSwatch(opacity: number): string {
  return withVariables(
    `<svg viewBox="0 0 22 14" width="22" height="14" aria-hidden="true"><path d="M0 1h22v12h-22z" fill="${colours.muted}" fill-opacity="${opacity}"/></svg>`,
  );
}

/** The broad grey line that marks a frontier. */
export const frontierSwatch = withVariables(
  `<svg viewBox="0 0 32 14" width="32" height="14" aria-hidden="true"><path d="M0 7h32" stroke="${colours.muted}" stroke-opacity="0.3" stroke-width="7" fill="none"/></svg>`,
);

/** Returns a variant's line and mark, for a legend. */
export function swatch({ colour, symbol, dash }: VariantStyle): string {
  const dashed = dash === "solid" ? "" : ` stroke-dasharray="${dashArrays[dash]}"`;
  return withVariables(
    `<svg viewBox="0 0 32 14" width="32" height="14" aria-hidden="true"><g fill="${colour}"><path d="M0 7h32" stroke="${colour}" stroke-width="2" fill="none"${dashed}/>${marks[symbol]}</g></svg>`,
  );
}

/** Returns the legend of lines or marks in the order of their styles. */
export function styleLegend(labels: readonly string[]): NonNullable<Chart["legend"]> {
  return labels.map((label, index) => ({ label, swatch: swatch(variantStyle(index)) }));
}

/** Returns the style of a mark in a variant's colour, filled or hollow. */
export function markStyle(colour: string, isFilled: boolean) {
  return {
    color: isFilled ? colour : colours.page,
    borderColor: colour,
    borderWidth: 1.6,
    opacity: 1,
  };
}

/** Returns the name of a panel that shows one phase of one operation. */
export function panelName({ phase, operation }: Pick<SeriesView, "phase" | "operation">): string {
  return phase === "cold" ? "Cold: Init and first Duration" : `Warm ${operation}`;
}
