import { describe, expect, it } from "vitest";
import { parseNetwork } from "../../bin/options/option-values.ts";
import { networkChoice, networkText } from "../../bin/run/new-run.ts";
import published from "../../lib/contract/published.json" with { type: "json" };
import { experimentById } from "../../lib/experiments/catalogue.ts";

const s3 = experimentById("s3-fanout");

const dynamodb = experimentById("dynamodb");

describe("the network of a run on this machine", () => {
  it("is the experiment's own unless another is asked for", () => {
    for (const each of [s3, dynamodb]) {
      expect(each.localNetwork).toBeDefined();
      expect(networkChoice(each, undefined)).toBe(each.localNetwork);
    }
    expect(networkChoice(experimentById("compute"), undefined)).toBeUndefined();
    expect(networkChoice(dynamodb, parseNetwork("8,0.5,20"))).toEqual({
      delayMs: 8,
      jitterMs: 0.5,
      connectMs: 20,
    });
  });

  it("keeps the experiment's connections where none are asked for", () => {
    const { connectMs } = s3.localNetwork ?? {};
    expect(networkChoice(s3, parseNetwork("30,5"))).toEqual({
      delayMs: 30,
      jitterMs: 5,
      connectMs,
    });
    expect(networkChoice(s3, parseNetwork("8"))).toEqual({ delayMs: 8, jitterMs: 0, connectMs });
    expect(networkChoice(s3, parseNetwork("8,0,0"))).toEqual({
      delayMs: 8,
      jitterMs: 0,
      connectMs: 0,
    });
  });

  it("looks a name up before the one connection to DynamoDB, but not where a function times its steps", () => {
    const { tcp, dnsMean } = published.firstRequest.phasesMs;
    const roundTripMs = tcp.reduce((sum, ms) => sum + ms, 0) / tcp.length;
    const connectMs = 2 * Number(roundTripMs.toFixed(1));
    expect(networkChoice(dynamodb, undefined)?.connectMs).toBeCloseTo(connectMs + dnsMean, 12);
    const timed = networkChoice(experimentById("first-request"), undefined);
    expect(timed?.connectMs).toBeCloseTo(connectMs, 12);
  });

  it("is none where nothing is to be added", () => {
    expect(networkChoice(s3, parseNetwork("0"))).toBeUndefined();
    expect(networkChoice(dynamodb, parseNetwork("0,0"))).toBeUndefined();
  });

  const refused = ["", "-1", ".5", "1.2345", "15,", "15;3", "3,15", "1001", "15,3,1001", "1,1,1,1"];
  it.each([...refused, "fast"])(
    "is not %j, which is refused by name, value and what is allowed",
    (word) => {
      expect(() => parseNetwork(word)).toThrow(
        `delay and its jitter; found ${JSON.stringify(word)}`,
      );
    },
  );

  it("is none of an experiment that calls no service: asked for, it is refused", () => {
    expect(() => networkChoice(experimentById("compute"), parseNetwork("15"))).toThrow(
      'network: found {"delayMs":15,"jitterMs":0}; allowed: no value for compute, whose functions call no service',
    );
  });

  it("is told with its seed and its connections", () => {
    expect(networkText({ delayMs: 15, jitterMs: 3, connectMs: 1.4 }, 7)).toBe(
      "15 ms a request, give or take up to 3 ms drawn by seed 7; 1.4 ms to open a connection",
    );
    expect(networkText({ delayMs: 8, jitterMs: 0 }, 7)).toBe(
      "8 ms a request; connections are not delayed",
    );
  });
});
