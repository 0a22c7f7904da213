import { InvalidInput } from "./errors.ts";

/** Parses JSON; returns `otherwise` if the text is not JSON. */
export function parseJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Parses the JSON of a file. Throws InvalidInput without quoting a text that is not JSON: the file may be private. */
export function requireJson(path: string, text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  throw new InvalidInput(path, `${text.length} characters`, "JSON; this is not");
}

/** Returns whether a value from JSON is an object with fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A line; undefined if it was too long, because its text was not kept. */
export type Line = string | undefined;

/**
 * Splits chunks of text into lines, which end only with \n or \r\n: JSON may contain an unescaped U+2028. A line
 * that is too long takes no more memory than any other.
 */
export class LineSplitter {
  readonly #longest: number;
  readonly #onLine: (line: Line) => void;
  #pending = "";
  #isTooLong = false;

  /** @param longest maximum number of characters in a line */
  constructor(longest: number, onLine: (line: Line) => void) {
    this.#longest = longest;
    this.#onLine = onLine;
  }

  add(piece: string): void {
    let from = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", from)) {
      this.#append(piece.slice(from, end));
      this.#emit();
      from = end + 1;
    }
    this.#append(piece.slice(from));
  }

  end(): void {
    if (this.#pending !== "" || this.#isTooLong) this.#emit();
  }

  #append(text: string): void {
    if (this.#isTooLong) return;
    if (this.#pending.length + text.length > this.#longest) {
      this.#isTooLong = true;
      this.#pending = "";
    } else {
      this.#pending += text;
    }
  }

  #emit(): void {
    const line = this.#pending.endsWith("\r") ? this.#pending.slice(0, -1) : this.#pending;
    this.#onLine(this.#isTooLong ? undefined : line);
    this.#pending = "";
    this.#isTooLong = false;
  }
}
