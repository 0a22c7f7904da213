/**
 * Decodes bytes in chunks: UTF-8, or UTF-16, in which Windows PowerShell redirects output to a file, with a byte order
 * mark, which is dropped.
 */
export class TextDecoding {
  #decoder: InstanceType<typeof TextDecoder> | undefined;

  /** @param bytes at first, at least the byte order mark */
  add(bytes: Uint8Array): string {
    const [first, second] = bytes;
    if (first === undefined) return "";
    const isLittle = first === 0xff && second === 0xfe;
    const isBig = first === 0xfe && second === 0xff;
    this.#decoder ??= new TextDecoder(isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8");
    return this.#decoder.decode(bytes, { stream: true });
  }

  end(): string {
    return this.#decoder?.decode() ?? "";
  }
}
