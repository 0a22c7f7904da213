import { execFileSync } from "node:child_process";
import { diffieHellman, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import type { SpeedProbe } from "../contract/types/contract.ts";
import { median } from "../statistics/order-statistics.ts";
import { commandEnvironment } from "../toolchain/command-environment.ts";

/** Rounds of each part. A function's mean time follows the usual speed of a shared machine, not its best. */
const rounds = 15;
const handshakesPerRound = 10;

/**
 * Source of the two parts of an interpreted function's work: loops and calls, and many small objects that are made and
 * looked up. It prints the median CPU times, ms.
 */
const pythonScript = `
import json, statistics, time

def interpret(n=20_000):
    total = 0
    for index in range(n):
        total += (lambda value: value * 3 % 7)(index) if index % 2 else len(str(index))
    return total

def allocate(n=10_000):
    found = {}
    for index in range(n):
        key = f"key-{index * 7919 % 5021}"
        found[key] = {"id": key, "values": [index, index + 1], "length": len(found.get(key, {}))}
    return len(found)

def usual(work):
    times = []
    for _ in range(${rounds}):
        begun = time.process_time()
        work()
        times.append(1000 * (time.process_time() - begun))
    return statistics.median(times)

print(json.dumps({"interpreterMs": usual(interpret), "allocationMs": usual(allocate)}))
`;

/**
 * probeSpeed measures how fast this machine does what functions do, in CPU time, in about a second of CPU time: a TLS
 * handshake's cryptography, and with a Python its interpreter and its objects. Each part is a median.
 */
export function probeSpeed(python: string | undefined): SpeedProbe {
  return {
    schemaVersion: 2,
    handshakeMs: usualHandshakeMs(),
    ...(python !== undefined && probePython(python)),
  };
}

function probePython(python: string): Pick<SpeedProbe, "interpreterMs" | "allocationMs"> {
  const printed = execFileSync(python, ["-c", pythonScript], {
    env: commandEnvironment("python"),
    encoding: "utf8",
  });
  return JSON.parse(printed) as Pick<SpeedProbe, "interpreterMs" | "allocationMs">;
}

function usualHandshakeMs(): number {
  const exchange = [generateKeyPairSync("x25519"), generateKeyPairSync("x25519")] as const;
  const certificate = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const message = Buffer.alloc(64);
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    for (let count = 0; count < handshakesPerRound; count += 1) {
      handshake(exchange, certificate, message);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / handshakesPerRound;
  });
  return median(times);
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** What both sides of TLS 1.3 compute (RFC 8446, section 2): shared secrets, a signature and its check. */
function handshake(
  [client, server]: readonly [KeyPair, KeyPair],
  certificate: KeyPair,
  message: Buffer,
): void {
  diffieHellman({ privateKey: client.privateKey, publicKey: server.publicKey });
  diffieHellman({ privateKey: server.privateKey, publicKey: client.publicKey });
  verify("sha256", message, certificate.publicKey, sign("sha256", message, certificate.privateKey));
}
