import { describe, expect, it } from "vitest";
import { networkChoice, networkText } from "../../bin/commands/new-run.ts";
import { network } from "../../bin/option-values.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";

const s3 = experimentById("s3-fanout");

describe("the network of a run on this machine", () => {
  it("is the experiment's own unless another is asked for", () => {
    expect(networkChoice(s3, undefined)).toEqual({ delayMs: 15, jitterMs: 3 });
    expect(networkChoice(s3, network("30,5"))).toEqual({ delayMs: 30, jitterMs: 5 });
    expect(networkChoice(s3, network("8"))).toEqual({ delayMs: 8, jitterMs: 0 });
    expect(networkChoice(experimentById("dynamodb"), undefined)).toBeUndefined();
  });

  it("is none where nothing is to be added", () => {
    expect(networkChoice(s3, network("0"))).toBeUndefined();
    expect(networkChoice(s3, network("0,0"))).toBeUndefined();
  });

  it.each(["", "-1", "1.5", "15,", "15;3", "3,15", "1001", "fast"])(
    "is not %j, which is refused by name, value and what is allowed",
    (word) => {
      expect(() => network(word)).toThrow(`network: found ${JSON.stringify(word)}; allowed: DELAY`);
    },
  );

  it("is none of an experiment without S3: asked for, it is refused", () => {
    expect(() => networkChoice(experimentById("dynamodb"), network("15"))).toThrow(
      'network: found {"delayMs":15,"jitterMs":0}; allowed: nothing with dynamodb: only S3 has a network of its own',
    );
  });

  it("is told with its seed, and with what it leaves out", () => {
    expect(networkText({ delayMs: 15, jitterMs: 3 }, 7)).toBe(
      "15 ms a request, give or take up to 3 ms drawn by seed 7; connections and handshakes are not delayed",
    );
    expect(networkText({ delayMs: 8, jitterMs: 0 }, 7)).toMatch(/^8 ms a request; connections/);
  });
});
