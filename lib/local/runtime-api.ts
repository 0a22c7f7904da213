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

/** A RuntimeListener gets what the runtime reports through the API. `atMs` is this machine's monotonic clock. */
export interface RuntimeListener {
  /** Returns whether the other end is a process of the function. Called once per connection. */
  isOwn(socket: Socket): Promise<boolean>;
  /** Called when a connection of any other process was refused. */
  refused(): void;
  /** The runtime requests an event: Init or the last invocation is over. */
  next(atMs: number): void;
  /** @param firstByteMs arrival of a streamed response's first byte, by the same clock */
  response(requestId: string, body: Buffer, firstByteMs?: number): void;
  invocationError(requestId: string, body: Buffer): void;
  initError(body: Buffer): void;
}

/** An event to deliver to the runtime. */
interface Delivery {
  readonly requestId: string;
  readonly event: string;
  readonly deadlineEpochMs: number;
  readonly functionArn: string;
}

const version = "/2018-06-01/runtime";

/** Path at which the shell that starts the extensions waits for their registration. It is no part of Lambda's API. */
export const registeredPath = "/kelvin/extensions-registered";

const invocationPath = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/;

/**
 * The Lambda Runtime API of one execution environment, on loopback. It serves only its own function's processes and
 * refuses all others on this machine. https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export class RuntimeApi {
  readonly #server: Server;
  readonly #listener: RuntimeListener;
  readonly #own = new WeakMap<Socket, Promise<boolean> | true>();
  readonly #extensions: ExtensionsApi;
  #waiting: ServerResponse | undefined;
  /** The runtime has requested an event and not received it yet. */
  #isAsked = false;
  /** The listener was notified that the runtime and all extensions have requested an event. */
  #isSignalled = false;
  #initEnded = false;
  /** How long the function's posts since its last request for an event have waited for the connection's verification. */
  #heldMs = 0;
  /** Time of the last delivery. */
  #handedOverMs = 0;
  /** Request id of the event that was delivered and not answered yet. */
  #requestId: string | undefined;

  private constructor(listener: RuntimeListener) {
    this.#listener = listener;
    this.#extensions = new ExtensionsApi({
      asked: () => this.#signalOnceAllAsk(performance.now()),
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

  /** Value for AWS_LAMBDA_RUNTIME_API, as host:port. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Delivers the event to the waiting runtime; returns the monotonic time of delivery. */
  deliver(delivery: Delivery): number {
    const response = this.#waiting;
    if (response === undefined) throw new Error("the runtime has not asked for an invocation");
    this.#waiting = undefined;
    this.#isAsked = false;
    this.#isSignalled = false;
    // Earlier posts, from another thread or about a failure nothing waits for, do not delay this event's response.
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

  /** Sets the external extensions that the environment starts: Init waits for all of them. */
  expectExtensions(names: readonly string[], described: ExtendedFunction): void {
    this.#extensions.expect(names, described);
  }

  get hasExtensions(): boolean {
    return this.#extensions.hasExtensions;
  }

  /** Notifies the extensions that the environment ends; returns how many registered for that. */
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
   * Verifies a connection once, without adding to measured times: the arrival time is taken before, and the delay of
   * a post is subtracted from the time of the next request, which waits for the post's response.
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
    } else if (url === registeredPath) {
      this.#extensions.whenRegistered(() => reply(response, 200, "OK"));
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
        // A process that ended in the middle of a post has posted nothing; its exit is reported elsewhere.
        () => {},
      );
    } else {
      reply(response, 404, "NotFound");
    }
  }

  /** Accepts one waiting request at a time; a client that disconnected without an event may request again. */
  #next(response: ServerResponse, atMs: number): void {
    if (this.#waiting?.closed === false) {
      reply(response, 403, "InvalidStateTransition");
      return;
    }
    this.#waiting = response;
    this.#requestId = undefined;
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#signalOnceAllAsk(Math.max(atMs - this.#heldMs, this.#handedOverMs));
    this.#heldMs = 0;
  }

  /**
   * "Each phase ends when the runtime and all registered extensions signal completion by sending a Next API request":
   * https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
   */
  #signalOnceAllAsk(atMs: number): void {
    if (!this.#isAsked || this.#isSignalled || !this.#extensions.isReady) return;
    this.#isSignalled = true;
    this.#initEnded = true;
    this.#listener.next(atMs);
  }

  #extend(request: ExtensionRequest, response: ServerResponse): void {
    const answer = this.#extensions.handle(request, response);
    if (answer === undefined) reply(response, 404, "NotFound");
    else if (answer !== "waits") answerJson(response, answer.status, answer.body, answer.headers);
  }

  /** Passes on what was posted to the listener; returns the response. */
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
    // An event accepts only one response.
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
 * Returns the trace header of a call that is not sampled: a new trace whose parent is Lambda's segment.
 * https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
 */
function traceHeader(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  const id = randomBytes(20).toString("hex");
  return `Root=1-${seconds.padStart(8, "0")}-${id.slice(0, 24)};Parent=${id.slice(24)};Sampled=0`;
}

/** Refuses the request, and closes the connection after the response. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => request.socket.destroy());
  reply(response, 403, "Forbidden: not a process of this function");
}

function reply(response: ServerResponse, status: number, statusText: string): void {
  answerJson(response, status, { status: statusText });
}
