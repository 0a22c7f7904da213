import { expect, test } from "vitest";
import { ratioOfFigures } from "../../lib/analysis/billed-cost.ts";
import { ratioOfSeries } from "../../lib/analysis/comparisons.ts";
import type { ReportView } from "../../lib/analysis/report-view.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { makeSeries, type Series } from "../../lib/statistics/series.ts";
import { fixtureInputs, fixturePlan, fixtureSamples } from "./support/fixture.ts";
import { rowWith, tableRows } from "./support/markdown-tables.ts";

const choice = { target: "local", memoryMb: [128], warm: 200, cold: 12 } as const;
const all = [...fixtureSamples(fixturePlan(choice))];

/** Every duration of a cell times a factor. */
function scaled(samples: readonly Sample[], cellId: string, factor: number): Sample[] {
  return samples.map((sample) =>
    sample.cell.id === cellId
      ? {
          ...sample,
          telemetry: {
            ...sample.telemetry,
            durationMs: (sample.telemetry?.durationMs as number) * factor,
          },
        }
      : sample,
  );
}

/** The baseline's samples under another cell's name: nothing differs. */
function copied(samples: readonly Sample[], from: string, to: string): Sample[] {
  const target = fixturePlan(choice).cells.find((cell) => cell.id === to);
  return samples.flatMap((sample) => {
    if (sample.cell.id === to) return [];
    return sample.cell.id === from && target !== undefined
      ? [sample, { ...sample, cell: target }]
      : [sample];
  });
}

async function markdownOf(samples: readonly Sample[]): Promise<string> {
  return (await renderReport(fixtureInputs(choice, { samples }))).files["report.md"] as string;
}

const warmOf = (markdown: string, variant: string) =>
  rowWith(tableRows(markdown, "Warm Duration: median ["), {
    Operation: "`query`",
    Variant: variant,
  });

const compareOf = async (samples: readonly Sample[]) => {
  const { files } = await renderReport(fixtureInputs(choice, { samples }));
  const { comparisons } = JSON.parse(files["summary.json"] as string) as ReportView;
  const python = comparisons.variants.filter(({ cell }) => cell.variant === "python");
  return { markdown: files["report.md"] as string, python };
};

const leftOutText = "Only blocks that both sides have are compared";

test("where one side stops half-way, what the other measured later is in no ratio and no test", async () => {
  const stopped = all.filter(({ cell, block }) => cell.variant !== "python" || block < 7);
  const until = all.filter(({ block }) => block < 7);
  const { markdown, python } = await compareOf(stopped);
  const leftOut = { environments: 0, baselineEnvironments: 5 };
  const alike = (await compareOf(until)).python;
  const compared = (each: (typeof python)[number]) => [
    each.ratio,
    each.low,
    each.high,
    each.pValue,
    each.environments,
    each.baselineEnvironments,
  ];
  expect(python.map(compared)).toEqual(alike.map(compared));
  const cold = python.find(({ phase, quantity }) => phase === "cold" && quantity === "durationMs");
  expect(cold).toMatchObject({ environments: 7, baselineEnvironments: 7, leftOut });
  expect(markdown).toMatch(
    /Only blocks that both sides have are compared: in \d+ of \d+ comparisons up to 5 environments/,
  );
});

test("a rejected environment's block is not compared for its pair, and counts for the others", async () => {
  const spoilt = all.map(
    (sample): Sample =>
      sample.cell.id === "python-arm64-128" && sample.block === 3 && sample.phase === "second"
        ? { ...sample, rejected: { reason: "boot-id-changed" } }
        : sample,
  );
  const { markdown, python } = await compareOf(spoilt);
  const second = python.filter(({ phase }) => phase === "second");
  expect(second.length).toBeGreaterThan(0);
  for (const each of second) {
    expect(each).toMatchObject({
      environments: 11,
      baselineEnvironments: 11,
      leftOut: { environments: 0, baselineEnvironments: 1 },
    });
  }
  expect(python.filter(({ phase, leftOut }) => phase !== "second" && leftOut)).toEqual([]);
  expect(markdown).toContain(leftOutText);
});

test("where nothing is left out, nothing is said of it", async () => {
  const { markdown, python } = await compareOf(all);
  expect(python.filter(({ leftOut }) => leftOut !== undefined)).toEqual([]);
  expect(markdown).not.toContain(leftOutText);
});

test("an import has no blocks: all that it has is compared", async () => {
  const places = new Map(all.map((sample, index) => [sample, index]));
  const apart = all.map((sample) => ({ ...sample, block: places.get(sample) ?? 0 }));
  const [above, below] = ["python", "rust"].map((variant) =>
    makeSeries(
      apart.filter(({ cell, phase }) => cell.id === `${variant}-arm64-128` && phase === "cold"),
      ({ telemetry }) => telemetry?.durationMs,
    ),
  ) as [Series, Series];
  const imported = ratioOfSeries(above, below, { seed: 1, target: "imported" });
  expect(imported).toMatchObject({ environments: 12, baselineEnvironments: 12 });
  expect(imported.ratio.kind).toBe("ratio");
  expect(imported).not.toHaveProperty("leftOut");
  const measured = ratioOfSeries(above, below, { seed: 1, target: "local" });
  expect(measured).toMatchObject({
    environments: 0,
    leftOut: { environments: 12, baselineEnvironments: 12 },
  });
});

test("what an import costs is of all that it has too", () => {
  const mean = ([value = 0]: readonly number[]) => value;
  const figure = (...values: readonly number[]) => ({
    series: [{ units: values.map((value, block) => ({ block, values: [value] })) }],
    of: mean,
  });
  const six = [10, 11, 12, 13, 14, 15];
  const compared = (target: "imported" | "local") =>
    ratioOfFigures(figure(...six, 90, 90), figure(...six), { seed: 1, target }).ratio;
  expect(compared("imported")).toMatchObject({ ratio: 255 / 8 / 12.5, numeratorN: 8 });
  expect(compared("local")).toMatchObject({ ratio: 1, numeratorN: 6 });
});

test("a variant that measures the same is equivalent, and its ratio is 1", async () => {
  const same = copied(all, "rust-arm64-128", "rust-tuned-arm64-128");
  expect(warmOf(await markdownOf(same), "Rust (tuned build)")).toMatchObject({
    Ratio: "1.00 [1.00, 1.00]",
    Verdict: expect.stringMatching(/^equivalent|^undecided/),
  });
});

test("a difference inside the A/A pair's own is undecided, whatever its interval says", async () => {
  const same = copied(all, "rust-arm64-128", "rust-tuned-arm64-128");
  const shifted = scaled(same, "rust-tuned-arm64-128", 1.2);
  const quiet = copied(shifted, "rust-arm64-128", "rust-arm64-128-twin");
  expect(warmOf(await markdownOf(quiet), "Rust (tuned build)").Verdict).toBe("slower");
  const noisy = scaled(quiet, "rust-arm64-128-twin", 1.5);
  expect(warmOf(await markdownOf(noisy), "Rust (tuned build)").Verdict).toBe(
    "undecided (inside the noise floor)",
  );
  expect(tableRows(await markdownOf(noisy), "A/A pair:").map((row) => row.Floor)).toContain(
    "± 50.0 %",
  );
});

test("the A/A pair of one memory size decides nothing at another", async () => {
  const two = { ...choice, memoryMb: [128, 512] };
  const samples = [...fixtureSamples(fixturePlan(two))];
  const noisy = scaled(samples, "rust-arm64-128-twin", 1000);
  const markdown = (await renderReport(fixtureInputs(two, { samples: noisy }))).files["report.md"];
  const rows = tableRows(markdown as string, "Warm Duration: median [");
  const verdictAt = (memory: string) =>
    rowWith(rows, { "Memory MB": memory, Operation: "`query`", Variant: "Python (boto3)" }).Verdict;
  expect(verdictAt("128")).toBe("undecided (inside the noise floor)");
  expect(verdictAt("512")).toBe("slower");
});

test("the replica's samples are in no variant's figures", async () => {
  const markdown = await markdownOf(all);
  const other = await markdownOf(scaled(all, "rust-arm64-128-twin", 1000));
  const before = warmOf(markdown, "Rust (default build)");
  expect(warmOf(other, "Rust (default build)")).toEqual(before);
});

test("the answer counts verdicts and names where the ratios were found", async () => {
  const markdown = await markdownOf(all);
  expect(markdown).toMatch(/\*\*Warm, Duration:\*\* slower in all 4 comparisons; [\d.]+ \[/);
  expect(markdown).toContain("128 MB) times as long.");
});

test("an answer without intervals claims nothing", async () => {
  const few = await markdownOf(all.filter((sample) => sample.block < 3));
  expect(few).toContain("undecided in all 4 comparisons; no ratio has an interval.");
  expect(few).not.toContain("With memory:");
});

const verdictsOf = (markdown: string) =>
  new Set(
    tableRows(markdown, "Warm Duration: median [")
      .filter(({ Variant }) => Variant === "Python (boto3)")
      .map(({ Verdict }) => Verdict),
  );

test("a difference that chance may make in so many comparisons is undecided, and counted as such", async () => {
  const many = { target: "local", memoryMb: [128, 512, 1769], cold: 6, warm: 60 } as const;
  const report = await renderReport(fixtureInputs(many));
  const markdown = report.files["report.md"] as string;
  const summary = JSON.parse(report.files["summary.json"] as string) as ReportView;
  const { variants } = summary.comparisons;
  expect(variants.filter(({ verdict }) => verdict === "slower" || verdict === "faster")).toEqual(
    [],
  );
  const undone = variants.filter(({ undecidedReason }) => undecidedReason === "one-of-many");
  expect(undone.length).toBeGreaterThan(30);
  for (const { adjustedPValue } of undone) expect(adjustedPValue).toBeGreaterThanOrEqual(0.05);
  expect(verdictsOf(markdown)).toEqual(new Set(["undecided (one of many)"]));
  expect(markdown).toContain(
    "**Warm, Duration:** undecided (12 by the correction for their number) in all 12 comparisons",
  );
  expect(markdown).toContain(
    `${undone.length} verdicts of faster or slower are undecided for their number alone: over ${variants.length} comparisons it takes 7 environments a side`,
  );
  expect(markdown).toContain(`"undecided (one of many)", here ${undone.length}.`);
});

test("the same difference with the environments that it takes is called, without a remark", async () => {
  const enough = { target: "local", memoryMb: [128, 512, 1769], cold: 8, warm: 80 } as const;
  const markdown = (await renderReport(fixtureInputs(enough))).files["report.md"] as string;
  expect(verdictsOf(markdown)).toEqual(new Set(["slower"]));
  expect(markdown).not.toContain("for their number alone");
});
