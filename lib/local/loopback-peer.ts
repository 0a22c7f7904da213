import { readdir, readFile, readlink } from "node:fs/promises";
import type { Socket } from "node:net";
import { machineNetwork } from "./environment-network.ts";

/** A loopback connection, as seen from this end. */
type LoopbackConnection = Pick<Socket, "remoteAddress" | "remotePort" | "localPort">;

/**
 * Returns whether the other end of a loopback connection belongs to a process of the group led by `leader`, by the
 * kernel's socket tables and the processes' open files. True on systems without such tables, such as macOS, where
 * this cannot be checked. https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
 * @param tables folder with the socket tables of the connection's network
 */
export async function isPeerInGroup(
  connection: LoopbackConnection,
  leader: number,
  tables: string = machineNetwork.tables,
): Promise<boolean> {
  const sockets = await socketTables(tables);
  if (sockets === undefined) return tables === machineNetwork.tables;
  const socket = findInode(sockets, connection);
  if (socket === undefined) return false;
  if (await holds(leader, socket)) return true;
  for (const pid of await findGroup(leader)) if (await holds(pid, socket)) return true;
  return false;
}

/**
 * Returns whether one of the processes listens on a TCP port of the network with these tables. False on systems
 * without such tables.
 */
export async function listensOnPort(pids: readonly number[], tables: string): Promise<boolean> {
  const lines = (await socketTables(tables))?.split("\n") ?? [];
  const inodes = lines.flatMap((line) => {
    const [, , , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === listening && inode !== undefined ? [inode] : [];
  });
  for (const inode of inodes) for (const pid of pids) if (await holds(pid, inode)) return true;
  return false;
}

/** TCP_LISTEN in the kernel's tables. */
const listening = "0A";

async function socketTables(folder: string): Promise<string | undefined> {
  try {
    // A process may connect to an IPv4 address through an IPv6 socket.
    const [v4, v6] = await Promise.all([
      readFile(`${folder}/tcp`, "utf8"),
      readFile(`${folder}/tcp6`, "utf8").catch(() => ""),
    ]);
    return `${v4}\n${v6}`;
  } catch {
    return undefined;
  }
}

/** Returns the inode of the other end's socket: its local address is this end's remote address. */
function findInode(
  tables: string,
  { remoteAddress = "", remotePort = 0, localPort = 0 }: LoopbackConnection,
): string | undefined {
  const address = hexAddress(remoteAddress);
  for (const line of tables.split("\n")) {
    const [, local = "", remote = "", , , , , , , inode] = line.trim().split(/\s+/);
    const isPeer = local.endsWith(`${address}:${hexPort(remotePort)}`);
    if (isPeer && remote.endsWith(`:${hexPort(localPort)}`) && inode !== "0") return inode;
  }
  return undefined;
}

/** Formats an IPv4 address as the kernel does on a little-endian machine: 127.0.0.1 is 0100007F. */
function hexAddress(address: string): string {
  const bytes = address.replace(/^::ffff:/, "").split(".");
  return bytes
    .map((byte) => hex(Number(byte), 2))
    .reverse()
    .join("");
}

function hexPort(port: number): string {
  return hex(port, 4);
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}

async function holds(pid: number, inode: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = names.map((name) => readlink(`${folder}/${name}`).catch(() => ""));
  return (await Promise.all(links)).includes(`socket:[${inode}]`);
}

/** Returns the processes of the group that `leader` leads or led. */
export async function findGroup(leader: number): Promise<readonly number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const isIn = await Promise.all(names.map(async (pid) => (await readGroupId(pid)) === leader));
  return names.filter((_, index) => isIn[index] === true).map(Number);
}

/** Reads field 5 of proc_pid_stat(5), the third after the name, which may contain anything. NaN for an ended process. */
async function readGroupId(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [state, , group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return state === "Z" ? Number.NaN : Number(group);
}
