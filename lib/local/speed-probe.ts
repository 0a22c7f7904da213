import { execFileSync } from "node:child_process";
import {
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  pbkdf2Sync,
  sign,
  verify,
} from "node:crypto";
import type { SpeedProbe } from "../contract/types/contract.ts";
import { median } from "../statistics/order-statistics.ts";
import { commandEnvironment } from "../toolchain/command-environment.ts";

const handshakesPerRound = 10;
const hashesPerRound = 10_000;

/**
 * Measures two parts of an interpreted function's work: loops and calls; creating and looking up many small objects.
 * It prints the median CPU times, ms.
 */
const pythonScript = `
import json, statistics, sys, time

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
    work()
    for _ in range(int(sys.argv[1])):
        begun = time.process_time()
        work()
        times.append(1000 * (time.process_time() - begun))
    return statistics.median(times)

print(json.dumps({"interpreterMs": usual(interpret), "allocationMs": usual(allocate)}))
`;

/**
 * probeSpeed measures, in CPU time, how fast this machine does what functions do: a TLS handshake's cryptography,
 * hashing and, given a Python, its interpreter and its objects. Each result is the median of its rounds, since a
 * function's mean time follows a shared machine's usual speed, not its best. A round of all parts takes 20 to 50 ms.
 */
export function probeSpeed(python: string | undefined, rounds: number): SpeedProbe {
  return {
    schemaVersion: 2,
    handshakeMs: usualHandshakeMs(rounds),
    hashMs: usualMs(rounds, () => pbkdf2Sync("", "", hashesPerRound, 32, "sha256")),
    ...(python !== undefined && probePython(python, rounds)),
  };
}

function probePython(
  python: string,
  rounds: number,
): Pick<SpeedProbe, "interpreterMs" | "allocationMs"> {
  const printed = execFileSync(python, ["-c", pythonScript, String(rounds)], {
    env: commandEnvironment("python"),
    encoding: "utf8",
  });
  return JSON.parse(printed) as Pick<SpeedProbe, "interpreterMs" | "allocationMs">;
}

function usualHandshakeMs(rounds: number): number {
  const exchange = [generateKeyPairSync("x25519"), generateKeyPairSync("x25519")] as const;
  const certificate = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const message = Buffer.alloc(64);
  const roundMs = usualMs(rounds, () => {
    for (let count = 0; count < handshakesPerRound; count += 1) {
      handshake(exchange, certificate, message);
    }
  });
  return roundMs / handshakesPerRound;
}

/** Returns the median CPU time of the work, ms, after one round that is not measured and loads what it needs. */
function usualMs(rounds: number, work: () => void): number {
  work();
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return median(times);
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** Computes both sides of a TLS 1.3 handshake (RFC 8446, section 2): shared secrets, a signature and its check. */
function handshake(
  [client, server]: readonly [KeyPair, KeyPair],
  certificate: KeyPair,
  message: Buffer,
): void {
  diffieHellman({ privateKey: client.privateKey, publicKey: server.publicKey });
  diffieHellman({ privateKey: server.privateKey, publicKey: client.publicKey });
  verify("sha256", message, certificate.publicKey, sign("sha256", message, certificate.privateKey));
}
