import { describe, expect, it } from "vitest";
import type { Invocation } from "../../lib/sampler/target.ts";
import { ownFunction } from "../support/own-function.ts";

interface Options {
  readonly handler?: string;
  readonly timeoutSeconds?: number;
  /** @default nodejs22.x */
  readonly runtime?: string;
}

async function open(files: Readonly<Record<string, string>>, options: Options = {}) {
  const { handler = "index.handler", ...rest } = options;
  return await ownFunction(files, { runtime: "nodejs22.x", handler, ...rest });
}

/** What one call of a new environment came to. */
async function call(
  files: Readonly<Record<string, string>>,
  options: Options & { readonly event?: unknown } = {},
): Promise<Invocation> {
  const { cell, target } = await open(files, options);
  return await target.invoke(cell, options.event ?? {});
}

const module = '{"type":"module"}';

describe("a Node.js handler", () => {
  it.each([
    ["an ES module by its name", { "index.mjs": "export const handler = async (e) => e.n + 1;" }],
    [
      "an ES module by package.json",
      {
        "index.js": "export async function handler(e) { return e.n + 1; }",
        "package.json": module,
      },
    ],
    ["CommonJS", { "index.js": "exports.handler = async (e) => e.n + 1;" }],
    [
      "CommonJS beside a package of ES modules",
      {
        "index.cjs": "exports.handler = (e, c, done) => done(null, e.n + 1);",
        "package.json": module,
      },
    ],
    ["with a callback", { "index.js": "exports.handler = (e, c, done) => done(null, e.n + 1);" }],
    [
      "with a callback that comes later",
      { "index.js": "exports.handler = (e, c, done) => void setTimeout(done, 20, null, e.n + 1);" },
    ],
    [
      "as TypeScript compiles it",
      {
        "index.js": `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.handler = void 0;
const handler = async (e) => e.n + 1;
exports.handler = handler;`,
      },
    ],
    [
      "with a package of its own",
      {
        "index.js": 'const add = require("add"); exports.handler = async (e) => add(e.n);',
        "node_modules/add/index.js": "module.exports = (n) => n + 1;",
      },
    ],
  ])("answers: %s", async (_, files) => {
    expect(await call(files, { event: { n: 41 } })).toMatchObject({ payload: 42 });
  });

  it("is found in a folder, and inside of what a module exports", async () => {
    const inFolder = { "src/app.mjs": "export const handler = async () => 1;" };
    expect(await call(inFolder, { handler: "src/app.handler" })).toMatchObject({ payload: 1 });
    const nested = { "index.js": "exports.api = { get: async () => 2 };" };
    expect(await call(nested, { handler: "index.api.get" })).toMatchObject({ payload: 2 });
  });

  it("keeps its state from call to call, and answers null where it returns nothing", async () => {
    const { cell, target } = await open({
      "index.js": "let n = 0; exports.handler = async () => { n += 1; if (n > 1) return n; };",
    });
    expect(await target.invoke(cell, {})).toMatchObject({ payload: null });
    expect(await target.invoke(cell, {})).toMatchObject({
      payload: 2,
      environment: { invocation: 1 },
    });
  });

  it("has a context with the call's id, its function and the time that is left", async () => {
    const text = `exports.handler = async (e, c) => ({ ...c, left: c.getRemainingTimeInMillis(),
      root: process.env.LAMBDA_TASK_ROOT === process.cwd(), traced: process.env._X_AMZN_TRACE_ID });`;
    const { payload, requestId } = await call({ "index.js": text });
    expect(payload).toMatchObject({
      awsRequestId: requestId,
      functionName: "own-128",
      functionVersion: "$LATEST",
      memoryLimitInMB: "128",
      invokedFunctionArn: expect.stringMatching(/^arn:aws:lambda:.*:function:own-128$/),
      callbackWaitsForEmptyEventLoop: true,
      root: true,
      traced: expect.stringMatching(/^Root=1-/),
    });
    const { left } = payload as { readonly left: number };
    expect(left).toBeGreaterThan(1000);
    expect(left).toBeLessThanOrEqual(5000);
  });

  it("answers by callback when nothing is left to do, or at once where it says so", async () => {
    const waits = (isWaiting: boolean) => `exports.handler = (e, c, done) => {
      c.callbackWaitsForEmptyEventLoop = ${isWaiting};
      const answer = { later: false };
      setTimeout(() => { answer.later = true; }, 60);
      done(null, answer);
    };`;
    expect(await call({ "index.js": waits(true) })).toMatchObject({ payload: { later: true } });
    expect(await call({ "index.js": waits(false) })).toMatchObject({ payload: { later: false } });
  });

  it.each([
    ["throws", "exports.handler = async () => { throw new RangeError('too far'); };"],
    [
      "gives its callback an error",
      "exports.handler = (e, c, done) => done(new RangeError('too far'));",
    ],
    ["throws before a promise", "exports.handler = () => { throw new RangeError('too far'); };"],
  ])("that %s fails its call with the error, and is called again", async (_, text) => {
    const { cell, target } = await open({ "index.js": text });
    const failed = { error: { type: "RangeError", message: "too far" } };
    expect(await target.invoke(cell, {})).toMatchObject(failed);
    expect(await target.invoke(cell, {})).toMatchObject({ environment: { invocation: 1 } });
  });

  it.each([
    ["is not exported", { "index.js": "exports.other = 1;" }, "HandlerNotFound", "not exported"],
    ["is no function", { "index.js": "exports.handler = 1;" }, "HandlerNotFound", "not a function"],
    ["is in no file", { "app.js": "" }, "ImportModuleError", "Cannot find module 'index'"],
    [
      "imports what is not there",
      { "index.mjs": 'import "missing"; export const handler = 1;' },
      "ImportModuleError",
      "Cannot find package 'missing'",
    ],
    [
      "has an error of syntax",
      { "index.js": "exports.handler = (" },
      "UserCodeSyntaxError",
      "SyntaxError",
    ],
  ])("that %s fails its Init in Lambda's words", async (_, files, type, message) => {
    const { error, environment } = await call(files as Readonly<Record<string, string>>);
    expect(error).toMatchObject({
      type: `Runtime.${type}`,
      message: expect.stringContaining(message),
    });
    expect(environment).toBeUndefined();
  });

  it("with a callback fails its Init from nodejs24.x on, as on Lambda", async () => {
    const latest = { runtime: "nodejs24.x" };
    const declares = { "index.js": "exports.handler = (event, context, done) => done(null, 1);" };
    const { error, environment } = await call(declares, latest);
    expect(error?.type).toBe("Runtime.CallbackHandlerDeprecated");
    expect(environment).toBeUndefined();
    const awaits = { "index.js": "exports.handler = async (event, context) => 1;" };
    expect(await call(awaits, latest)).toMatchObject({ payload: 1 });
    const streams = `exports.handler = awslambda.streamifyResponse(async (event, stream, context) => {
      stream.end("1"); });`;
    expect(await call({ "index.js": streams }, latest)).toMatchObject({ payload: 1 });
  });

  it("that throws in its Init fails with its own error", async () => {
    const { error } = await call({ "index.js": "throw new TypeError('no table');" });
    expect(error).toEqual({ type: "TypeError", message: "no table" });
  });

  it("that rejects beside its answer, or throws later, ends its environment", async () => {
    const rejects =
      "exports.handler = () => new Promise(() => { Promise.reject(new Error('lost')); });";
    expect((await call({ "index.js": rejects })).error).toEqual({
      type: "Runtime.UnhandledPromiseRejection",
      message: "Error: lost",
    });
    const throws =
      "exports.handler = () => new Promise(() => setTimeout(() => { throw new Error('late'); }));";
    const { cell, target } = await open({ "index.js": throws });
    expect((await target.invoke(cell, {})).error).toEqual({ type: "Error", message: "late" });
    expect(await target.invoke(cell, {})).toMatchObject({ environment: { invocation: 0 } });
  });

  it("that does not end is cut off at its timeout", async () => {
    const text = "exports.handler = () => new Promise(() => setInterval(() => {}, 1000));";
    const { error } = await call({ "index.js": text }, { timeoutSeconds: 1 });
    expect(error).toEqual({
      type: "Sandbox.Timedout",
      message: "Task timed out after 1.00 seconds",
    });
  });
});

describe("a Node.js handler that streams", () => {
  const streaming = (body: string) => ({
    "index.js": `const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
exports.handler = awslambda.streamifyResponse(async (event, stream, context) => { ${body} });`,
  });

  it("answers what it wrote, and tells when its first byte came", async () => {
    const text = `await wait(30); stream.write('{"id":'); await wait(60); stream.write(event.id + "}"); stream.end();`;
    const { cell, target } = await open(streaming(text));
    for (const id of [1, 2]) {
      const { payload, firstByteMs = 0, telemetry } = await target.invoke(cell, { id });
      expect(payload).toEqual({ id });
      expect(firstByteMs).toBeGreaterThan(25);
      // A loaded machine sees the first byte late, but never after the last.
      expect(telemetry?.durationMs).toBeGreaterThan(firstByteMs);
      expect(telemetry?.durationMs).toBeGreaterThan(85);
    }
  });

  it("answers with a status and headers before its body, by a pipeline", async () => {
    const text = `const http = awslambda.HttpResponseStream.from(stream, { statusCode: 201, headers: { a: "b" } });
      await require("node:stream/promises").pipeline(require("node:stream").Readable.from(["one", "two"]), http);`;
    expect(await call(streaming(text))).toMatchObject({
      payload: { statusCode: 201, headers: { a: "b" }, body: "onetwo" },
    });
  });

  it("fails with its own error, before its first byte and after it, and is called again", async () => {
    const text = `if (event.writes) stream.write("begun"); throw new RangeError("too far");`;
    const { cell, target } = await open(streaming(text));
    const failed = { error: { type: "RangeError", message: "too far" } };
    expect(await target.invoke(cell, { writes: false })).toMatchObject(failed);
    const { error, payload, environment } = await target.invoke(cell, { writes: true });
    expect({ error, payload, environment }).toMatchObject({
      ...failed,
      environment: { invocation: 1 },
    });
    expect(payload).toBeUndefined();
  });

  it("may answer more than one that returns", async () => {
    const text = `const part = Buffer.alloc(1024 * 1024); for (let n = 0; n < 8; n += 1) stream.write(part); stream.end();`;
    const { error, firstByteMs } = await call(streaming(text));
    expect(error).toBeUndefined();
    expect(firstByteMs).toBeGreaterThan(0);
  });
});

it.each([
  [6 * 1024 * 1024, undefined],
  [7 * 1024 * 1024, "Function.ResponseSizeTooLarge"],
])(
  "an answer that is not streamed of %d bytes is held against Lambda's limit of 6 MB",
  async (bytes, type) => {
    const text = `exports.handler = async () => "x".repeat(${bytes} - 2);`;
    const { error, firstByteMs } = await call({ "index.js": text });
    expect(error?.type).toBe(type);
    expect(firstByteMs).toBeUndefined();
  },
);
