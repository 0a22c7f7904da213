import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/** The first bytes of gzip (RFC 1952, 2.3.1). */
const gzipMark = [0x1f, 0x8b] as const;

/**
 * Returns the bytes of a file, unpacked if they are gzip: an export of a log group to S3 and Firehose store gzip.
 * Throws what zlib throws of a file that is cut off.
 */
export async function* unpackedBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  const { value: first, done } = await iterator.next();
  if (done === true) return;
  const whole = followedBy(first, iterator);
  const isGzip = gzipMark.every((mark, index) => first[index] === mark);
  if (!isGzip) {
    yield* whole;
    return;
  }
  const unpacked = createGunzip();
  const packed = Readable.from(whole).on("error", (error) => unpacked.destroy(error));
  yield* packed.pipe(unpacked);
}

async function* followedBy(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield next.value;
  }
}
