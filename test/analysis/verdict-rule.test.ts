import { describe, expect, it } from "vitest";
import { withAdjusted } from "../../lib/analysis/family.ts";
import { withVerdict } from "../../lib/analysis/series-ratio.ts";

const rest = { confidence: 0.95, draws: 100, numeratorN: 30, denominatorN: 30, pairedBlocks: 30 };
const ratio = { kind: "ratio", ratio: 1.12, low: 1.08, high: 1.16, ...rest } as const;
const compared = { ratio, environments: 30, baselineEnvironments: 30, pValue: 0.02 };

describe("what a difference must be to be called", () => {
  it("is 5%, or the margin that was asked for", () => {
    expect(withVerdict(compared).verdict).toBe("slower");
    expect(withVerdict(compared, undefined, { margin: 0.1 }).verdict).toBe("undecided");
  });

  it("must be told apart at 5%, or at the rate that was asked for", () => {
    const family = [withVerdict(compared)];
    expect(withAdjusted(family, [0.02])[0]?.verdict).toBe("slower");
    expect(withAdjusted(family, [0.02], 0.01)[0]).toMatchObject({
      verdict: "undecided",
      undecidedReason: "one-of-many",
    });
  });
});
