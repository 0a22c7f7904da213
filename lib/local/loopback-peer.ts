import type { Socket } from "node:net";
import { kernelFiles } from "../files/kernel-files.ts";
import { commandEnvironment } from "../toolchain/command-environment.ts";
import { outputOf } from "../toolchain/run-command.ts";
import { machineNetwork } from "./environment-network.ts";
import { exists } from "./process-identity.ts";

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
  for (const pid of (await findGroup(leader)) ?? []) if (await holds(pid, socket)) return true;
  return false;
}

/**
 * Returns whether a process of the group led by `leader` listens on a TCP port of the network with these tables. On
 * systems without such tables, lsof tells: https://github.com/lsof-org/lsof/blob/master/Lsof.8
 * @param pids processes to look at instead of the group's. @default the group's
 */
export async function listensOnPort(
  leader: number,
  tables: string,
  pids?: readonly number[],
): Promise<boolean> {
  const sockets = await socketTables(tables);
  if (sockets === undefined) {
    const listeners = ["-a", "-g", `${leader}`, "-iTCP", "-sTCP:LISTEN", "-n", "-P", "-t"];
    return outputOf("lsof", listeners, commandEnvironment("tool")) !== undefined;
  }
  const inodes = sockets.split("\n").flatMap((line) => {
    const [, , , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === listening && inode !== undefined ? [inode] : [];
  });
  const processes = pids ?? (await findGroup(leader)) ?? [];
  for (const inode of inodes) for (const pid of processes) if (await holds(pid, inode)) return true;
  return false;
}

/** TCP_LISTEN in the kernel's tables. */
const listening = "0A";

async function socketTables(folder: string): Promise<string | undefined> {
  // A process may connect to an IPv4 address through an IPv6 socket.
  const files = [`${folder}/tcp`, `${folder}/tcp6`].map(kernelFiles.text);
  const [v4, v6] = await Promise.all(files);
  return v4 === "" ? undefined : `${v4}\n${v6}`;
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
  const names = await kernelFiles.names(folder);
  const links = names.map((name) => kernelFiles.link(`${folder}/${name}`));
  return (await Promise.all(links)).includes(`socket:[${inode}]`);
}

/** Returns whether the group that `leader` leads or led has ended. */
export async function isGroupGone(leader: number): Promise<boolean> {
  // Processes that have ended but were not waited for still count as the group's.
  return !exists(-leader) || (await findGroup(leader))?.length === 0;
}

/** Returns the processes of the group that `leader` leads or led; undefined if the system does not list processes. */
async function findGroup(leader: number): Promise<readonly number[] | undefined> {
  const names = (await kernelFiles.names("/proc")).filter((name) => /^\d+$/.test(name));
  if (names.length === 0) return undefined;
  const isIn = await Promise.all(names.map(async (pid) => (await readGroupId(pid)) === leader));
  return names.filter((_, index) => isIn[index] === true).map(Number);
}

/** Reads field 5 of proc_pid_stat(5), the third after the name, which may contain anything. NaN for an ended process. */
async function readGroupId(pid: string): Promise<number> {
  const text = await kernelFiles.text(`/proc/${pid}/stat`);
  const [state, , group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return state === "Z" ? Number.NaN : Number(group);
}
