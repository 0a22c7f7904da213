import { describe, expect, it } from "vitest";
import { plain } from "../../lib/report/document/document.ts";
import { lambdaText, type NamedComparison } from "../../lib/report/gate-text.ts";

function row(name: string, low?: number, high?: number): NamedComparison {
  const range = low === undefined || high === undefined ? undefined : { low, high };
  return {
    ...{ name, phase: "warm", operation: "get", quantity: "durationMs" },
    ...{ environments: 9, baselineEnvironments: 9, verdict: "slower" },
    ...(range !== undefined && { onLambda: { ...range, expected: 1 } }),
  };
}

describe("what Lambda would show, in a comment", () => {
  it("is nothing of comparisons without a range", () => {
    expect(lambdaText([row("a"), row("b")])).toBeUndefined();
  });

  it("is each range on one side of 1, and in how many either may be faster", () => {
    const rows = [row("a", 1.2, 3), row("b", 0.6, 1.4), row("c", 0.3, 0.8), row("d")];
    expect(plain(lambdaText(rows) ?? "")).toBe(
      "On Lambda (90%): a, warm get, 1.2–3×; c, warm get, 0.3–0.8×; either may be faster in 1 of 3 decided here.",
    );
  });

  it("claims nothing where every range includes 1", () => {
    expect(plain(lambdaText([row("a", 0.9, 1.3)]) ?? "")).toBe(
      "On Lambda (90%): either may be faster in 1 of 1 decided here.",
    );
  });

  it("shows a few, and counts the rest", () => {
    const rows = Array.from({ length: 7 }, (_, index) => row(`f${index}`, 1.2, 2));
    const line = plain(lambdaText(rows) ?? "");
    expect(line.match(/warm get/g)).toHaveLength(4);
    expect(line).toMatch(/; and 3 more on one side of 1\.$/);
  });
});
