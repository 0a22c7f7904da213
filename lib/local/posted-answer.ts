import type { IncomingMessage } from "node:http";

/** A Posted is the body of a runtime's POST to the Runtime API. */
export interface Posted {
  /** Absent if it exceeded Lambda's limit. */
  readonly body?: Buffer;
  /** Lambda's limit for this kind of response. */
  readonly largestBytes: number;
  /** Arrival of a streamed response's first byte, by this machine's monotonic clock. */
  readonly firstByteMs?: number;
  /** Failure after a streamed response had begun, in the format of an error post. */
  readonly error?: Buffer;
}

/** Lambda's response limits: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const largest = { buffered: 6_291_556, streamed: 200 * 1024 * 1024 } as const;

/** `keptBytes` limits how much of a streamed response is kept: it is checked, but not recorded. */
const keptBytes = largest.buffered;

/** https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html#runtimes-custom-response-streaming */
const streamingHeader = "lambda-runtime-function-response-mode";
const httpAnswer = "application/vnd.awslambda.http-integration-response";

/** Reads the posted body to its end. Rejects if the connection closes before. */
export async function readAnswer(request: IncomingMessage): Promise<Posted> {
  const isStreamed = request.headers[streamingHeader] === "streaming";
  const largestBytes = isStreamed ? largest.streamed : largest.buffered;
  const chunks: Buffer[] = [];
  let bytes = 0;
  let firstByteMs: number | undefined;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    firstByteMs ??= performance.now();
    bytes += chunk.length;
    if (bytes <= keptBytes) chunks.push(chunk);
  }
  if (bytes > largestBytes) return { largestBytes };
  const body = Buffer.concat(chunks);
  if (!isStreamed) return { body, largestBytes };
  return {
    body: request.headers["content-type"] === httpAnswer ? withoutPrelude(body) : body,
    largestBytes,
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...readTrailers(request),
  };
}

function readTrailers({ trailers }: IncomingMessage): Pick<Posted, "error"> {
  const errorType = trailers["lambda-runtime-function-error-type"];
  if (errorType === undefined) return {};
  const described = trailers["lambda-runtime-function-error-body"];
  if (typeof described === "string") return { error: Buffer.from(described, "base64") };
  const errorMessage = "the answer failed after it had begun";
  return { error: Buffer.from(JSON.stringify({ errorType, errorMessage })) };
}

const preludeEnd = Buffer.alloc(8);

/**
 * Converts a streamed HTTP response to the one that a function without streaming returns: status and headers, which
 * come first and end with eight zero bytes, and the body as text. Other bytes are returned unchanged.
 */
function withoutPrelude(bytes: Buffer): Buffer {
  const end = bytes.indexOf(preludeEnd);
  if (end < 0) return bytes;
  try {
    const prelude: unknown = JSON.parse(bytes.toString("utf8", 0, end));
    const body = bytes.toString("utf8", end + preludeEnd.length);
    return Buffer.from(JSON.stringify({ ...Object(prelude), body }));
  } catch {
    return bytes;
  }
}

export function tooLargeError({ largestBytes }: Pick<Posted, "largestBytes">): Buffer {
  const errorType = "Function.ResponseSizeTooLarge";
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${largestBytes} bytes).`;
  return Buffer.from(JSON.stringify({ errorType, errorMessage }));
}
