import type { Text } from "../document/document.ts";
import { singleLine, spansOf } from "./plain-text.ts";

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

const elements = { none: undefined, code: "code", strong: "strong" } as const;

export function inlineHtml(text: Text): string {
  return spansOf(text)
    .map(({ mark, text: content }) => {
      const element = elements[mark];
      const escaped = escapeHtml(content);
      return element === undefined ? escaped : `<${element}>${escaped}</${element}>`;
    })
    .join("");
}
