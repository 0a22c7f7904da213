import { randomInt } from "node:crypto";
import type { Socket } from "node:dgram";
import { type EnvironmentNetwork, machineNetwork } from "./environment-network.ts";

/** A NameServer answers functions' DNS queries. It resolves only localhost and names below it. */
interface NameServer {
  /** Address for `nameserver` in resolv.conf(5), which always uses port 53. */
  readonly address: string;
  stop(): Promise<void>;
}

const port = 53;

/** An address may be in use by another run; `mostTries` limits how many are tried. */
const mostTries = 20;

/**
 * Starts a name server on an unused loopback address. Undefined if port 53 cannot be bound.
 * @param onRefused called with each name that does not resolve
 */
export async function startNameServer(
  onRefused: (name: string) => void,
  network: Pick<EnvironmentNetwork, "bind"> = machineNetwork,
): Promise<NameServer | undefined> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const address = `127.${randomInt(64, 128)}.${randomInt(256)}.${randomInt(1, 255)}`;
    const socket = await network.bind(port, address).catch(() => undefined);
    if (socket === undefined) continue;
    answerQueries(socket, onRefused);
    return { address, stop: () => new Promise((resolve) => socket.close(() => resolve())) };
  }
  return undefined;
}

function answerQueries(socket: Socket, onRefused: (name: string) => void): void {
  socket.on("message", (query, from) => {
    const answer = answerQuery(query, onRefused);
    if (answer !== undefined) socket.send(answer, from.port, from.address, () => undefined);
  });
}

/** https://www.rfc-editor.org/rfc/rfc1035#section-4.1.1 */
const headerBytes = 12;
const typeA = 1;
const responseFlags = 0x8180;
const noSuchName = 3;

/**
 * Returns the answer to a query for one name: 127.0.0.1 for `localhost` and names below it (buckets have such names),
 * "no such name" for all others. Undefined if the message is not a query.
 * https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
export function answerQuery(query: Buffer, onRefused: (name: string) => void): Buffer | undefined {
  const question = readQuestion(query);
  if (question === undefined) return undefined;
  const { name, type, endsAt } = question;
  const isHere = name === "localhost" || name.endsWith(".localhost");
  if (!isHere) onRefused(name);
  const hasAddress = isHere && type === typeA;
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(responseFlags | (isHere ? 0 : noSuchName), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(hasAddress ? 1 : 0, 6);
  const parts = [header, query.subarray(headerBytes, endsAt)];
  return Buffer.concat(hasAddress ? [...parts, addressRecord] : parts);
}

/** Name at offset 12, type A, class IN, TTL 0, length 4, 127.0.0.1. */
const addressRecord = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);

interface Question {
  readonly name: string;
  readonly type: number;
  readonly endsAt: number;
}

function readQuestion(query: Buffer): Question | undefined {
  const isQuery = query.length > headerBytes && (query.readUInt16BE(2) & 0x8000) === 0;
  if (!isQuery || query.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = headerBytes;
  for (;;) {
    const length = query[at];
    if (length === undefined || length > 63) return undefined;
    at += 1;
    if (length === 0) break;
    labels.push(query.toString("latin1", at, at + length));
    at += length;
  }
  if (at + 4 > query.length) return undefined;
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at), endsAt: at + 4 };
}
