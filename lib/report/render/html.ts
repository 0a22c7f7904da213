import { paletteCss } from "../chart/svg-chart.ts";
import {
  type Block,
  type Chart,
  type Column,
  type FirstScreen,
  plain,
  type ReportDocument,
  type Table,
  type Text,
} from "../document/document.ts";
import { escapeHtml, inlineHtml } from "./escape.ts";

/**
 * The document as one HTML file: inline pictures and style, no script, no external resource. The
 * page's policy enforces that wherever it is opened (Content Security Policy Level 3).
 */
export function renderHtml(document: ReportDocument): string {
  const title = escapeHtml(document.title);
  const first = document.blocks.filter(({ kind }, index) => index === 0 && kind === "first-screen");
  const rest = document.blocks.slice(first.length);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;${styleHash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${styleSheet}</style>
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
<header>
<h1>${inlineHtml(document.title)}</h1>
</header>
<main>
${first.map(blockHtml).join("\n")}
${contents(rest)}
<div id="report" tabindex="-1">
${sections(rest)}
</div>
</main>
</body>
</html>
`;
}

/** Links to the second-level headings and sections of the page. */
function contents(blocks: readonly Block[]): string {
  const headings = blocks.flatMap((block, index) => {
    const title = sectionTitle(block);
    return title === undefined
      ? []
      : [`<li><a href="#section-${index}">${inlineHtml(title)}</a></li>`];
  });
  return headings.length === 0
    ? ""
    : `<nav aria-label="Contents"><ul>${headings.join("")}</ul></nav>`;
}

function sectionTitle(block: Block): Text | undefined {
  if (block.kind === "heading" && block.level === 2) return block.text;
  return block.kind === "details" && block.section?.level === 2 ? block.summary : undefined;
}

function sections(blocks: readonly Block[]): string {
  return blocks
    .map((block, index) => {
      const id = ` id="section-${index}"`;
      if (block.kind === "details") return detailsHtml(block, id);
      return block.kind === "heading"
        ? `<h${block.level}${id}>${inlineHtml(block.text)}</h${block.level}>`
        : blockHtml(block);
    })
    .join("\n");
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${inlineHtml(block.text)}</h${block.level}>`;
    case "paragraph":
      return `<p>${inlineHtml(block.text)}</p>`;
    case "list":
      return `<ul>\n${block.items.map((item) => `<li>${inlineHtml(item)}</li>`).join("\n")}\n</ul>`;
    case "note":
      return `<p class="note ${block.tone}">${inlineHtml(block.text)}</p>`;
    case "table":
      return tableHtml(block);
    case "details":
      return detailsHtml(block);
    case "chart":
      return chartHtml(block);
    case "first-screen":
      return firstScreenHtml(block);
  }
}

function firstScreenHtml({ blocks, chart }: FirstScreen): string {
  const text = blocks.map(blockHtml).join("\n");
  const picture = chart === undefined ? "" : `\n${chartHtml(chart)}`;
  return `<div class="first-screen">
<div>
${text}
</div>${picture}
</div>`;
}

/** The id is on the content: a link to folded content opens it, a link to `<details>` itself does not. */
function detailsHtml(
  { summary, blocks, section }: Extract<Block, { kind: "details" }>,
  id = "",
): string {
  const content = blocks.map(blockHtml).join("\n");
  if (section === undefined) {
    return `<details><summary>${inlineHtml(summary)}</summary>\n${content}\n</details>`;
  }
  const { level, takeaway } = section;
  const said =
    takeaway === undefined ? "" : ` <span class="takeaway">${inlineHtml(takeaway)}</span>`;
  return `<details class="section"><summary><h${level}>${inlineHtml(summary)}</h${level}>${said}</summary>
<div${id}>
${content}
</div>
</details>`;
}

/**
 * The frame is focusable, so that a wide table can be scrolled by keyboard. Its role is `group`, not
 * `region`: thirty landmarks, one per table, would not help users of screen readers.
 */
function tableHtml({ id, caption, columns, rowHeaders, rows, rowIds }: Table): string {
  const head = columns.map(
    ({ label, align }) => `<th scope="col"${alignClass(align)}>${inlineHtml(label)}</th>`,
  );
  const body = rows.map((row, index) => {
    const isNewGroup =
      index > 0 && rowHeaders > 1 && cellText(row[0]) !== cellText(rows[index - 1]?.[0]);
    const cells = row.map((cell, column) => {
      const align = columns[column]?.align ?? "text";
      return column < rowHeaders
        ? `<th scope="row"${alignClass(align)}>${inlineHtml(cell)}</th>`
        : `<td${alignClass(align)}>${inlineHtml(cell)}</td>`;
    });
    const rowId = rowIds?.[index];
    const named = rowId === undefined ? "" : ` id="${escapeHtml(rowId)}"`;
    return `<tr${named}${isNewGroup ? ' class="group"' : ""}>${cells.join("")}</tr>`;
  });
  const name = escapeHtml(id);
  return `<div class="frame" role="group" aria-labelledby="${name}-caption" tabindex="0">
<table id="${name}">
<caption id="${name}-caption">${inlineHtml(caption)}</caption>
<thead><tr>${head.join("")}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>
</div>`;
}

/** The class for an alignment; none for text, which most cells are. */
function alignClass(align: Column["align"]): string {
  return align === "text" ? "" : ` class="${align}"`;
}

function cellText(text: Table["rows"][number][number] | undefined): string {
  return text === undefined ? "" : inlineHtml(text);
}

function chartHtml(chart: Chart): string {
  const { id, title, description, tableId, panelSize = "medium", legend = [], panels } = chart;
  const pictures = panels.map(({ label, svg }) => {
    const heading = label === undefined ? "" : `<p class="panel-label">${inlineHtml(label)}</p>`;
    return `<div class="panel">${heading}${svg}</div>`;
  });
  const entries = legend.map(({ label, swatch }) => `<li>${swatch}${inlineHtml(label)}</li>`);
  const legendHtml = entries.length === 0 ? "" : `<ul class="legend">${entries.join("")}</ul>\n`;
  return `<figure id="${escapeHtml(id)}" class="${panelSize}">
<figcaption><strong>${inlineHtml(title.replace(/\.$/, ""))}.</strong> ${inlineHtml(description)} <a href="#${escapeHtml(tableId)}">The numbers are in the table.</a></figcaption>
${pickerHtml(chart)}${legendHtml}<div class="panels">${pictures.join("\n")}</div>
</figure>`;
}

/** The number of panels for which the style sheet has a rule. */
const mostPicked = 12;

/** A picker of the panels to show, by style alone because the page has no script. */
function pickerHtml({ id, isPickable = false, panels }: Chart): string {
  if (!isPickable || panels.length < 2 || panels.length > mostPicked) return "";
  const labels = ["All", ...panels.map(({ label = "" }) => plain(label))];
  const choices = labels.map(
    (label, index) =>
      `<label><input type="radio" name="${escapeHtml(id)}-pick" value="${index}"${index === 0 ? ' checked="checked"' : ""}>${inlineHtml(label)}</label>`,
  );
  return `<fieldset class="picker"><legend>Show</legend>${choices.join("")}</fieldset>\n`;
}

const pickerRules = Array.from(
  { length: mostPicked },
  (_, index) =>
    `figure:has(.picker [value="${index + 1}"]:checked) .panel:not(:nth-child(${index + 1})){display:none}`,
).join("\n");

/** The page's style. Tables and charts scroll in their own frames; print has no colour scheme. */
const styleSheet = `:root{color-scheme:light dark;${paletteCss.light}}
@media (prefers-color-scheme:dark){:root{${paletteCss.dark}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans","DejaVu Sans",sans-serif}
header,main{max-width:72rem;margin:0 auto;padding:1.5rem 1.25rem 0}
main{padding:0 1.25rem 4rem}#report:focus{outline:none}
.skip{position:absolute;left:-99rem}.skip:focus{left:1.25rem;top:.25rem;padding:.4rem .8rem;background:var(--page);outline:2px solid var(--variant2)}
h1{font-size:2rem;line-height:1.2;margin:.5rem 0 1rem}
h2{font-size:1.4rem;line-height:1.25;margin:2.25rem 0 .75rem;padding-top:.75rem;border-top:1px solid var(--grid)}
h3{font-size:1.1rem;margin:2rem 0 .5rem}
h4{font-size:1rem;margin:1.5rem 0 .5rem}
p,ul{max-width:52rem;margin:.6rem 0}
ul{padding-left:1.3rem}
li{margin:.3rem 0}
a{color:inherit;text-decoration-color:var(--muted);text-underline-offset:.15em}
a:focus-visible,.frame:focus-visible,summary:focus-visible{outline:2px solid var(--variant2);outline-offset:2px}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.92em}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;list-style:none;padding:0;margin:1rem 0;max-width:none;font-size:.9rem}
nav li{margin:0}
.note{padding:.65rem .9rem;border-left:4px solid var(--muted);background:var(--band)}
.first-screen{display:grid;grid-template-columns:minmax(0,1fr);gap:0 2rem;font-size:1.06rem}
.first-screen>div>p:last-of-type{margin:0 0 .8rem;font-size:1.2rem;line-height:1.45;font-weight:600}
.first-screen>div>ul{list-style:none;padding:0}
.first-screen figure{margin:0}
.first-screen .frame{margin:.4rem 0 .8rem}
.first-screen table{font-size:.82rem}.first-screen th,.first-screen td{padding:.22rem .4rem}
.first-screen .panels{gap:.35rem;grid-template-columns:minmax(0,1fr)}
@media (min-width:62rem){.first-screen{grid-template-columns:minmax(0,1fr) minmax(0,24rem)}}
.picker{display:flex;flex-wrap:wrap;gap:.2rem .9rem;border:0;margin:.3rem 0;padding:0;font-size:.9rem}
.picker legend{float:left;padding:0;margin-right:.9rem;color:var(--muted)}
.picker label{display:inline-flex;align-items:center;gap:.3rem;min-height:1.6rem}
${pickerRules}
.section{border-top:1px solid var(--grid);margin:0;padding:.7rem 0}
.section>summary h2,.section>summary h3,.section>summary h4{display:inline;margin:0;padding:0;border:0;font-size:1.15rem}
.takeaway{font-weight:400;color:var(--muted);margin-left:.4rem}
tr:target>*{background:var(--band)}
.note.warning{border-left-color:var(--variant0)}
.frame{overflow-x:auto;margin:1.1rem 0}
table{border-collapse:collapse;font-size:.86rem;line-height:1.4;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:0 0 .5rem;color:var(--muted);max-width:min(52rem,calc(100vw - 2.5rem))}
th,td{padding:.28rem .65rem;vertical-align:top;text-align:left}
thead th{border-bottom:1.5px solid var(--ink);vertical-align:bottom;font-weight:600;max-width:11rem}
tbody th{font-weight:400}
tbody tr+tr>*{border-top:1px solid var(--grid)}
tbody tr.group>*{border-top:1.5px solid var(--muted)}
tbody th:first-child,thead th:first-child{position:sticky;left:0;background:var(--page)}
tbody tr:target>:first-child{background:var(--band)}
.section .section{padding:.45rem 0 .45rem 1rem}
.number{text-align:right;white-space:nowrap}
thead .number{white-space:normal}
td:not([class]),tbody th{white-space:nowrap}
tbody .prose{white-space:normal;min-width:7rem;max-width:34rem;overflow-wrap:anywhere}
figure{margin:1.5rem 0}
figcaption{max-width:52rem;margin-bottom:.75rem;color:var(--muted);font-size:.92rem}
figcaption strong{color:var(--ink)}
.panels{display:grid;gap:1.25rem 1.5rem;grid-template-columns:minmax(0,1fr)}
.small .panels{grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}
.panel svg{display:block;width:100%;height:auto;font-family:inherit}
.small .panel svg{max-width:34rem}
.medium .panel svg{max-width:38rem}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;padding:0;margin:.5rem 0 1rem;font-size:.9rem}
.legend li{margin:0;display:flex;align-items:center;gap:.5rem}
.panel-label{margin:0 0 .25rem;font-weight:600;font-size:.95rem}
details{margin:1.25rem 0}
summary{cursor:pointer;font-weight:600}
@media (max-width:30rem){h1{font-size:1.4rem;margin:.2rem 0 .6rem}header{padding-top:.6rem}.first-screen{font-size:1rem}.first-screen>div>p:last-of-type{font-size:1.08rem}.first-screen>div>ul{font-size:.94rem;line-height:1.45}}
@page{margin:13mm 12mm}
@media print{details::details-content{content-visibility:visible}
:root{color-scheme:light;${paletteCss.light}}
html{font-size:10pt}body{font-size:1rem}header,main{max-width:none;padding:0}nav,.skip,.picker{display:none}.first-screen{display:block}
.frame{overflow:visible}tr,.note,.panel,figcaption,caption,li{break-inside:avoid}.small .panels{grid-template-columns:1fr 1fr}h2,h3,h4,caption,figcaption{break-after:avoid}
.legend{break-after:avoid}
table{font-size:6.5pt;max-width:100%}th,td{padding:.1rem .25rem}th,td,.number{white-space:normal!important}}`;

/** Hash of the style sheet for the page's policy; after a change, a test prints the new one. */
const styleHash = "sha256-jxIUXSl9az/Pf6swU7eUmswIBuW3FqFCRojFdQGBgwo=";
