import { type CleanSpan, cleanSpans, singleLine, type Text } from "../document/document.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or a quoted attribute, of HTML and of SVG. */
export function escapeHtml(text: string): string {
  return singleLine(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const elements = { none: undefined, code: "code", strong: "strong", link: "a" } as const;

export function inlineHtml(text: Text): string {
  return cleanSpans(text)
    .map(({ mark, text: content, to }) => {
      const element = elements[mark];
      const escaped = escapeHtml(content);
      const target = to === undefined ? "" : ` href="#${escapeHtml(to)}"`;
      return element === undefined ? escaped : `<${element}${target}>${escaped}</${element}>`;
    })
    .join("");
}

/** A text as inline markdown (GitHub's), in which what came from outside stays text. */
export function inlineMarkdown(text: Text): string {
  return cleanSpans(text).map(spanMarkdown).join("");
}

/** As inlineMarkdown, where a line begins: there a number or a dash could begin a list. */
export function lineMarkdown(text: Text): string {
  return inlineMarkdown(text)
    .replace(/^\s+/, "")
    .replace(/^[#+=-]/, "\\$&")
    .replace(/^(\d+)([.)])(?=\s|$)/, "$1\\$2");
}

function spanMarkdown({ mark, text }: CleanSpan): string {
  if (mark === "code") return codeMarkdown(text);
  return mark === "strong" ? `**${escaped(text)}**` : escaped(text);
}

/** A bracket that opens nothing but an interval, as in 12.3 [11.9, 12.8], may stay as it is. */
const interval = /\[(?:-?[\d.,]+, -?[\d.,]+|95 % CI)\](?![([:])/g;

function escaped(text: string): string {
  let from = 0;
  let out = "";
  for (const match of text.matchAll(interval)) {
    out += escapedPart(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return out + escapedPart(text.slice(from));
}

/**
 * No reader sees it, and GitHub takes no name after it for a person to notify: that is looked for in the
 * finished page, where no escape is left. https://docs.github.com/en/get-started/writing-on-github
 */
const wordJoiner = "\u2060";

/** Addresses stay text: GitHub's markdown would make links of them (github.github.com/gfm, 6.9). */
function escapedPart(text: string): string {
  return text
    .replace(/[\\`*[\]|~$]/g, "\\$&")
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\_")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/(www)\./gi, "$1\\.")
    .replace(/@(?=[A-Za-z0-9])/g, `@${wordJoiner}`)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}

/** Code that holds what would end it, or the table's cell around it, is printed as plain text. */
function codeMarkdown(text: string): string {
  return text === "" || /[`|\\]/.test(text) ? escaped(text) : `\`${text}\``;
}
