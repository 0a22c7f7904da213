import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { embeddedEngine } from "../../../../bench/embedded-calls.ts";
import { estimateOf, readEstimates } from "../../bench/criterion-estimates.ts";

/** As criterion 0.8.2 left it for two of the calls. */
const folder = join(import.meta.dirname, "criterion");

describe("criterion's estimates", () => {
  it("are read as a median with its interval, in the order that was asked for", () => {
    const read = readEstimates(folder, embeddedEngine, ["put_small", "get"]);
    expect(read.map(({ call }) => call)).toEqual(["put_small", "get"]);
    expect(read[1]).toEqual({
      call: "get",
      medianNs: 15257.925170898438,
      lowNs: 14923.921875,
      highNs: 15591.928466796875,
      confidence: 0.95,
    });
  });

  it("of a call that was not timed are an error that names the call", () => {
    const read = () => readEstimates(folder, embeddedEngine, ["get", "scan"]);
    expect(read).toThrow('scan: found ["get","put_small"]; allowed: estimates of this call');
  });

  it("without a median are an error, and no figure", () => {
    expect(() => estimateOf("get", '{"mean":{"point_estimate":1}}')).toThrow("get.median: found");
  });
});
