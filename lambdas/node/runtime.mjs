// A client of Lambda's Runtime API for a Node.js handler, like AWS's own client but without its native part, which
// requires a compiler. https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
import { connect } from "node:net";
import { loadHandler } from "./load-handler.mjs";
import { awslambda, callStreaming, isStreaming } from "./response-stream.mjs";

const version = "/2018-06-01/runtime";
const api = process.env.AWS_LAMBDA_RUNTIME_API ?? "";
const [host, port] = api.split(":");
const headEnd = Buffer.from("\r\n\r\n");
const chunkEnd = Buffer.from("\r\n");
const noBody = Buffer.alloc(0);

/**
 * A connection to the Runtime API, for one exchange at a time. Node.js' own HTTP client takes 5 ms of CPU time for
 * its first response, which would count as the function's first request. AWS's client is native.
 */
class Connection {
  #socket = connect({ host, port: Number(port), noDelay: true });
  #received = [];
  #head;
  #missingBytes = 0;
  #exchange;

  constructor() {
    this.#socket.on("data", (chunk) => this.#take(chunk));
    this.#socket.on("error", (error) => this.#exchange?.reject(error));
    this.#socket.on("close", () => this.#exchange?.reject(new Error("the Runtime API hung up")));
  }

  send(head, body) {
    return new Promise((resolve, reject) => {
      this.#exchange = { resolve, reject };
      this.#socket.ref();
      this.#socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), body]));
    });
  }

  /** Starts a request with a chunked body: https://datatracker.ietf.org/doc/html/rfc9112#section-7.1 */
  startRequest(head) {
    const answered = this.send(head, noBody);
    return {
      write: (chunk, written) => {
        if (chunk.length === 0) return void written?.();
        const size = Buffer.from(`${chunk.length.toString(16)}\r\n`, "latin1");
        this.#socket.write(Buffer.concat([size, chunk, chunkEnd]), written);
      },
      end: (trailers) => {
        this.#socket.write(`0\r\n${trailers.map((line) => `${line}\r\n`).join("")}\r\n`);
        return answered;
      },
    };
  }

  #take(chunk) {
    this.#received.push(chunk);
    this.#missingBytes -= chunk.length;
    if (this.#head === undefined) this.#readHead();
    if (this.#head === undefined || this.#missingBytes > 0) return;
    const { resolve } = this.#exchange;
    const answer = { headers: this.#head, text: Buffer.concat(this.#received).toString("utf8") };
    this.#received = [];
    this.#head = undefined;
    this.#exchange = undefined;
    // Must not keep the event loop alive, which may end a handler.
    this.#socket.unref();
    resolve(answer);
  }

  #readHead() {
    const bytes = Buffer.concat(this.#received);
    const end = bytes.indexOf(headEnd);
    if (end < 0) return;
    const [, ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
    this.#head = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      this.#head[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const body = bytes.subarray(end + headEnd.length);
    this.#received = [body];
    this.#missingBytes = Number(this.#head["content-length"]) - body.length;
  }
}

/** The connection for calls. While it waits for the next event, an error is reported over another one. */
let calls;
let isBusy = false;

/** Makes one exchange with the Runtime API and returns its whole response. */
async function exchange(method, path, text = "", headers = {}) {
  const body = Buffer.from(text);
  const lines = Object.entries({ host: api, "content-length": body.length, ...headers });
  const fields = lines.map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${version}${path} HTTP/1.1`, ...fields].join("\r\n");
  if (isBusy) return await new Connection().send(head, body);
  calls ??= new Connection();
  isBusy = true;
  try {
    return await calls.send(head, body);
  } finally {
    isBusy = false;
  }
}

/** Begins a streamed response. A later error is sent in its trailers. */
function streamAnswer(requestId, contentType) {
  const fields = [
    ...[`host: ${api}`, `content-type: ${contentType}`, "transfer-encoding: chunked"],
    ...["lambda-runtime-function-response-mode: streaming", `trailer: ${errorTrailers.join(", ")}`],
  ];
  const path = `${version}/invocation/${requestId}/response`;
  isBusy = true;
  const { write, end } = calls.startRequest([`POST ${path} HTTP/1.1`, ...fields].join("\r\n"));
  return {
    write,
    async end(error) {
      try {
        await end(error === undefined ? [] : describeInTrailers(error));
      } finally {
        isBusy = false;
      }
    },
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/runtimes-custom.html#runtimes-custom-response-streaming */
const errorTrailers = ["Lambda-Runtime-Function-Error-Type", "Lambda-Runtime-Function-Error-Body"];

function describeInTrailers(error) {
  const described = describe(error);
  process.stderr.write(`ERROR\tInvoke Error\t${JSON.stringify(described)}\n`);
  const body = Buffer.from(JSON.stringify(described)).toString("base64");
  const values = [described.errorType.replace(/[^\x20-\x7e]/g, "?"), body];
  return errorTrailers.map((name, index) => `${name}: ${values[index]}`);
}

/** Describes any thrown value as Lambda reports it. */
function describe(error) {
  if (error instanceof Error || Object.prototype.toString.call(error) === "[object Error]") {
    const { name, message, stack = "" } = error;
    return { errorType: name, errorMessage: message, trace: stack.split("\n") };
  }
  return { errorType: typeof error, errorMessage: String(error), trace: [] };
}

async function reportError(path, label, error) {
  const described = describe(error);
  const text = JSON.stringify(described);
  process.stderr.write(`ERROR\t${label}\t${text}\n`);
  const headers = {
    "content-type": "application/json",
    "lambda-runtime-function-error-type": described.errorType,
  };
  await exchange("POST", path, text, headers);
}

/** Id of the current invocation; undefined during Init. */
let current;

/** Reports an uncaught error, then ends the process. */
async function endBy(error, status) {
  const path = current === undefined ? "/init/error" : `/invocation/${current}/error`;
  const label = current === undefined ? "Uncaught Exception" : "Invoke Error";
  await reportError(path, label, error).catch(() => {});
  process.exit(status);
}

process.on("uncaughtException", (error) => void endBy(error, 129));
process.on("unhandledRejection", (reason) => {
  const error = new Error(reason instanceof Error ? reason.toString() : String(reason));
  error.name = "Runtime.UnhandledPromiseRejection";
  if (reason instanceof Error) error.stack = reason.stack;
  void endBy(error, 128);
});

/** https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html */
function makeContext(headers, waiting) {
  const deadlineMs = Number(headers["lambda-runtime-deadline-ms"]);
  const parsed = (name) => (headers[name] === undefined ? undefined : JSON.parse(headers[name]));
  const { env } = process;
  return {
    get callbackWaitsForEmptyEventLoop() {
      return waiting.forEmptyLoop;
    },
    set callbackWaitsForEmptyEventLoop(value) {
      waiting.forEmptyLoop = value;
    },
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    clientContext: parsed("lambda-runtime-client-context"),
    identity: parsed("lambda-runtime-cognito-identity"),
    invokedFunctionArn: headers["lambda-runtime-invoked-function-arn"],
    awsRequestId: headers["lambda-runtime-aws-request-id"],
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  };
}

/**
 * Calls the handler. A returned promise ends the call when it settles. A callback ends it when it is called and,
 * unless the context says otherwise, the event loop is empty. Otherwise an empty event loop ends it.
 */
function call(handler, event, headers) {
  return new Promise((resolve, reject) => {
    const waiting = { forEmptyLoop: true };
    let settle = () => resolve(undefined);
    const whenLoopIsEmpty = () => settle();
    process.once("beforeExit", whenLoopIsEmpty);
    const end = (settled) => {
      process.off("beforeExit", whenLoopIsEmpty);
      settled();
    };
    let isCalled = false;
    const callback = (error, result) => {
      if (isCalled) return;
      isCalled = true;
      settle = () => (error === undefined || error === null ? resolve(result) : reject(error));
      // An error does not wait for the event loop.
      const isAtOnce = waiting.forEmptyLoop === false || (error !== undefined && error !== null);
      if (isAtOnce) setImmediate(() => end(settle));
    };
    const context = makeContext(headers, waiting);
    context.done = callback;
    context.succeed = (result) => callback(null, result);
    context.fail = (error) => callback(error ?? "handled");
    try {
      const returned = handler(event, context, callback);
      if (typeof returned?.then !== "function") return;
      returned.then(
        (result) => end(() => resolve(result)),
        (error) => end(() => reject(error)),
      );
    } catch (error) {
      end(() => reject(error));
    }
  });
}

async function invokeNext(handler) {
  const { headers, text } = await exchange("GET", "/invocation/next");
  const requestId = headers["lambda-runtime-aws-request-id"];
  current = requestId;
  process.env._X_AMZN_TRACE_ID = headers["lambda-runtime-trace-id"] ?? "";
  try {
    if (isStreaming(handler)) {
      const context = makeContext(headers, { forEmptyLoop: true });
      const open = (contentType) => streamAnswer(requestId, contentType);
      return await callStreaming(handler, JSON.parse(text), context, open);
    }
    const result = await call(handler, JSON.parse(text), headers);
    const body = JSON.stringify(result === undefined ? null : result) ?? "null";
    const answer = { "content-type": "application/json" };
    await exchange("POST", `/invocation/${requestId}/response`, body, answer);
  } catch (error) {
    await reportError(`/invocation/${requestId}/error`, "Invoke Error", error);
  }
}

globalThis.awslambda = awslambda;

async function run() {
  let handler;
  try {
    handler = await loadHandler(
      process.env.LAMBDA_TASK_ROOT ?? process.cwd(),
      process.env._HANDLER,
    );
  } catch (error) {
    await reportError("/init/error", "Uncaught Exception", error);
    process.exit(1);
  }
  for (;;) await invokeNext(handler);
}

run();
