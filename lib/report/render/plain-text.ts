import type { Text } from "../document/document.ts";

export interface CleanSpan {
  readonly mark: "none" | "code" | "strong";
  readonly text: string;
}

/**
 * Text that came from outside, made harmless for every medium: on one line, without control
 * characters (a terminal would obey them), without marks that reorder what is read, without halves
 * of characters (no UTF-8 can hold them).
 */
export function singleLine(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]/gu, "\uFFFD");
}

/** The spans of a text, each on one line and harmless. */
export function spansOf(text: Text): readonly CleanSpan[] {
  return (typeof text === "string" ? [text] : text).map((span) =>
    typeof span === "string"
      ? { mark: "none", text: singleLine(span) }
      : { mark: span.mark, text: singleLine(span.text) },
  );
}

/** The text without its marks. */
export function plain(text: Text): string {
  return spansOf(text)
    .map((span) => span.text)
    .join("");
}
