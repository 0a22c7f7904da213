import type { Sample } from "../../../contract/types/contract.ts";
import { isMeasured, type Measured, type OwnQuantity } from "../../collect/quantities.ts";
import { fieldOf } from "../../collect/result-fields.ts";

/** Two connections of one invocation, by their phases, and what the first one's TLS has beyond the second's. */
export const connectionQuantities: readonly OwnQuantity[] = [
  "own.firstDnsMs",
  "own.firstTcpMs",
  "own.firstTlsMs",
  "own.firstConnectionMs",
  "own.secondDnsMs",
  "own.secondTcpMs",
  "own.secondTlsMs",
  "own.secondConnectionMs",
  "own.oneTimeTlsMs",
];

/** Of an invocation that made its connections by hand; nothing of any other. */
export function connectionQuantitiesOf({ result }: Sample): Measured {
  const connections = fieldOf(result, "connections");
  if (!Array.isArray(connections) || connections.length !== 2) return {};
  const [first, second] = connections.map(connectionOf);
  if (first === undefined || second === undefined) return {};
  return {
    "own.firstDnsMs": first.dnsMs,
    "own.firstTcpMs": first.tcpMs,
    "own.firstTlsMs": first.tlsMs,
    "own.firstConnectionMs": first.dnsMs + first.tcpMs + first.tlsMs,
    "own.secondDnsMs": second.dnsMs,
    "own.secondTcpMs": second.tcpMs,
    "own.secondTlsMs": second.tlsMs,
    "own.secondConnectionMs": second.dnsMs + second.tcpMs + second.tlsMs,
    // May be below 0, where the second handshake took longer.
    "own.oneTimeTlsMs": first.tlsMs - second.tlsMs,
  };
}

function connectionOf(connection: unknown) {
  const dnsMs = fieldOf(connection, "dnsMs");
  const tcpMs = fieldOf(connection, "tcpMs");
  const tlsMs = fieldOf(connection, "tlsMs");
  return isMeasured(dnsMs) && isMeasured(tcpMs) && isMeasured(tlsMs)
    ? { dnsMs, tcpMs, tlsMs }
    : undefined;
}
