import { describe, expect, it } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { compute } from "../../lib/experiments/compute/definition.ts";
import { type FixtureChoice, fixturePlan, fixtureSamples } from "../report/support/fixture.ts";
import { fixtureReport } from "../report/support/fixture-report.ts";
import { checkedHtml } from "../report/support/html-check.ts";
import { htmlWithoutPictures } from "../report/support/html-without-pictures.ts";
import { rowWith, tableRows } from "../report/support/markdown-tables.ts";
import { environmentAverages, kept, printed } from "../report/support/own-arithmetic.ts";

const choice: FixtureChoice = { experiment: compute, memoryMb: [128, 1769], target: "local" };

/** Functions that compute: no SDK call, a value, and a clock of their own. */
function computed(samples: Iterable<Sample>): Sample[] {
  return [...samples].map((sample) => {
    const { sdkCallMs: _, itemsCount: __, ...result } = sample.result as Record<string, unknown>;
    const expected = compute.requests?.[sample.operation]?.expected;
    return { ...sample, result: { ...result, ...expected } };
  });
}

async function reportOf(samples: Iterable<Sample>) {
  const report = await fixtureReport(choice, { samples });
  checkedHtml(htmlWithoutPictures(report));
  return report;
}

const samples = computed(fixtureSamples(fixturePlan(choice)));
const { markdown } = await reportOf(samples);
const ownClock = (sample: Sample) => (sample.result as { durationMs: number }).durationMs;

describe("the report of compute", () => {
  const rows = tableRows(markdown, "Warm, the work alone");

  it("prints the work by the function's own clock, each operation that computes by itself", () => {
    const wanted = { Operation: "`vector`", "Memory MB": "128" };
    const python = rowWith(rows, { ...wanted, Variant: "Python" });
    const vector = kept(samples, "python-arm64-128", "warm", "vector");
    expect(python["Work ms"]).toBe(printed(environmentAverages(vector, ownClock)));
    expect(python["n in environments"]).toBe("9");
    expect(rowWith(rows, { ...wanted, Variant: "Rust" }).Ratio).toBe("1 (baseline)");
    expect(rows.some((row) => row.Operation === "`noop`")).toBe(false);
  });

  it("states the ratio of the work with its interval and verdict", () => {
    const python = rowWith(rows, {
      Operation: "`fibonacci`",
      "Memory MB": "1769",
      Variant: "Python",
    });
    expect(python.Ratio).toMatch(/^\d+\.\d+ \[\d+\.\d+, \d+\.\d+\]$/);
    expect(python.Verdict).toBe("slower");
  });

  it("says what was asked, and the result that every sample was held against", () => {
    const asked = tableRows(markdown, "The input of each operation");
    expect(rowWith(asked, { Operation: "`fibonacci`" })).toMatchObject({
      Parameters: "n 32",
      Result: "value 2178309",
    });
    expect(rowWith(asked, { Operation: "`vector`" }).Result).toBe("value 10000000000");
  });

  it("has no word of an SDK call, of a transport or of DynamoDB's own cost", () => {
    expect(markdown).not.toContain("SDK call");
    expect(markdown).not.toContain("Transport to DynamoDB");
  });

  it("states Init without an SDK, the source's figure beside its own size alone", () => {
    const cold = tableRows(markdown, "Cold start: mean");
    const heads = Object.keys(cold[0] ?? {});
    const column = heads.find((head) => head.startsWith("Published")) as string;
    const rust = (memoryMb: string) => rowWith(cold, { "Memory MB": memoryMb, Variant: "Rust" });
    expect(rust("128")[column]).toBe("29 / – / – / –");
    expect(rust("1769")[column]).toBe("–");
    const inits = kept(samples, "rust-arm64-128", "cold", "noop").map(
      ({ telemetry }) => telemetry?.initDurationMs as number,
    );
    expect(rust("128")["Init ms"]).toBe(printed(inits));
    expect(markdown).toContain("**Init, with no SDK in it:**");
  });

  it("says what the least start is, where it was measured and there alone", async () => {
    const limit = "has one connection to Lambda's Runtime API and nothing else";
    expect(markdown).toContain(limit);
    const without = { ...choice, variants: ["rust", "python"] };
    const others = computed(fixtureSamples(fixturePlan(without)));
    const { files } = await fixtureReport(without, { samples: others });
    expect(files["report.md"]).not.toContain(limit);
  });

  it("tells that the source computed another Fibonacci number", () => {
    expect(markdown).toContain("about 90 times in Duration, of Fibonacci number 40 and not 32");
  });

  it("leaves out of every statistic what was computed wrong, and says why", async () => {
    const wrong = samples.map((sample): Sample => {
      const isWrong = sample.cell.variant === "rust" && sample.operation === "vector";
      return isWrong ? { ...sample, rejected: { reason: "result-wrong" } } : sample;
    });
    const { files, markdown: report } = await reportOf(wrong);
    checkedHtml(files["report.html"] as string);
    const rejected = tableRows(report, "Rejected samples by reason");
    expect(rowWith(rejected, { Reason: "`result-wrong`" }).Meaning).toContain("a wrong result");
    const work = tableRows(report, "Warm, the work alone");
    const rust = { Operation: "`vector`", "Memory MB": "128", Variant: "Rust" };
    expect(rowWith(work, rust)["Work ms"]).toBe("–");
  });
});
