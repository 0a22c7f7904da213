// What a terminal would obey, and marks that reorder what is read; line breaks and tabs may stay.
const obeyed = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Text of whatever source as it may stand on a terminal: a control character is written as the escape
 * that JSON has for it, so that JSON stays the same JSON.
 */
export function printable(text: string): string {
  return text.replace(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
