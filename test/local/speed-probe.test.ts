import { describe, expect, it } from "vitest";
import { probeSpeed } from "../../lib/local/speed-probe.ts";

describe("the speed probe", () => {
  it("times a handshake's cryptography and hashing, and without a Python nothing else", () => {
    const { handshakeMs, hashMs, ...rest } = probeSpeed(undefined, 3);
    expect(handshakeMs).toBeGreaterThan(0);
    expect(hashMs).toBeGreaterThan(0);
    expect(rest).toEqual({ schemaVersion: 2 });
  });

  it("times an interpreter and its objects where there is a Python", () => {
    const { interpreterMs, allocationMs } = probeSpeed("python3", 3);
    expect(interpreterMs).toBeGreaterThan(0);
    expect(allocationMs).toBeGreaterThan(0);
  }, 60_000);
});
