/** Number of leading bytes that determine the encoding. */
const longestMark = 4;

/**
 * Decodes bytes in chunks: UTF-8, or UTF-16, in which Windows PowerShell redirects output to a file. The encoding is
 * detected by the byte order mark, which is dropped, or, without one, by the zero bytes of ASCII letters.
 */
export class TextDecoding {
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #first = new Uint8Array();

  add(bytes: Uint8Array): string {
    if (this.#decoder !== undefined) return this.#decoder.decode(bytes, { stream: true });
    const first = new Uint8Array(this.#first.length + bytes.length);
    first.set(this.#first);
    first.set(bytes, this.#first.length);
    this.#first = first;
    return first.length < longestMark ? "" : this.#chooseDecoder();
  }

  end(): string {
    const first = this.#decoder === undefined ? this.#chooseDecoder() : "";
    return first + (this.#decoder?.decode() ?? "");
  }

  #chooseDecoder(): string {
    this.#decoder = new TextDecoder(encodingOf(this.#first));
    return this.#decoder.decode(this.#first, { stream: true });
  }
}

function encodingOf([first, second, third, fourth]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const isZero = (...bytes: readonly (number | undefined)[]) => bytes.every((byte) => byte === 0);
  if (isZero(second, fourth) && !isZero(first)) return "utf-16le";
  return isZero(first, third) && !isZero(second) ? "utf-16be" : "utf-8";
}
