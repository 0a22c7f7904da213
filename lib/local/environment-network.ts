import { type ChildProcess, spawn } from "node:child_process";
import { createSocket, Socket as DatagramSocket } from "node:dgram";
import { createConnection, Server, Socket } from "node:net";
import { describeError } from "../contract/errors.ts";
import { kernelText } from "../files/kernel-files.ts";
import { commandEnvironment } from "../toolchain/command-environment.ts";
import { systemPath } from "./sandbox/temporary-disk.ts";

/** A program to start, with its arguments. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The network of the environments and of what they call. A socket stays in the network that created it. */
export interface EnvironmentNetwork {
  /** Whether the network has only loopback, separate from this machine's. */
  readonly isIsolated: boolean;
  /** Folder with the kernel's socket tables of this network. */
  readonly tables: string;
  /** Returns the command that starts the program in this network. */
  enter<Started extends Program>(started: Started): Started;
  /** Makes the server listen on 127.0.0.1 of this network, at a free port. */
  listen(server: Server): Promise<void>;
  /** Binds a datagram socket; rejects if the address is in use or not permitted. */
  bind(port: number, address: string): Promise<DatagramSocket>;
  /** Connects to a port on 127.0.0.1 of this network. */
  connect(port: number): Promise<Socket>;
  /** Returns how many packets programs in this network sent to addresses without a route. */
  unreachableCount(): number;
  close(): Promise<void>;
}

const loopback = "127.0.0.1";

/** This machine's own network. */
export const machineNetwork: EnvironmentNetwork = {
  isIsolated: false,
  tables: "/proc/self/net",
  enter: (started) => started,
  listen: (server) =>
    new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, loopback, resolve);
    }),
  bind: (port, address) =>
    new Promise((resolve, reject) => {
      const socket = createSocket("udp4");
      socket.once("error", (error) => {
        socket.close();
        reject(error);
      });
      socket.bind(port, address, () => resolve(socket));
    }),
  connect: (port) =>
    new Promise((resolve, reject) => {
      const socket = createConnection(port, loopback, () => resolve(socket));
      socket.once("error", reject);
    }),
  unreachableCount: () => 0,
  close: async () => undefined,
};

/** A separate network for the environments, or the reason why this machine has none. */
type OpenedNetwork =
  | { readonly network: EnvironmentNetwork; readonly reason?: undefined }
  | { readonly network?: undefined; readonly reason: string };

interface NetworkOptions {
  readonly platform?: string;
  readonly userId?: number | undefined;
}

/**
 * Creates a network namespace with only loopback. A child process holds it, and ends with this one.
 * https://man7.org/linux/man-pages/man7/network_namespaces.7.html
 */
export async function openNetwork({
  platform = process.platform,
  userId = process.getuid?.(),
}: NetworkOptions = {}): Promise<OpenedNetwork> {
  if (platform !== "linux") return { reason: "there are network namespaces on Linux alone" };
  if (userId !== 0) return { reason: "only root may make a network" };
  let holder: Holder | undefined;
  try {
    holder = new Holder();
    await holder.ready;
    return { network: networkOf(holder) };
  } catch (error) {
    await holder?.close();
    return { reason: describeError(error).message };
  }
}

function networkOf(holder: Holder): EnvironmentNetwork {
  const tables = `/proc/${holder.pid}/net`;
  const namespace = `--net=/proc/${holder.pid}/ns/net`;
  return {
    isIsolated: true,
    tables,
    enter: (started) => ({
      ...started,
      command: "nsenter",
      args: [namespace, started.command, ...started.args],
    }),
    listen: async (server) => {
      const listening = await holder.ask({ kind: "listen" }, Server);
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(listening, resolve);
      });
    },
    bind: (port, address) => holder.ask({ kind: "bind", port, address }, DatagramSocket),
    connect: (port) => holder.ask({ kind: "connect", port }, Socket),
    unreachableCount: () =>
      readUnreachable(kernelText(`${tables}/snmp`)) +
      readUnreachable(kernelText(`${tables}/snmp6`)),
    close: () => holder.close(),
  };
}

/**
 * Reads OutNoRoutes (ipSystemStatsOutNoRoutes of https://www.rfc-editor.org/rfc/rfc4293) from /proc/net/snmp (a line of
 * names, then a line of values) or snmp6 (one value per line); 0 if the table does not have it.
 */
export function readUnreachable(table: string): number {
  const [, six] = /^Ip6OutNoRoutes\s+(\d+)$/m.exec(table) ?? [];
  if (six !== undefined) return Number(six);
  const [names = [], figures = []] = table
    .split("\n")
    .filter((line) => line.startsWith("Ip: "))
    .map((line) => line.split(" "));
  return Number(figures[names.indexOf("OutNoRoutes")] ?? 0);
}

/** A SocketRequest asks the holder to create a socket. */
type SocketRequest =
  | { readonly kind: "listen" }
  | { readonly kind: "bind"; readonly port: number; readonly address: string }
  | { readonly kind: "connect"; readonly port: number };

interface HolderAnswer {
  readonly id: number;
  readonly error?: string;
  readonly isDone?: true;
}

interface Asked {
  readonly resolve: (handle: unknown) => void;
  readonly reject: (error: Error) => void;
  handle?: unknown;
}

/** A Holder is the process in the namespace: it creates sockets there and passes them to Kelvin. */
class Holder {
  readonly #child: ChildProcess;
  readonly #asked = new Map<number, Asked>();
  readonly #exited: Promise<void>;
  /** Resolves once loopback is up. */
  readonly ready: Promise<unknown>;
  #output = "";
  #lastId = 0;
  #isGone = false;

  constructor() {
    this.#child = spawn(
      "unshare",
      ["--net", "/bin/sh", "-c", raiseLoopback, "sh", process.execPath, "--eval", holderProgram],
      {
        env: { ...commandEnvironment("tool"), PATH: systemPath },
        stdio: ["ignore", "ignore", "pipe", "ipc"],
        // Ctrl-C in the terminal must reach only Kelvin.
        detached: true,
      },
    );
    this.#child.stderr?.on("data", (chunk) => {
      this.#output += chunk;
    });
    this.#child.on("message", (answer, handle) => this.#take(answer as HolderAnswer, handle));
    this.#exited = new Promise((resolve) => {
      const end = (how: string) => {
        this.#end(how);
        resolve();
      };
      this.#child.once("error", (error) => end(error.message));
      this.#child.once("close", (code, signal) => end(`it ended with ${signal ?? code}`));
    });
    this.ready = this.#promise(0);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async ask<Handle>(request: SocketRequest, type: abstract new () => Handle): Promise<Handle> {
    if (this.#isGone) throw this.#failure("it is gone");
    this.#lastId += 1;
    const answer = this.#promise(this.#lastId);
    this.#child.send({ id: this.#lastId, ...request });
    const handle = await answer;
    if (handle instanceof type) return handle;
    throw new Error(`the holder of the environments' network made no socket (${request.kind})`);
  }

  async close(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  #promise(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  /** Keeps the handle, which arrives first, until the holder has closed its own copy. */
  #take({ id, error, isDone }: HolderAnswer, handle: unknown): void {
    const pending = this.#asked.get(id);
    if (pending === undefined) return;
    if (handle !== undefined) pending.handle = handle;
    if (error === undefined && isDone !== true) return;
    this.#asked.delete(id);
    if (error === undefined) pending.resolve(pending.handle);
    else pending.reject(new Error(error));
  }

  #end(how: string): void {
    this.#isGone = true;
    for (const { reject } of this.#asked.values()) reject(this.#failure(how));
    this.#asked.clear();
  }

  #failure(how: string): Error {
    const [lastLine] = this.#output.trim().split("\n").slice(-1);
    const why = lastLine === undefined || lastLine === "" ? how : lastLine;
    return new Error(`the environments' network cannot be used: ${why}`);
  }
}

/** Debian has perl but no ip(8). SIOCSIFFLAGS with IFF_UP: https://man7.org/linux/man-pages/man7/netdevice.7.html */
const raiseLoopback = `
ip link set lo up 2> /dev/null || perl -e '
  socket(my $any, 2, 2, 0) && ioctl($any, 0x8914, pack("a16 s x22", "lo", 1)) || exit 1
' || { echo "loopback cannot be raised: neither ip nor perl does it" >&2; exit 1; }
exec "$@"
`;

/** Program that runs in the namespace. Its only connection to Kelvin is the IPC channel; it exits when that closes. */
const holderProgram = `
const { createServer, createConnection } = require("node:net");
const { createSocket } = require("node:dgram");
process.on("disconnect", () => process.exit());
const makers = {
  listen: (request, done) => {
    const server = createServer();
    return server.listen(0, "${loopback}", () => done(server));
  },
  bind: ({ port, address }, done) => {
    const socket = createSocket("udp4");
    return socket.bind(port, address, () => done(socket));
  },
  connect: ({ port }, done) => {
    const socket = createConnection(port, "${loopback}", () => done(socket));
    return socket;
  },
};
process.on("message", (request) => {
  const { id, kind } = request;
  const made = makers[kind](request, (handle) => {
    process.send({ id }, handle, () => {
      if (kind !== "connect") handle.close();
      process.send({ id, isDone: true });
    });
  });
  made.once("error", (error) => process.send({ id, error: error.message }));
});
process.send({ id: 0, isDone: true });
`;
