import { type CleanSpan, cleanSpans, singleLine, type Text } from "../document/document.ts";
import { withUnbrokenUnits } from "../document/wrapped.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for an element or a quoted attribute of HTML or SVG. */
export function escapeHtml(text: string): string {
  return singleLine(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const elements = { none: undefined, code: "code", strong: "strong", link: "a" } as const;

/** A range such as `2.6–5.8×`, which a browser would break after the dash. */
const rangeWithDash = /[\d.,]*\d–\d[\d.,]*×?/g;

/**
 * Renders a text as inline HTML in which no line breaks within a range, or between a number and its unit. Code stays unchanged, because
 * readers copy it. Markdown keeps plain spaces: it is read, searched and edited as source.
 */
export function inlineHtml(text: Text): string {
  const spans = cleanSpans(text);
  const whole = withUnbrokenUnits(spans.map((span) => span.text).join(""));
  let at = 0;
  return spans
    .map(({ mark, text: content, to }) => {
      const element = elements[mark];
      const shown = mark === "code" ? content : whole.slice(at, at + content.length);
      at += content.length;
      const escaped = escapeHtml(shown).replace(rangeWithDash, '<span class="whole">$&</span>');
      const target = to === undefined ? "" : ` href="#${escapeHtml(to)}"`;
      return element === undefined ? escaped : `<${element}${target}>${escaped}</${element}>`;
    })
    .join("");
}

/** Renders a text as inline markdown (GitHub's) in which external text cannot act as markup. */
export function inlineMarkdown(text: Text): string {
  return cleanSpans(text).map(spanMarkdown).join("");
}

/** Like inlineMarkdown, for the start of a line, where a number or a dash could begin a list. */
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

/** A bracketed interval, as in 12.3 [11.9, 12.8]. It needs no escape. */
const interval = /\[(?:-?[\d.,]+, -?[\d.,]+|95% CI)\](?![([:])/g;

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
 * An invisible character that keeps GitHub from treating the next name as a mention. GitHub looks for mentions in the
 * rendered page, where no escape is left. https://docs.github.com/en/get-started/writing-on-github
 */
const wordJoiner = "\u2060";

/** Also escapes URLs, which GitHub's markdown would turn into links (github.github.com/gfm, 6.9). */
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

/** Returns a code span. Text that would end the span or its table cell is printed as plain text. */
function codeMarkdown(text: string): string {
  return text === "" || /[`|\\]/.test(text) ? escaped(text) : `\`${text}\``;
}
