import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as delay, setImmediate as immediately } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isPeerInGroup } from "../../lib/local/loopback-peer.ts";
import { RuntimeApi, type RuntimeListener } from "../../lib/local/runtime-api.ts";

const heard: string[] = [];
/** When events were asked for. */
const askedMs: number[] = [];
let isOwn: (socket: Socket) => Promise<boolean>;
const listener: RuntimeListener = {
  isOwn: (socket) => isOwn(socket),
  refused: () => void heard.push("refused"),
  next: (atMs) => {
    askedMs.push(atMs);
    heard.push("next");
  },
  response: (requestId, body, firstByteMs) =>
    void heard.push(`response ${requestId} ${body}${firstByteMs === undefined ? "" : " streamed"}`),
  invocationError: (requestId, body) => void heard.push(`error ${requestId} ${body}`.trim()),
  initError: () => void heard.push("init error"),
};

let api: RuntimeApi;
let agent: Agent;
beforeEach(async () => {
  heard.length = 0;
  isOwn = async () => true;
  api = await RuntimeApi.start(listener);
  agent = new Agent({ keepAlive: true });
});
afterEach(() => {
  agent.destroy();
  api.stop();
});

const urlOf = (path: string) => `http://${api.address}/2018-06-01/runtime${path}`;

async function call(method: string, path: string, body = "") {
  const sent = request(urlOf(path), { method, agent }).end(body);
  const [response] = await once(sent, "response");
  return { status: response.statusCode, text: await text(response) };
}

const delivery = (requestId: string) => ({
  requestId,
  event: "{}",
  deadlineEpochMs: 0,
  functionArn: "arn",
});

/** Asks for an event, which is not handed out yet. */
async function askForEvent() {
  const before = heard.length;
  const next = call("GET", "/invocation/next");
  while (heard.length === before) await immediately();
  return { next };
}

/** Waits for an event, and is handed it. */
async function takeEvent(requestId: string): Promise<void> {
  const { next } = await askForEvent();
  api.deliver(delivery(requestId));
  expect((await next).status).toBe(200);
}

describe("the Runtime API", () => {
  it("takes one answer to the event that it handed out, and none to another", async () => {
    await takeEvent("a");
    expect((await call("POST", "/invocation/b/response", "forged")).status).toBe(400);
    expect((await call("POST", "/invocation/a/response", "true")).status).toBe(202);
    expect((await call("POST", "/invocation/a/response", "forged")).status).toBe(400);
    expect((await call("POST", "/invocation/a/error", "forged")).status).toBe(400);
    expect(heard).toEqual(["next", "response a true"]);
  });

  it("takes no answer to an event whose runtime asks for the next one already", async () => {
    await takeEvent("a");
    await takeEvent("b");
    expect((await call("POST", "/invocation/a/response", "late")).status).toBe(400);
    expect(heard).toEqual(["next", "next"]);
  });

  it("outlives a function that ends in the middle of its answer, and counts nothing of that", async () => {
    await takeEvent("first");
    const url = urlOf("/invocation/first/response");
    const sent = request(url, { method: "POST", headers: { "content-length": 100 } });
    const ended = once(sent, "error");
    sent.write("half");
    await delay(50);
    sent.destroy(new Error("killed"));
    await ended;
    // An unhandled rejection would fail the run of the tests.
    await delay(50);
    expect(heard).toEqual(["next"]);
    expect(await call("POST", "/invocation/first/response", "whole")).toMatchObject({
      status: 202,
    });
    expect(heard).toEqual(["next", "response first whole"]);
  });

  /** Posts the parts as chunks, as a custom runtime streams. */
  async function stream(parts: readonly string[], headers = {}, trailers = {}): Promise<void> {
    await takeEvent("a");
    const url = urlOf("/invocation/a/response");
    const mode = { "Lambda-Runtime-Function-Response-Mode": "streaming" };
    const chunked = { "transfer-encoding": "chunked", trailer: Object.keys(trailers).join(", ") };
    const sent = request(url, { method: "POST", headers: { ...mode, ...chunked, ...headers } });
    for (const part of parts) sent.write(part);
    sent.addTrailers(trailers);
    sent.end();
    const [response] = await once(sent, "response");
    expect(response.statusCode).toBe(202);
    response.resume();
  }

  it("takes a streamed answer, also one of no bytes", async () => {
    await stream(["one ", "two"]);
    await stream([]);
    expect(heard).toEqual(["next", "response a one two streamed", "next", "response a "]);
  });

  it("takes the status and the headers of a streamed HTTP answer from its prelude", async () => {
    const type = { "content-type": "application/vnd.awslambda.http-integration-response" };
    const zeros = String.fromCharCode(0).repeat(8);
    await stream([`{"statusCode":201}${zeros}`, "body"], type);
    expect(heard[1]).toBe('response a {"statusCode":201,"body":"body"} streamed');
    await stream(["no prelude"], type);
    expect(heard[3]).toBe("response a no prelude streamed");
  });

  it("takes the error that ends a streamed answer for the answer", async () => {
    const name = "Lambda-Runtime-Function-Error";
    const body = Buffer.from('{"errorType":"Own"}').toString("base64");
    await stream(["begun"], {}, { [`${name}-Type`]: "Own", [`${name}-Body`]: body });
    expect(heard[1]).toBe('error a {"errorType":"Own"}');
    await stream(["begun"], {}, { [`${name}-Type`]: "Own" });
    expect(heard[3]).toMatch(/^error a .*"errorType":"Own".*after it had begun/);
  });

  it("has one reader of events at a time", async () => {
    const { next: first } = await askForEvent();
    const second = await call("GET", "/invocation/next");
    expect(second).toEqual({ status: 403, text: '{"status":"InvalidStateTransition"}' });
    api.deliver(delivery("a"));
    expect((await first).status).toBe(200);
    expect(heard).toEqual(["next"]);
  });

  it("takes no failure of an Init that is over", async () => {
    await takeEvent("a");
    expect((await call("POST", "/init/error", "{}")).status).toBe(403);
    expect(heard).toEqual(["next"]);
  });

  it("refuses whoever is no process of the function, and tells of it once a connection", async () => {
    isOwn = async () => false;
    const refusal = '{"status":"Forbidden: not a process of this function"}';
    expect(await call("GET", "/invocation/next")).toEqual({ status: 403, text: refusal });
    expect(heard).toEqual(["refused"]);
    expect(() => api.deliver(delivery("a"))).toThrow("has not asked");
  });

  it("takes off nothing of what another thread's post was held up", async () => {
    await takeEvent("a");
    await call("POST", "/invocation/a/response", "1");
    const { next } = await askForEvent();
    const before = heard.length;
    isOwn = async () => {
      await delay(300);
      return true;
    };
    // As Node.js' runtime posts what was rejected between two calls.
    const late = request(urlOf("/init/error"), { method: "POST" });
    const answered = once(late, "response");
    late.end("{}");
    await delay(50);
    const handedOverMs = api.deliver(delivery("b"));
    await next;
    const [response] = await answered;
    response.resume();
    await call("POST", "/invocation/b/response", "1");
    void call("GET", "/invocation/next").catch(() => {});
    while (heard.length < before + 2) await immediately();
    expect(askedMs.at(-1)).toBeGreaterThanOrEqual(handedOverMs);
  });

  it("takes off what a post on a new connection was held up while it was verified", async () => {
    await takeEvent("a");
    agent.destroy();
    agent = new Agent({ keepAlive: true });
    let [arrivedMs, verifiedMs] = [0, 0];
    isOwn = async (socket) => {
      while (socket.bytesRead === 0) await immediately();
      arrivedMs = performance.now();
      await delay(300);
      verifiedMs = performance.now();
      return true;
    };
    // As the runtime of Rust makes one: no Duration may hold its verification.
    await call("POST", "/invocation/a/response", "1");
    void call("GET", "/invocation/next").catch(() => {});
    while (heard.length < 3) await immediately();
    // What a busy machine takes between the two requests is no verification.
    const laterMs = performance.now() - verifiedMs;
    expect((askedMs.at(-1) as number) - arrivedMs).toBeLessThanOrEqual(laterMs);
  });

  it("asks who is there once a connection, and not for every call", async () => {
    let asked = 0;
    isOwn = async () => {
      asked += 1;
      return true;
    };
    for (const requestId of ["a", "b", "c"]) {
      await takeEvent(requestId);
      await call("POST", `/invocation/${requestId}/response`, "true");
    }
    expect(asked).toBe(1);
  });
});

describe.runIf(process.platform === "linux")("the other end of a connection", () => {
  const children: ChildProcess[] = [];
  let server: Server;
  let port: number;
  beforeEach(async () => {
    server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as { port: number }).port;
  });
  afterEach(() => {
    for (const child of children.splice(0)) process.kill(-(child.pid as number), "SIGKILL");
    server.close();
  });

  /** A process that leads a group, or one that such a process starts, connects. */
  async function connected(host: string, isChild: boolean): Promise<[Socket, number]> {
    const connect = `require("node:net").connect(${port}, "${host}")`;
    const code = isChild
      ? `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(connect)}]); setInterval(() => {}, 1000); console.log()`
      : `${connect}; console.log()`;
    const child = spawn(process.execPath, ["-e", code], {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const connection = once(server, "connection");
    await once(createInterface({ input: child.stdout }), "line");
    const [socket] = await connection;
    return [socket, child.pid as number];
  }

  it.each([
    ["the process itself", "127.0.0.1", false],
    ["a process that it started", "127.0.0.1", true],
    ["a socket of IPv6", "::ffff:127.0.0.1", false],
  ] as const)("is the function's: %s", async (_, host, isChild) => {
    const [socket, pid] = await connected(host, isChild);
    expect(await isPeerInGroup(socket, pid)).toBe(true);
    socket.destroy();
  });

  it("is another process's: of the same user, or gone by now", async () => {
    const [socket] = await connected("127.0.0.1", false);
    const [, other] = await connected("127.0.0.1", false);
    expect(await isPeerInGroup(socket, other)).toBe(false);
    const nobody = { remoteAddress: "127.0.0.1", remotePort: 1, localPort: port };
    expect(await isPeerInGroup(nobody, other)).toBe(false);
  });
});
