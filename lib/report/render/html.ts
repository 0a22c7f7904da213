import {
  type Block,
  type Chart,
  type Column,
  type Details,
  type FirstScreen,
  plain,
  type ReportDocument,
  type Table,
  type Text,
} from "../document/document.ts";
import { escapeHtml, inlineHtml } from "./escape.ts";
import { scriptHash, styleHash } from "./page-hashes.ts";
import { pageScript } from "./page-script.ts";
import { mostPicked, styleSheet } from "./page-style.ts";

/**
 * Renders the document as one HTML file with inline pictures, style and script, and no external resource. Its policy
 * (Content Security Policy Level 3) enforces this anywhere, by the hashes of its style and script. Without scripts,
 * only sorting and filtering are missing.
 */
export function renderHtml(document: ReportDocument): string {
  const title = escapeHtml(document.title);
  const first = document.blocks.filter(({ kind }, index) => index === 0 && kind === "first-screen");
  const rest = document.blocks.slice(first.length);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;${styleHash}&#39;; script-src &#39;${scriptHash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">
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
${blocksHtml(first)}
${contents(rest)}
<div id="report" tabindex="-1">
${rest.map((block, index) => blockHtml(block, ` id="section-${index}"`)).join("\n")}
</div>
</main>
<script>${pageScript}</script>
</body>
</html>
`;
}

/** Returns links to the second-level headings and sections of the page. */
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

/** @param id attribute of a heading or a folded section, for links to it */
function blockHtml(block: Block, id = ""): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}${id}>${inlineHtml(block.text)}</h${block.level}>`;
    case "paragraph":
      return `<p>${inlineHtml(block.text)}</p>`;
    case "list":
      return `<ul>\n${block.items.map((item) => `<li>${inlineHtml(item)}</li>`).join("\n")}\n</ul>`;
    case "note":
      return `<p class="note ${block.tone}">${inlineHtml(block.text)}</p>`;
    case "table":
      return tableHtml(block);
    case "details":
      return detailsHtml(block, id);
    case "chart":
      return chartHtml(block);
    case "first-screen":
      return firstScreenHtml(block);
  }
}

function blocksHtml(blocks: readonly Block[]): string {
  return blocks.map((block) => blockHtml(block)).join("\n");
}

function firstScreenHtml({ blocks, chart }: FirstScreen): string {
  const text = blocksHtml(blocks);
  const picture = chart === undefined ? "" : `\n${chartHtml(chart)}`;
  return `<div class="first-screen">
<div>
${text}
</div>${picture}
</div>`;
}

/** Puts the id on the content: a link to folded content opens it, a link to `<details>` itself does not. */
function detailsHtml({ summary, blocks, section }: Details, id: string): string {
  const content = blocksHtml(blocks);
  if (section === undefined) {
    return `<details><summary>${inlineHtml(summary)}</summary>\n${content}\n</details>`;
  }
  const { level, takeaway } = section;
  const takeawayHtml =
    takeaway === undefined ? "" : ` <span class="takeaway">${inlineHtml(takeaway)}</span>`;
  return `<details class="section"><summary><h${level}>${inlineHtml(summary)}</h${level}>${takeawayHtml}</summary>
<div${id}>
${content}
</div>
</details>`;
}

/**
 * The frame is focusable, so that a wide table can be scrolled by keyboard. Its role is `group`, not `region`: thirty
 * landmarks, one per table, would not help users of screen readers.
 */
function tableHtml({ id, caption, columns, rowHeaders, rows, rowIds }: Table): string {
  const head = columns.map(
    ({ label, align, isVerdict }) =>
      `<th scope="col"${isVerdict ? ' class="verdict"' : alignClass(align)}>${inlineHtml(label)}</th>`,
  );
  const body = rows.map((row, index) => {
    const isNewGroup =
      index > 0 && rowHeaders > 1 && plain(row[0] ?? "") !== plain(rows[index - 1]?.[0] ?? "");
    const cells = row.map((cell, column) => {
      const align = columns[column]?.align ?? "text";
      return column < rowHeaders
        ? `<th scope="row"${alignClass(align)}>${inlineHtml(cell)}</th>`
        : `<td${alignClass(align)}>${inlineHtml(cell)}</td>`;
    });
    const rowId = rowIds?.[index];
    const idAttribute = rowId === undefined ? "" : ` id="${escapeHtml(rowId)}"`;
    return `<tr${idAttribute}${isNewGroup ? ' class="group"' : ""}>${cells.join("")}</tr>`;
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

/** Returns the class for an alignment; none for text, which is the most frequent. */
function alignClass(align: Column["align"]): string {
  return align === "text" ? "" : ` class="${align}"`;
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
<figcaption><strong>${inlineHtml(title.replace(/\.$/, ""))}.</strong> <span class="said">${inlineHtml(description)}</span> <a href="#${escapeHtml(tableId)}">The numbers are in the table.</a></figcaption>
${pickerHtml(chart)}${legendHtml}<div class="panels">${pictures.join("\n")}</div>
</figure>`;
}

/** Returns a picker of the panels to show. It uses only CSS, so that it also works where scripts are blocked. */
function pickerHtml({ id, isPickable = false, panels }: Chart): string {
  if (!isPickable || panels.length < 2 || panels.length > mostPicked) return "";
  const labels = ["All", ...panels.map(({ label = "" }) => plain(label))];
  const choices = labels.map(
    (label, index) =>
      `<label><input type="radio" name="${escapeHtml(id)}-pick" value="${index}"${index === 0 ? ' checked="checked"' : ""}>${inlineHtml(label)}</label>`,
  );
  return `<fieldset class="picker"><legend>Show</legend>${choices.join("")}</fieldset>\n`;
}
