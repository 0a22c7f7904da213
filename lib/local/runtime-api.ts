import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the function's runtime says through the API. `atMs` is this machine's monotonic clock. */
export interface RuntimeListener {
  /** The runtime asks for work: Init is over, or the last invocation is. */
  next(atMs: number): void;
  response(requestId: string, body: Buffer): void;
  invocationError(requestId: string, body: Buffer): void;
  initError(body: Buffer): void;
}

/** An event to hand to the runtime. */
export interface Delivery {
  readonly requestId: string;
  readonly event: string;
  readonly deadlineEpochMs: number;
  readonly functionArn: string;
}

/** Largest response that Lambda takes: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const largestResponseBytes = 6_291_556;

const version = "/2018-06-01/runtime";
const invocationPath = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/;

/**
 * The Lambda Runtime API of one execution environment, on loopback.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export class RuntimeApi {
  readonly #server: Server;
  readonly #listener: RuntimeListener;
  #waiting: ServerResponse | undefined;

  private constructor(listener: RuntimeListener) {
    this.#listener = listener;
    this.#server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
      this.#handle(request, response);
    });
    this.#server.keepAliveTimeout = 0;
    this.#server.requestTimeout = 0;
    this.#server.timeout = 0;
  }

  static async start(listener: RuntimeListener): Promise<RuntimeApi> {
    const api = new RuntimeApi(listener);
    await new Promise<void>((resolve, reject) => {
      api.#server.once("error", reject);
      api.#server.listen(0, "127.0.0.1", resolve);
    });
    return api;
  }

  /** host:port, for AWS_LAMBDA_RUNTIME_API. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Hands the event to the runtime that waits for it; returns the monotonic time of handing over. */
  deliver(delivery: Delivery): number {
    const response = this.#waiting;
    if (response === undefined) throw new Error("the runtime has not asked for an invocation");
    this.#waiting = undefined;
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(delivery.event),
      "lambda-runtime-aws-request-id": delivery.requestId,
      "lambda-runtime-deadline-ms": delivery.deadlineEpochMs,
      "lambda-runtime-invoked-function-arn": delivery.functionArn,
      "lambda-runtime-trace-id": `Root=1-00000000-${delivery.requestId.replaceAll("-", "").slice(0, 24)};Sampled=0`,
    });
    const handedOverMs = performance.now();
    response.end(delivery.event);
    return handedOverMs;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? "";
    if (request.method === "GET" && url === `${version}/invocation/next`) {
      this.#waiting = response;
      this.#listener.next(performance.now());
    } else if (request.method === "POST") {
      void readBody(request).then((body) => {
        const [status, text] = this.#accept(url, body);
        reply(response, status, text);
      });
    } else {
      reply(response, 404, "NotFound");
    }
  }

  /** Tells the listener of what was posted; `body` is undefined when it was too large. */
  #accept(url: string, body: Buffer | undefined): readonly [status: number, text: string] {
    const [, requestId = "", kind] = invocationPath.exec(url) ?? [];
    if (body === undefined) {
      if (kind === "response") this.#listener.invocationError(requestId, tooLargeError());
      return [413, "Function.ResponseSizeTooLarge"];
    }
    if (url === `${version}/init/error`) this.#listener.initError(body);
    else if (kind === "response") this.#listener.response(requestId, body);
    else if (kind === "error") this.#listener.invocationError(requestId, body);
    else return [404, "NotFound"];
    return [202, "OK"];
  }
}

function tooLargeError(): Buffer {
  const errorType = "Function.ResponseSizeTooLarge";
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${largestResponseBytes} bytes).`;
  return Buffer.from(JSON.stringify({ errorType, errorMessage }));
}

/** The request's body, or undefined when it is larger than Lambda takes. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= largestResponseBytes) chunks.push(chunk);
  }
  return bytes > largestResponseBytes ? undefined : Buffer.concat(chunks);
}

function reply(response: ServerResponse, status: number, statusText: string): void {
  const body = JSON.stringify({ status: statusText });
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}
