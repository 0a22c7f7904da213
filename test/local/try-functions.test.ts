import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { type AbsentServices, startAbsentServices } from "../../lib/local/absent-services.ts";
import { sdkProvider } from "../../lib/local/sdk-provider.ts";
import { tryFunctions } from "../../lib/local/try-functions.ts";
import type { Variant } from "../../lib/plan/experiment.ts";
import { type OwnFunction, type OwnFunctionOptions, ownFunction } from "../support/own-function.ts";
import { smallPlan } from "../support/small-plan.ts";

/** They are stopped when the test has ended. */
async function absentServices(): Promise<AbsentServices> {
  const absent = await startAbsentServices();
  onTestFinished(() => absent.stop());
  return absent;
}

function planOf({ cell }: Pick<OwnFunction, "cell">, answer?: object): Plan {
  const requests = { invoke: { event: { n: 1 }, ...(answer !== undefined && { answer }) } };
  const plan = {
    ...smallPlan(),
    cells: [cell],
    coldOperation: "invoke",
    warmOperations: ["invoke"],
  };
  return { ...plan, ownResults: true, requests };
}

interface Tried extends Partial<OwnFunctionOptions> {
  readonly answer?: object;
  /** Host names that the function looks up. @default none */
  readonly hosts?: readonly string[];
}

async function tried(files: Readonly<Record<string, string>>, options: Tried = {}) {
  const absent = await absentServices();
  const { answer, hosts = [], ...rest } = options;
  for (const host of hosts) absent.addHost(host);
  const made = await ownFunction(files, {
    ...{ runtime: "python3.13", handler: "app.handler" },
    endpoints: { AWS_ENDPOINT_URL: absent.endpoint },
    ...rest,
  });
  return await tryFunctions(planOf(made, answer), made.target, absent);
}

async function listening(files: Readonly<Record<string, string>>): Promise<readonly boolean[]> {
  const absent = await absentServices();
  const made = await ownFunction(files, { runtime: "python3.13", handler: "app.handler" });
  const observed: boolean[] = [];
  await tryFunctions(planOf(made), made.target, absent, undefined, async (cell) => {
    observed.push(await made.target.listens(cell));
  });
  return observed;
}

const python = (...lines: readonly string[]) => ({ "app.py": `${lines.join("\n")}\n` });
const handler = (body: string) => python("def handler(event, context):", `    ${body}`);

describe("before anything is measured a user's function is called, and said to", () => {
  it("have nothing against it where it answers", async () => {
    expect(await tried(handler("return event['n']"))).toEqual([]);
  });

  it("fail in its Init, with the last lines of its log", async () => {
    const files = python(
      "print('about to fail')",
      "raise KeyError('TABLE')",
      "def handler(e, c): pass",
    );
    const failed = tried(files);
    await expect(failed).rejects.toThrow(/own failed during Init: KeyError/);
    await expect(failed).rejects.toThrow("  about to fail");
    await expect(failed).rejects.not.toThrow("LAMBDA_WARNING");
  });

  it("have no such handler, or a module that cannot be imported", async () => {
    await expect(tried(handler("pass"), { handler: "app.other" })).rejects.toThrow(
      /own has no such handler .*HandlerNotFound/,
    );
    await expect(tried(python("import missing_package"))).rejects.toThrow(
      /could not load its code.*missing_package/,
    );
  });

  it("require the AWS SDK v2, which Lambda's runtimes no longer have", async () => {
    const node = { runtime: "nodejs22.x", handler: "index.handler" };
    const files = { "index.js": "require('aws-sdk'); exports.handler = async () => 1;" };
    await expect(tried(files, node)).rejects.toThrow(
      "Lambda's Node.js runtimes have the AWS SDK v3, not aws-sdk (v2): package that",
    );
  });

  it("end with an extension that exits, by the extension's name and status", async () => {
    const layer = { "extensions/watcher": "#!/bin/sh\nexit 3\n" };
    await expect(tried(handler("return 1"), { layer })).rejects.toThrow(
      "own ended with its extension watcher, which exited with status 3 during Init",
    );
  });

  it("fail its call, with the event's name", async () => {
    await expect(tried(handler("return event['absent']"))).rejects.toThrow(
      /own called with the event invoke at 128 MB failed: KeyError: 'absent'/,
    );
  });

  it("not end in time", async () => {
    const slow = python("import time", "def handler(e, c):", "    time.sleep(30)");
    await expect(tried(slow, { timeoutSeconds: 1 })).rejects.toThrow(
      "timed out: Task timed out after 1.00 seconds",
    );
  });

  it("end its process", async () => {
    const exits = python("import os", "def handler(e, c):", "    os._exit(7)");
    await expect(tried(exits)).rejects.toThrow(
      "exited before it answered: Runtime exited with error: exit status 7",
    );
  });

  it("do not return the expected answer", async () => {
    const answer = { subset: { count: 3 } };
    await expect(tried(handler("return {'count': 2}"), { answer })).rejects.toThrow(
      "did not return the expected answer to the event invoke: count: found 2; expected 3",
    );
  });

  it("call a service that is not here, by the service's and the call's name", async () => {
    const call = "boto3.client('sns').publish(TopicArn='arn:aws:sns:us-east-1:1:t', Message='m')";
    const calls = python("import boto3", "def handler(e, c):", `    ${call}`);
    await expect(tried(calls)).rejects.toThrow(
      /It called sns\.Publish: not available on this machine \(--service emulates dynamodb and s3 alone; kelvin measure ARN measures on AWS\)/,
    );
    const caught = python(
      "import boto3",
      "def handler(e, c):",
      "    try:",
      `        ${call}`,
      "    except Exception: return 1",
    );
    expect(await tried(caught)).toEqual([{ variant: "own", calls: ["sns.Publish"] }]);
  });

  it("look up another machine, and what measures such calls", async () => {
    const failing = (host: string) =>
      tried(handler("raise OSError('no such host')"), { hosts: [host] });
    await expect(failing("example.com")).rejects.toThrow(
      /example\.com: not available on this machine, where functions have no network \(kelvin measure ARN/,
    );
    await expect(failing("dynamodb.us-east-1.amazonaws.com")).rejects.toThrow(
      /its code, or an old SDK such as JavaScript v2 or Go v1, does not read AWS_ENDPOINT_URL/,
    );
  });

  it("listen on a port, which is observed before its environment ends", async () => {
    const listens = python(
      "import socket",
      "server = socket.create_server(('127.0.0.1', 0))",
      "def handler(e, c): return 1",
    );
    expect(await listening(listens)).toEqual([true]);
    expect(await listening(handler("return 1"))).toEqual([false]);
  });

  it.each(["hello, not JSON", ""])(
    "have nothing against the answer %j of a runtime of its own",
    async (answer) => {
      // Python speaks the Runtime API: what a bootstrap of any language does.
      const bootstrap = `#!/usr/bin/env python3
import os, urllib.request
base = "http://" + os.environ["AWS_LAMBDA_RUNTIME_API"] + "/2018-06-01/runtime/invocation/"
while True:
    with urllib.request.urlopen(base + "next") as event:
        id = event.headers["Lambda-Runtime-Aws-Request-Id"]
    urllib.request.urlopen(base + id + "/response", data=b"${answer}")
`;
      const options = { runtime: "provided.al2023", handler: "bootstrap" };
      expect(await tried({ bootstrap }, options)).toEqual([]);
    },
  );
});

describe("services that are not here", () => {
  it("are named by each of AWS's protocols", async () => {
    const absent = await absentServices();
    const scope = (service: string) =>
      `AWS4-HMAC-SHA256 Credential=AKIA/20260101/us-east-1/${service}/aws4_request, Signature=x`;
    const send = (path: string, init: RequestInit) => fetch(`${absent.endpoint}${path}`, init);
    const headers = {
      authorization: scope("dynamodb"),
      "x-amz-target": "DynamoDB_20120810.GetItem",
    };
    expect((await send("/", { method: "POST", headers, body: "{}" })).status).toBe(400);
    await send("/", {
      method: "POST",
      headers: { authorization: scope("sns") },
      body: "Action=Publish&a=b",
    });
    await send("/bucket/key?x=1", { headers: { authorization: scope("s3") } });
    absent.addCall("s3.SelectObjectContent");
    expect(absent.takeCalls()).toEqual([
      ...["dynamodb.GetItem", "sns.Publish", "s3 GET /bucket/key", "s3.SelectObjectContent"],
    ]);
    expect(absent.takeCalls()).toEqual([]);
  });

  it("outlive a function that ends in the middle of a request", async () => {
    const absent = await absentServices();
    const { hostname, port } = new URL(absent.endpoint);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, "connect");
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf");
    await delay(50);
    socket.destroy();
    // An unhandled rejection would fail the run of the tests.
    await delay(50);
    expect(absent.takeCalls()).toEqual([]);
    expect((await fetch(absent.endpoint)).status).toBe(400);
  });
});

describe("a package of Lambda's runtime that a function lacks", () => {
  const needs = (name: string) => ({
    "index.js": `require("${name}"); exports.handler = async () => 1;`,
  });

  /** Brings a package that is empty, beside the function. */
  async function triedWith(name: string, asked: string[]) {
    const made = await ownFunction(needs(name), {
      runtime: "nodejs22.x",
      handler: "index.handler",
    });
    const source = { kind: "artefact", folder: made.folder, environment: {} };
    const variants = [{ id: "own", language: "javascript", source }] as unknown as Variant[];
    const provide = sdkProvider(
      { variants },
      () => {},
      async (names, modules) => {
        asked.push(names.join(" "));
        if (names.some((each) => each.includes("none"))) throw new Error("no registry");
        for (const each of names) {
          mkdirSync(join(modules, each), { recursive: true });
          writeFileSync(
            join(modules, each, "index.js"),
            "require('@aws-sdk/client-b');".repeat(+each.endsWith("-a")),
          );
        }
      },
    );
    return await tryFunctions(planOf(made), made.target, { takeCalls: () => [] }, provide);
  }

  it("is brought when the trial call asks for it, one after the other", async () => {
    const asked: string[] = [];
    expect(await triedWith("@aws-sdk/client-a", asked)).toEqual([]);
    expect(asked).toEqual(["@aws-sdk/client-a", "@aws-sdk/client-a @aws-sdk/client-b"]);
  });

  it("is named where it cannot be brought", async () => {
    await expect(triedWith("@aws-sdk/client-none", [])).rejects.toThrow(
      /^own: imports: found "@aws-sdk\/client-none"; .*no registry/,
    );
  });

  it("is none of another name", async () => {
    const asked: string[] = [];
    await expect(triedWith("left-pad", asked)).rejects.toThrow("Cannot find module 'left-pad'");
    expect(asked).toEqual([]);
  });
});
