import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { parseJson } from "../contract/lines.ts";

// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-extensions-api.html

const version = "/2020-01-01/extension";

/** An EventType is an event that an extension may register for. */
type EventType = "INVOKE" | "SHUTDOWN";

interface Extension {
  readonly name: string;
  readonly events: readonly EventType[];
  /** The extension's pending request for the next event; absent while it handles one. */
  waiting?: ServerResponse;
  /** An event that the extension has not requested yet. */
  pending?: object;
}

/** The function's description in the response to an extension's registration. */
export interface ExtendedFunction {
  readonly functionName: string;
  readonly handler: string;
}

interface InvokeEvent {
  readonly requestId: string;
  readonly deadlineEpochMs: number;
  readonly functionArn: string;
  readonly trace: string;
}

type ShutdownReason = "spindown" | "timeout" | "failure";

export interface ExtensionRequest {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An ExtensionAnswer is the API's response to a request; `waits` if an event will be the response. */
type ExtensionAnswer =
  | { readonly status: number; readonly body: object; readonly headers?: Record<string, string> }
  | "waits";

interface ExtensionListener {
  /** Called when an extension requests the next event. */
  asked(): void;
  /** Called when an extension fails, or requests an API that does not exist on this machine. */
  failed(type: string, message: string): void;
}

/** The Extensions API of one execution environment. It knows its extensions and which of them wait for an event. */
export class ExtensionsApi {
  readonly #listener: ExtensionListener;
  readonly #extensions = new Map<string, Extension>();
  #expected: readonly string[] = [];
  #described: ExtendedFunction = { functionName: "", handler: "" };
  #isInitOver = false;
  /** Called once every expected extension has registered. */
  #onRegistered: (() => void)[] = [];

  constructor(listener: ExtensionListener) {
    this.#listener = listener;
  }

  /** Sets the file names of the external extensions that are started. */
  expect(names: readonly string[], described: ExtendedFunction): void {
    this.#expected = names;
    this.#described = described;
  }

  /** Returns whether every expected extension has registered and all wait for the next event. */
  get isReady(): boolean {
    return this.#areRegistered && [...this.#extensions.values()].every(isWaiting);
  }

  get #areRegistered(): boolean {
    const names = new Set([...this.#extensions.values()].map(({ name }) => name));
    return this.#expected.every((name) => names.has(name));
  }

  /** Calls `registered` once every expected extension has registered. */
  whenRegistered(registered: () => void): void {
    if (this.#areRegistered) registered();
    else this.#onRegistered.push(registered);
  }

  /** Sends the event to the extensions that registered for INVOKE. */
  invoke(event: InvokeEvent): void {
    this.#isInitOver = true;
    const { requestId, deadlineEpochMs: deadlineMs, functionArn: invokedFunctionArn } = event;
    const tracing = { type: "X-Amzn-Trace-Id", value: event.trace };
    this.#tell("INVOKE", { deadlineMs, requestId, invokedFunctionArn, tracing });
  }

  /** Sends SHUTDOWN to the extensions that registered for it; returns how many did. */
  shutDown(shutdownReason: ShutdownReason, deadlineMs: number): number {
    return this.#tell("SHUTDOWN", { shutdownReason, deadlineMs });
  }

  get hasExtensions(): boolean {
    return this.#extensions.size > 0;
  }

  #tell(eventType: EventType, event: object): number {
    const subscribers = [...this.#extensions.values()].filter(({ events }) =>
      events.includes(eventType),
    );
    for (const extension of subscribers) {
      const { waiting } = extension;
      delete extension.waiting;
      if (waiting !== undefined) answerJson(waiting, 200, { eventType, ...event });
      else extension.pending = { eventType, ...event };
    }
    return subscribers.length;
  }

  /** Returns undefined if the request belongs to another API. */
  handle(request: ExtensionRequest, response: ServerResponse): ExtensionAnswer | undefined {
    const { method, url, headers, body } = request;
    const requestLine = `${method} ${url}`;
    if (requestLine === `POST ${version}/register`) return this.#register(headers, body);
    if (/^PUT \/\d{4}-\d{2}-\d{2}\/(telemetry|logs)$/.test(requestLine))
      return this.#telemetry(headers);
    if (!url.startsWith(`${version}/`)) return undefined;
    const extension = this.#extensions.get(`${headers["lambda-extension-identifier"]}`);
    if (extension === undefined) {
      return refusal(403, "Extension.UnknownExtensionIdentifier", "no such extension");
    }
    switch (requestLine) {
      case `GET ${version}/event/next`:
        if (extension.pending !== undefined) return { status: 200, body: extension.pending };
        extension.waiting = response;
        this.#listener.asked();
        return "waits";
      case `POST ${version}/init/error`:
      case `POST ${version}/exit/error`: {
        const type = `${headers["lambda-extension-function-error-type"] ?? "Extension.Unknown"}`;
        this.#listener.failed(type, `the extension ${extension.name} failed: ${body}`);
        return { status: 202, body: { status: "OK" } };
      }
      default:
        return refusal(404, "NotFound", requestLine);
    }
  }

  #register(headers: IncomingHttpHeaders, body: Buffer): ExtensionAnswer {
    const name = headers["lambda-extension-name"];
    if (typeof name !== "string") {
      return refusal(400, "Extension.MissingHeader", "Lambda-Extension-Name");
    }
    if (this.#isInitOver) return refusal(403, "Extension.RegisterAfterInit", name);
    const { events = [] } = Object(parseJson(`${body}`)) as { readonly events?: EventType[] };
    const isExternal = this.#expected.includes(name);
    if (!isExternal && events.includes("SHUTDOWN")) {
      return refusal(400, "ShutdownEventNotSupportedForInternalExtension", name);
    }
    const id = randomUUID();
    this.#extensions.set(id, { name, events });
    if (this.#areRegistered) for (const registered of this.#onRegistered.splice(0)) registered();
    const described = { functionVersion: "$LATEST", ...this.#described };
    return { status: 200, body: described, headers: { "lambda-extension-identifier": id } };
  }

  /**
   * Answers as AWS does when a function is tested locally:
   * https://docs.aws.amazon.com/lambda/latest/dg/telemetry-api-reference.html
   */
  #telemetry(headers: IncomingHttpHeaders): ExtensionAnswer {
    const id = `${headers["lambda-extension-identifier"]}`;
    const name = this.#extensions.get(id)?.name ?? "an extension";
    const errorType = "Telemetry.NotSupported";
    const errorMessage = "Telemetry API is not supported";
    this.#listener.failed(
      errorType,
      `${name} subscribes to the Telemetry API, which is not on this machine: measure the function without it`,
    );
    return { status: 202, body: { errorType, errorMessage } };
  }
}

function isWaiting({ waiting }: Extension): boolean {
  return waiting !== undefined;
}

function refusal(status: number, errorType: string, errorMessage: string): ExtensionAnswer {
  return { status, body: { errorType, errorMessage } };
}

export function answerJson(
  response: ServerResponse,
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify(value);
  const type = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { ...type, ...headers });
  response.end(body);
}
