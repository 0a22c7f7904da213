import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type EnvironmentNetwork, machineNetwork } from "./environment-network.ts";
import {
  answerJson,
  type ExtendedFunction,
  type ExtensionRequest,
  ExtensionsApi,
} from "./extensions-api.ts";
import { type Posted, readAnswer, tooLargeError } from "./posted-answer.ts";

/**
 * A RuntimeListener hears what the function's runtime says through the API. `atMs` is this machine's monotonic clock.
 */
export interface RuntimeListener {
  /** Whether a process of the function is at the other end. Asked once a connection. */
  isOwn(socket: Socket): Promise<boolean>;
  /** Somebody else was refused. */
  refused(): void;
  /** The runtime asks for work: Init is over, or the last invocation is. */
  next(atMs: number): void;
  /** @param firstByteMs when a streamed answer began to come, by the same clock */
  response(requestId: string, body: Buffer, firstByteMs?: number): void;
  invocationError(requestId: string, body: Buffer): void;
  initError(body: Buffer): void;
}

/** An event to hand to the runtime. */
interface Delivery {
  readonly requestId: string;
  readonly event: string;
  readonly deadlineEpochMs: number;
  readonly functionArn: string;
}

const version = "/2018-06-01/runtime";
const invocationPath = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/;

/**
 * The Lambda Runtime API of one execution environment, on loopback, for its own function alone: any
 * process of this machine or network can connect, and is refused. https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export class RuntimeApi {
  readonly #server: Server;
  readonly #listener: RuntimeListener;
  readonly #own = new WeakMap<Socket, Promise<boolean> | true>();
  readonly #extensions: ExtensionsApi;
  #waiting: ServerResponse | undefined;
  /** The runtime asked for an event, and has none yet. */
  #isAsked = false;
  /** The listener knows that the runtime and all extensions ask for an event. */
  #isTold = false;
  #initEnded = false;
  /** Time that the function's posts since its last request for an event have waited for a verification. */
  #heldMs = 0;
  /** When the last event was handed out. */
  #handedOverMs = 0;
  /** Request id of the event that was handed out and is not answered yet. */
  #requestId: string | undefined;

  private constructor(listener: RuntimeListener) {
    this.#listener = listener;
    this.#extensions = new ExtensionsApi({
      asked: () => this.#tellOnceAllAsk(performance.now()),
      failed: (errorType, errorMessage) => {
        if (!this.#initEnded) listener.initError(errorBody(errorType, errorMessage));
      },
    });
    this.#server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
      this.#handle(request, response);
    });
    this.#server.on("connection", (socket) => this.#own.set(socket, this.#verified(socket)));
    this.#server.keepAliveTimeout = 0;
    this.#server.requestTimeout = 0;
    this.#server.timeout = 0;
  }

  static async start(
    listener: RuntimeListener,
    network: Pick<EnvironmentNetwork, "listen"> = machineNetwork,
  ): Promise<RuntimeApi> {
    const api = new RuntimeApi(listener);
    await network.listen(api.#server);
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
    this.#isAsked = false;
    this.#isTold = false;
    // Earlier posts, by another thread or about a failure that nobody waits for, hold up no answer of this event.
    this.#heldMs = 0;
    this.#requestId = delivery.requestId;
    const trace = traceHeader();
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(delivery.event),
      "lambda-runtime-aws-request-id": delivery.requestId,
      "lambda-runtime-deadline-ms": delivery.deadlineEpochMs,
      "lambda-runtime-invoked-function-arn": delivery.functionArn,
      "lambda-runtime-trace-id": trace,
    });
    const handedOverMs = performance.now();
    this.#handedOverMs = handedOverMs;
    response.end(delivery.event);
    this.#extensions.invoke({ ...delivery, trace });
    return handedOverMs;
  }

  /** Says which external extensions the environment starts: Init waits for all of them. */
  expectExtensions(names: readonly string[], described: ExtendedFunction): void {
    this.#extensions.expect(names, described);
  }

  get hasExtensions(): boolean {
    return this.#extensions.hasExtensions;
  }

  /** Tells the extensions that the environment ends; returns how many wanted to know. */
  shutDown(reason: "spindown" | "timeout" | "failure", deadlineEpochMs: number): number {
    return this.#extensions.shutDown(reason, deadlineEpochMs);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #verified(socket: Socket): Promise<boolean> {
    const isOwn = await this.#listener.isOwn(socket).catch(() => false);
    if (isOwn) this.#own.set(socket, true);
    else this.#listener.refused();
    return isOwn;
  }

  /**
   * A connection is verified once, and beside the clock: when a request came is known before that, and what
   * a post was held up by it is taken off the time of the next request, which waits for its answer.
   */
  #handle(request: IncomingMessage, response: ServerResponse): void {
    const atMs = performance.now();
    const own = this.#own.get(request.socket) ?? Promise.resolve(false);
    if (own === true) this.#handleOwn(request, response, atMs);
    else {
      void own.then((isOwn) => {
        if (!isOwn) return refuse(request, response);
        const isOfRuntime = request.method === "POST" && request.url?.startsWith(version) === true;
        if (isOfRuntime) this.#heldMs += performance.now() - atMs;
        return this.#handleOwn(request, response, atMs);
      });
    }
  }

  #handleOwn(request: IncomingMessage, response: ServerResponse, atMs: number): void {
    const url = request.url ?? "";
    if (request.method === "GET" && url === `${version}/invocation/next`) {
      this.#next(response, atMs);
    } else if (!url.startsWith(version)) {
      void readAnswer(request).then(
        ({ body = Buffer.alloc(0) }) => this.#extend({ ...pick(request), url, body }, response),
        () => {},
      );
    } else if (request.method === "POST") {
      void readAnswer(request).then(
        (answer) => {
          const [status, text] = this.#accept(url, answer);
          reply(response, status, text);
        },
        // A process that ended in the middle of what it posted has posted nothing; its end is told elsewhere.
        () => {},
      );
    } else {
      reply(response, 404, "NotFound");
    }
  }

  /** One reader at a time; one that went away without an event may come back. */
  #next(response: ServerResponse, atMs: number): void {
    if (this.#waiting?.closed === false) {
      reply(response, 403, "InvalidStateTransition");
      return;
    }
    this.#waiting = response;
    this.#requestId = undefined;
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#tellOnceAllAsk(Math.max(atMs - this.#heldMs, this.#handedOverMs));
    this.#heldMs = 0;
  }

  /**
   * "Each phase ends when the runtime and all registered extensions signal completion by sending a Next API request":
   * https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
   */
  #tellOnceAllAsk(atMs: number): void {
    if (!this.#isAsked || this.#isTold || !this.#extensions.isReady) return;
    this.#isTold = true;
    this.#initEnded = true;
    this.#listener.next(atMs);
  }

  #extend(request: ExtensionRequest, response: ServerResponse): void {
    const answer = this.#extensions.handle(request, response);
    if (answer === undefined) reply(response, 404, "NotFound");
    else if (answer !== "waits") answerJson(response, answer.status, answer.body, answer.headers);
  }

  /** Tells the listener of what was posted. */
  #accept(url: string, answer: Posted): readonly [status: number, text: string] {
    const { body, error, firstByteMs } = answer;
    const [, requestId = "", kind] = invocationPath.exec(url) ?? [];
    if (kind !== undefined && requestId !== this.#requestId) return [400, "InvalidRequestID"];
    if (body === undefined) {
      if (kind === "response") this.#listener.invocationError(requestId, tooLargeError(answer));
      return [413, "Function.ResponseSizeTooLarge"];
    }
    if (url === `${version}/init/error`) {
      if (this.#initEnded) return [403, "InvalidStateTransition"];
      this.#listener.initError(body);
      return [202, "OK"];
    }
    if (kind === undefined) return [404, "NotFound"];
    // An event is answered once.
    this.#requestId = undefined;
    if (error !== undefined) this.#listener.invocationError(requestId, error);
    else if (kind === "response") this.#listener.response(requestId, body, firstByteMs);
    else this.#listener.invocationError(requestId, body);
    return [202, "OK"];
  }
}

function pick({ method, headers }: IncomingMessage): Pick<ExtensionRequest, "method" | "headers"> {
  return { method, headers };
}

function errorBody(errorType: string, errorMessage: string): Buffer {
  return Buffer.from(JSON.stringify({ errorType, errorMessage }));
}

/**
 * Makes the header of a call that is not sampled: a new trace, whose parent is Lambda's own segment.
 * https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
function traceHeader(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  const id = randomBytes(20).toString("hex");
  return `Root=1-${seconds.padStart(8, "0")}-${id.slice(0, 24)};Parent=${id.slice(24)};Sampled=0`;
}

/** The connection ends with the answer: nothing more is read from it. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => request.socket.destroy());
  reply(response, 403, "Forbidden: not a process of this function");
}

function reply(response: ServerResponse, status: number, statusText: string): void {
  answerJson(response, status, { status: statusText });
}
