import type { Block, Chart, ReportDocument, Table } from "../document/document.ts";
import { escapeHtml, inlineHtml } from "./escape-html.ts";
import { plain } from "./plain-text.ts";
import { styleHash, styleSheet } from "./style-sheet.ts";

/**
 * The document as one HTML file: pictures and style inside, no script, nothing from elsewhere. The
 * policy holds the page to that, wherever it is opened (Content Security Policy Level 3).
 */
export function renderHtml(document: ReportDocument): string {
  const title = escapeHtml(document.title);
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
<h1>${title}</h1>
${contents(document.blocks)}
</header>
<main id="report" tabindex="-1">
${sections(document.blocks)}
</main>
</body>
</html>
`;
}

/** The headings of the second level, as links into the page. */
function contents(blocks: readonly Block[]): string {
  const headings = blocks.flatMap((block, index) =>
    block.kind === "heading" && block.level === 2
      ? [`<li><a href="#section-${index}">${inlineHtml(block.text)}</a></li>`]
      : [],
  );
  return headings.length === 0
    ? ""
    : `<nav aria-label="Contents"><ul>${headings.join("")}</ul></nav>`;
}

function sections(blocks: readonly Block[]): string {
  return blocks
    .map((block, index) =>
      block.kind === "heading"
        ? `<h${block.level} id="section-${index}">${inlineHtml(block.text)}</h${block.level}>`
        : blockHtml(block),
    )
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
      return `<details><summary>${inlineHtml(block.summary)}</summary>\n${block.blocks.map(blockHtml).join("\n")}\n</details>`;
    case "chart":
      return chartHtml(block);
  }
}

/**
 * The frame takes the keyboard's focus, so that a wide table can be scrolled without a mouse. A group
 * and no region: a landmark for each of thirty tables leads a listener nowhere.
 */
function tableHtml({ id, caption, columns, rowHeaders, rows }: Table): string {
  const head = columns.map(
    ({ label, align }) => `<th scope="col" class="${align}">${inlineHtml(label)}</th>`,
  );
  const body = rows.map((row, index) => {
    const isNewGroup =
      index > 0 && rowHeaders > 1 && textOf(row[0]) !== textOf(rows[index - 1]?.[0]);
    const cells = row.map((cell, column) => {
      const align = columns[column]?.align ?? "text";
      return column < rowHeaders
        ? `<th scope="row" class="${align}">${inlineHtml(cell)}</th>`
        : `<td class="${align}">${inlineHtml(cell)}</td>`;
    });
    return `<tr${isNewGroup ? ' class="group"' : ""}>${cells.join("")}</tr>`;
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

function textOf(text: Table["rows"][number][number] | undefined): string {
  return text === undefined ? "" : inlineHtml(text);
}

function chartHtml(chart: Chart): string {
  const { id, title, description, tableId, panelSize = "medium", legend = [], panels } = chart;
  const pictures = panels.map(({ label, svg }) => {
    const heading = label === undefined ? "" : `<p class="panel-label">${inlineHtml(label)}</p>`;
    const name = escapeHtml(label === undefined ? title : `${title}: ${plain(label)}`);
    const scrolls = panelSize === "wide" ? ` role="group" aria-label="${name}" tabindex="0"` : "";
    return `<div class="panel"${scrolls}>${heading}${svg}</div>`;
  });
  const entries = legend.map(({ label, swatch }) => `<li>${swatch}${escapeHtml(label)}</li>`);
  const legendHtml = entries.length === 0 ? "" : `<ul class="legend">${entries.join("")}</ul>\n`;
  return `<figure id="${escapeHtml(id)}" class="${panelSize}">
<figcaption><strong>${escapeHtml(title)}.</strong> ${escapeHtml(description)} <a href="#${escapeHtml(tableId)}">The numbers are in the table.</a></figcaption>
${legendHtml}<div class="panels">${pictures.join("\n")}</div>
</figure>`;
}
