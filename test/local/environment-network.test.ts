import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAbsentServices } from "../../lib/local/absent-services.ts";
import {
  type EnvironmentNetwork,
  machineNetwork,
  openNetwork,
  readUnreachable,
} from "../../lib/local/environment-network.ts";
import { ownFunction } from "../support/own-function.ts";

const { network = machineNetwork, reason } = await openNetwork();
const isRoot = process.platform === "linux" && process.getuid?.() === 0;
afterAll(async () => await network.close());

it("a network of their own is made for environments by root on Linux", ({ skip }) => {
  if (!isRoot) return skip("root on Linux alone may make one");
  // As in a container that has none of root's rights over networks.
  if (reason?.includes("not permitted")) return skip(reason);
  expect(reason).toBeUndefined();
});

/** Of documentation, and so of no machine: https://www.rfc-editor.org/rfc/rfc5737 */
const outside = "192.0.2.1";

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** An address of this machine beside loopback, where it has one. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

describe.skipIf(network === machineNetwork)("a function in the environments' network", () => {
  let host: Server;
  let connections = 0;
  beforeAll(async () => {
    host = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => host.listen(0, "0.0.0.0", resolve));
  });
  afterAll(() => void host.close());

  const python = `
import errno, socket
def handler(event, context):
    found = []
    for address, port in event:
        with socket.socket() as connection:
            found.append(errno.errorcode.get(connection.connect_ex((address, port)), 'reached'))
    return found
`;
  const javascript = `
const { connect } = require("node:net");
const attempt = ([host, port]) => new Promise((resolve) => {
  const socket = connect(port, host, () => { socket.destroy(); resolve("reached"); });
  socket.once("error", ({ code }) => resolve(code));
});
exports.handler = (event) => Promise.all(event.map(attempt));
`;
  // The Runtime API by bash alone, as a program of any language calls it.
  const bootstrap = `#!/bin/bash
slash=/
ask() {
  exec 9<> "/dev/tcp/\${AWS_LAMBDA_RUNTIME_API/:/$slash}"
  printf '%s /2018-06-01/runtime/invocation/%s HTTP/1.1\\r\\nhost: x\\r\\ncontent-length: %s\\r\\n\\r\\n%s' \\
    "$1" "$2" "\${#3}" "$3" >&9
  length=0
  while IFS= read -r line <&9 && line=\${line%$'\\r'} && [ -n "$line" ]; do
    case "\${line,,}" in
      content-length:*) length=\${line##* } ;;
      lambda-runtime-aws-request-id:*) id=\${line##* } ;;
    esac
  done
  IFS= read -r -N "$length" body <&9
  exec 9<&-
}
while true; do
  ask GET next ''
  answer=''
  for target in $(printf '%s' "$body" | tr -d '[]"' | sed 's/\\([^,]*\\),\\([0-9]*\\),\\?/\\1\\/\\2 /g'); do
    said=$( { : > "/dev/tcp/$target"; } 2>&1 )
    case "$said" in
      *unreachable*) answer="$answer,\\"ENETUNREACH\\"" ;;
      *refused*) answer="$answer,\\"ECONNREFUSED\\"" ;;
      '') answer="$answer,\\"reached\\"" ;;
      *) answer="$answer,\\"unclear\\"" ;;
    esac
  done
  ask POST "$id/response" "[\${answer#,}]"
done
`;

  it.each([
    ["Python", "python3.13", "app.handler", { "app.py": python }],
    ["Node.js", "nodejs22.x", "index.handler", { "index.js": javascript }],
    ["a program of its own", "provided.al2023", "bootstrap", { bootstrap }],
  ])(
    "of %s reaches no other machine and no port of this one",
    async (_, runtime, handler, files) => {
      const own = await ownFunction(files, { runtime, handler, network, timeoutSeconds: 60 });
      const before = { connections, unreachable: network.unreachableCount() };
      const beyond = ownAddress === undefined ? [outside] : [outside, ownAddress];
      const targets = [...beyond, "127.0.0.1"].map((address) => [address, portOf(host)]);
      const { error, payload, log } = await own.target.invoke(own.cell, targets);
      expect(error, log).toBeUndefined();
      expect(payload).toEqual([...beyond.map(() => "ENETUNREACH"), "ECONNREFUSED"]);
      expect(connections).toBe(before.connections);
      expect(network.unreachableCount()).toBe(before.unreachable + beyond.length);
    },
  );

  it("has a Runtime API that nobody outside reaches", async () => {
    const server = createServer((socket) => socket.end("inside"));
    await network.listen(server);
    const inside = await network.connect(portOf(server));
    expect(String((await once(inside, "data"))[0])).toBe("inside");
    await expect(machineNetwork.connect(portOf(server))).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
    server.close();
  });
});

describe.skipIf(network === machineNetwork)("the environments' network", () => {
  const script = `${import.meta.dirname}/functions/hold-network.ts`;

  it("is gone with Kelvin, killed or not", async () => {
    for (const how of ["SIGKILL", "SIGINT"] as const) {
      const run = spawn(process.execPath, ["--import", "tsx", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [said] = await once(run.stdout, "data");
      const holder = Number(String(said));
      expect(existsSync(`/proc/${holder}/ns/net`)).toBe(true);
      run.kill(how);
      await once(run, "exit");
      // As long as this machine takes.
      while (existsSync(`/proc/${holder}/ns/net`)) await delay(20);
    }
  });

  it("says why it is of no use once its holder was killed", async () => {
    const { network: lost } = await openNetwork();
    const [, holder = ""] = /^\/proc\/(\d+)\//.exec(lost?.tables ?? "") ?? [];
    process.kill(Number(holder), "SIGKILL");
    const used = async () => {
      for (;;) await (lost as EnvironmentNetwork).listen(createServer().unref());
    };
    await expect(used()).rejects.toThrow("the environments' network cannot be used");
    await lost?.close();
  });
});

describe("attempts to leave the environments' network", () => {
  it("are counted by the kernel's tables, of both protocols", () => {
    const four = "Ip: Forwarding OutNoRoutes ReasmTimeout\nIp: 1 12 0\nIcmp: InMsgs\nIcmp: 7\n";
    expect(readUnreachable(four)).toBe(12);
    const six =
      "Ip6InReceives                   \t3\nIp6OutNoRoutes                  \t5\nIp6X \t9\n";
    expect(readUnreachable(six)).toBe(5);
    expect(readUnreachable("")).toBe(0);
  });

  it("are among the calls that the trial call names, each time once", async () => {
    let unreachable = 3;
    const counted = { ...machineNetwork, unreachableCount: () => unreachable };
    const absent = await startAbsentServices(counted);
    try {
      expect(absent.takeCalls()).toEqual([]);
      unreachable += 2;
      expect(absent.takeCalls()).toEqual(["an IP address of another machine"]);
      expect(absent.takeCalls()).toEqual([]);
    } finally {
      await absent.stop();
    }
  });
});

it("a machine without network namespaces says why", async () => {
  expect(await openNetwork({ platform: "darwin", userId: 0 })).toEqual({
    reason: "there are network namespaces on Linux alone",
  });
  expect(await openNetwork({ platform: "linux", userId: 1000 })).toEqual({
    reason: "only root may make a network",
  });
});
