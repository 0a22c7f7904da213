// Response streaming as in Lambda's Node.js runtimes: `awslambda.streamifyResponse` and the stream that a handler
// writes to. https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
import { Writable } from "node:stream";

const streaming = Symbol.for("aws.lambda.runtime.handler.streaming");
const highWaterMark = Symbol.for("aws.lambda.runtime.handler.streaming.highWaterMark");

/** Separates the prelude of an HTTP response from its body. */
const preludeEnd = Buffer.alloc(8);
const httpAnswer = "application/vnd.awslambda.http-integration-response";

/** The global `awslambda` of handlers. */
export const awslambda = {
  streamifyResponse(handler, options) {
    handler[streaming] = "response";
    if (options?.highWaterMark !== undefined) handler[highWaterMark] = options.highWaterMark;
    return handler;
  },
  HttpResponseStream: {
    /** Returns the same stream; its response begins with a status and headers. */
    from(stream, prelude) {
      stream.setContentType(httpAnswer);
      stream.beforeFirstWrite = () => {
        stream.send(Buffer.from(JSON.stringify(prelude)));
        stream.send(preludeEnd);
      };
      return stream;
    },
  },
};

export function isStreaming(handler) {
  return handler[streaming] === "response";
}

/** Opened by the first write: an earlier error is reported as usual. */
class ResponseStream extends Writable {
  /** Called once, before the first write. */
  beforeFirstWrite = () => {};
  #open;
  #exchange;
  #contentType = "application/octet-stream";

  constructor(open, options) {
    super(options);
    this.#open = open;
  }

  get isOpen() {
    return this.#exchange !== undefined;
  }

  setContentType(type) {
    this.#contentType = type;
  }

  getContentType() {
    return this.#contentType;
  }

  send(chunk) {
    this.#exchange.write(chunk);
  }

  /** Ends the response, with the error if the handler failed after the first write. */
  async finish(error) {
    this.#openOnce();
    await this.#exchange.end(error);
  }

  _write(chunk, encoding, written) {
    this.#openOnce();
    this.#exchange.write(Buffer.from(chunk, encoding), written);
  }

  #openOnce() {
    if (this.isOpen) return;
    this.#exchange = this.#open(this.#contentType);
    this.beforeFirstWrite();
  }
}

/**
 * Calls the handler with a stream, and waits until it has returned and ended the stream. Rejects with an error thrown
 * before the first write; a later one is sent at the end of the response.
 * @param open Begins the response with its content type: { write(chunk, written), end(error) }
 */
export async function callStreaming(handler, event, context, open) {
  const options = handler[highWaterMark] && { highWaterMark: handler[highWaterMark] };
  const stream = new ResponseStream(open, options);
  const ended = new Promise((resolve, reject) => {
    stream.once("finish", resolve);
    stream.once("error", reject);
    // The event loop is empty, so nothing could end it any more.
    process.once("beforeExit", resolve);
  });
  ended.catch(() => {});
  try {
    await handler(event, stream, context);
    await ended;
  } catch (error) {
    if (!stream.isOpen) throw error;
    return await stream.finish(error);
  }
  await stream.finish();
}
