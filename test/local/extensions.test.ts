import { existsSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { ownFunction } from "../support/own-function.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

/** What the extension was told, a line an event. */
let log: string;
const folder = folderPerTest();
beforeEach(() => {
  log = folder("log");
});

/** Registers for all events, and does what is asked at each of them; every request has a connection of its own. */
const extension = `#!/usr/bin/env python3
import json, os, time, urllib.request
api = "http://" + os.environ["AWS_LAMBDA_RUNTIME_API"]
def ask(method, path, headers={}, body=None):
    request = urllib.request.Request(api + path, method=method, headers=headers, data=body)
    with urllib.request.urlopen(request) as answer:
        return answer.headers, json.load(answer)
def tell(event):
    with open(os.environ["EXTENSION_LOG"], "a") as file:
        file.write(json.dumps(event) + "\\n")
fault = os.environ.get("EXTENSION_FAULT")
events = json.dumps({"events": ["INVOKE", "SHUTDOWN"]}).encode()
named = {"Lambda-Extension-Name": os.path.basename(__file__)}
if fault is None or fault == "":
    time.sleep(0.3)
headers, described = ask("POST", "/2020-01-01/extension/register", named, events)
me = {"Lambda-Extension-Identifier": headers["Lambda-Extension-Identifier"]}
tell({"eventType": "REGISTERED", "handlerVariable": os.environ.get("_HANDLER"), **described})
if fault == "exits":
    raise SystemExit(3)
if fault == "subscribes":
    ask("PUT", "/2022-07-01/telemetry", me, b"{}")
if fault == "fails":
    ask("POST", "/2020-01-01/extension/init/error", {**me, "Lambda-Extension-Function-Error-Type": "Extension.NoKey"}, b"no key")
if fault:
    raise SystemExit(1)
time.sleep(0.2)
while True:
    _, event = ask("GET", "/2020-01-01/extension/event/next", me)
    time.sleep(0.1)
    tell(event)
    if event["eventType"] == "SHUTDOWN":
        break
`;

const answers = "exports.handler = async () => 'answered';";

async function open(fault?: string, text = answers) {
  const environment = { EXTENSION_LOG: log, ...(fault && { EXTENSION_FAULT: fault }) };
  const files = { "index.js": text };
  const layer = { "extensions/watcher": extension };
  const options = { runtime: "nodejs22.x", handler: "index.handler", environment, layer };
  return await ownFunction(files, options);
}

const told = () =>
  existsSync(log)
    ? readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

describe("an external extension", () => {
  it("is started, holds Init and the call until it is ready, and is told of both and of the end", async () => {
    const { cell, target } = await open();
    const first = await target.invoke(cell, {});
    expect(first.payload).toBe("answered");
    expect(first.telemetry?.initDurationMs).toBeGreaterThan(190);
    expect(first.telemetry?.durationMs).toBeGreaterThan(90);
    const second = await target.invoke(cell, {});
    expect(second.environment?.invocation).toBe(1);
    await target.forceCold(cell);
    expect(told()).toMatchObject([
      { eventType: "REGISTERED", functionName: "own-128", handler: "index.handler" },
      {
        eventType: "INVOKE",
        requestId: first.requestId,
        invokedFunctionArn: expect.stringMatching(/:function:own-128$/),
        tracing: { type: "X-Amzn-Trace-Id", value: expect.stringMatching(/^Root=1-/) },
      },
      { eventType: "INVOKE", requestId: second.requestId, deadlineMs: expect.any(Number) },
      { eventType: "SHUTDOWN", shutdownReason: "spindown", deadlineMs: expect.any(Number) },
    ]);
  });

  it("registers before the runtime starts, and has none of the runtime's own variables", async () => {
    const text = `const seen = require("node:fs").readFileSync(process.env.EXTENSION_LOG, "utf8");
exports.handler = async () => [seen.includes("REGISTERED"), process.env._HANDLER];`;
    const { cell, target } = await open("", text);
    expect((await target.invoke(cell, {})).payload).toEqual([true, "index.handler"]);
    expect(told()[0].handlerVariable).toBeNull();
  });

  it("takes its environment with it where it ends by itself, and its log says so", async () => {
    const { cell, target } = await open("exits");
    const { error, log: printed } = await target.invoke(cell, {});
    expect(error?.type).toBe("Runtime.ExitError");
    expect(printed).toContain("extension watcher exited with status 3");
  });

  it.each([
    ["fails", "Extension.NoKey", "the extension watcher failed: no key"],
    ["subscribes", "Telemetry.NotSupported", "watcher subscribes to the Telemetry API"],
  ])("that %s fails its Init, by name", async (fault, type, message) => {
    const { cell, target } = await open(fault);
    const { error, environment } = await target.invoke(cell, {});
    expect(error).toMatchObject({ type, message: expect.stringContaining(message) });
    expect(environment).toBeUndefined();
  });
});

describe("an internal extension", () => {
  it("registers from the runtime's process, and is waited for at each call", async () => {
    const text = `const api = "http://" + process.env.AWS_LAMBDA_RUNTIME_API + "/2020-01-01/extension/";
const seen = [];
const headers = { "Lambda-Extension-Name": "inside" };
const end = await fetch(api + "register", { method: "POST", headers, body: '{"events":["SHUTDOWN"]}' });
seen.push(end.status);
const body = '{"events":["INVOKE"]}';
const registered = await fetch(api + "register", { method: "POST", headers, body });
const me = { "Lambda-Extension-Identifier": registered.headers.get("lambda-extension-identifier") };
const next = async () => (await (await fetch(api + "event/next", { headers: me })).json()).eventType;
(async () => { for (;;) seen.push(await next()); })();
export const handler = async () => { await new Promise((resolve) => setTimeout(resolve, 50)); return seen; };
`;
    const { cell, target } = await ownFunction(
      { "index.mjs": text },
      { runtime: "nodejs22.x", handler: "index.handler" },
    );
    await target.invoke(cell, {});
    expect(await target.invoke(cell, {})).toMatchObject({ payload: [400, "INVOKE", "INVOKE"] });
  });
});
