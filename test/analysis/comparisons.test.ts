import { expect, test } from "vitest";
import { ratioOfFigures } from "../../lib/analysis/billed-cost.ts";
import { ratioOfSeries } from "../../lib/analysis/series-ratio.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import { SeededRandom } from "../../lib/contract/seeded-order.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { makeSeries, type Series } from "../../lib/statistics/series.ts";
import { fixtureInputs, fixturePlan, fixtureSamples } from "../report/support/fixture.ts";
import { rowWith, tableRows } from "../report/support/markdown-tables.ts";

const fourOperations = { target: "local", memoryMb: [128], warm: 200, cold: 12 } as const;
const choice = { ...fourOperations, operations: ["query"] } as const;
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
  return (await renderReport(fixtureInputs(choice, { samples }))).files["report-full.md"] as string;
}

const warmOf = (markdown: string, variant: string) =>
  rowWith(tableRows(markdown, "Warm Duration: mean ["), {
    Operation: "`query`",
    Variant: variant,
  });

const compareOf = async (samples: readonly Sample[]) => {
  const { files } = await renderReport(fixtureInputs(choice, { samples }));
  const { comparisons } = JSON.parse(files["summary.json"] as string) as Summary;
  const python = comparisons.variants.filter(({ cell }) => cell.variant === "python");
  return { markdown: files["report-full.md"] as string, python };
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
    /Only blocks that both sides have are compared. In \d+ of \d+ comparisons up to 5 environments/,
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
    compute: mean,
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
    Verdict: "the same",
  });
});

const deployed = { ...choice, target: "aws" } as const;

async function deployedMarkdown(samples: readonly Sample[]): Promise<string> {
  return (await renderReport(fixtureInputs(deployed, { samples }))).files[
    "report-full.md"
  ] as string;
}

/** A variant that takes 1.2 times as long as the baseline, whose replica takes as long as itself. */
function quietOf(from: readonly Sample[]): Sample[] {
  const same = copied(from, "rust-arm64-128", "rust-tuned-arm64-128");
  const shifted = scaled(same, "rust-tuned-arm64-128", 1.2);
  return copied(shifted, "rust-arm64-128", "rust-arm64-128-replica");
}

test("a difference inside that of two deployments is within A/A noise, whatever its interval says", async () => {
  const quiet = quietOf([...fixtureSamples(fixturePlan(deployed))]);
  expect(warmOf(await deployedMarkdown(quiet), "Rust (tuned build)").Verdict).toBe("slower");
  const noisy = await deployedMarkdown(scaled(quiet, "rust-arm64-128-replica", 1.5));
  expect(warmOf(noisy, "Rust (tuned build)").Verdict).toBe("within A/A noise");
  expect(tableRows(noisy, "A/A pair:").map((row) => row.Floor)).toContain("0.667 to 1.500");
});

test("an A/A pair of one machine, the same files twice, hides no difference and is no floor", async () => {
  const noisy = await markdownOf(scaled(quietOf(all), "rust-arm64-128-replica", 1.5));
  expect(warmOf(noisy, "Rust (tuned build)").Verdict).toBe("slower");
  expect(new Set(tableRows(noisy, "A/A pair:").map((row) => row.Floor))).toEqual(new Set(["–"]));
  expect(noisy).toContain("no verdict rests on the pair");
});

test("the A/A pair of one memory size decides nothing at another", async () => {
  const two = { ...deployed, memoryMb: [128, 512] };
  const samples = [...fixtureSamples(fixturePlan(two))];
  const noisy = scaled(samples, "rust-arm64-128-replica", 1000);
  const markdown = (await renderReport(fixtureInputs(two, { samples: noisy }))).files[
    "report-full.md"
  ];
  const rows = tableRows(markdown as string, "Warm Duration: mean [");
  const verdictAt = (memory: string) =>
    rowWith(rows, { "Memory MB": memory, Operation: "`query`", Variant: "Python (boto3)" }).Verdict;
  expect(verdictAt("128")).toBe("within A/A noise");
  expect(verdictAt("512")).toBe("slower");
});

test("the replica's samples are in no variant's figures", async () => {
  const markdown = await markdownOf(all);
  const other = await markdownOf(scaled(all, "rust-arm64-128-replica", 1000));
  const before = warmOf(markdown, "Rust (default build)");
  expect(warmOf(other, "Rust (default build)")).toEqual(before);
});

test("the answer says each variant's multiples in words, and how sure they are", async () => {
  const { files } = await renderReport(fixtureInputs(fourOperations));
  const markdown = files["report-full.md"] as string;
  expect(markdown).toMatch(
    /\n- Rust \(tuned build\) is faster than Rust on a cold start: [\d.]+× \[[\d.]+, [\d.]+\] at 128 MB\.\n/,
  );
  expect(markdown).toMatch(
    /\n- Python is slower than Rust on a warm call: [\d.]+× \[[\d.]+, [\d.]+\] for \S+ at 128 MB \(slower in all 4 comparisons\)\.\n/,
  );
  expect(markdown).toMatch(
    /\*\*How sure:\*\* n = 180 warm calls in 9 environments each, cold starts in 12 environments, simulated/,
  );
});

test("an answer without intervals claims nothing", async () => {
  const few = await markdownOf(all.filter((sample) => sample.block < 3));
  for (const subject of ["Rust (tuned build)", "Python"]) {
    const open = `\n- Cannot tell ${subject} from Rust`;
    expect(few).toContain(`${open} on a cold start: too few environments, 3 of 6.\n`);
    expect(few).toContain(`${open} on a warm call: too few environments, 2 of 6.\n`);
  }
  const [said = ""] = few.split("**How sure:**");
  expect(said).not.toMatch(/\d×|is (?:faster|slower)/);
  expect(few).not.toContain("With memory:");
});

const verdictsOf = (markdown: string) =>
  new Set(
    tableRows(markdown, "Warm Duration: mean [")
      .filter(({ Variant }) => Variant === "Python (boto3)")
      .map(({ Verdict }) => Verdict),
  );

/** Every cell of a block as long as the baseline's, but for a factor of a variant's own and for chance. */
function alike(factor: number, spread: number, samples: readonly Sample[]): Sample[] {
  const random = new SeededRandom(5);
  const chances = new Map<string, number>();
  return samples.map((sample) => {
    const key = `${sample.cell.id} ${sample.block} ${sample.phase} ${sample.operation}`;
    const chance = chances.get(key) ?? Math.exp(spread * (random.below(2001) / 1000 - 1));
    chances.set(key, chance);
    const ms = 100 * chance * (sample.cell.variant === "rust" ? 1 : factor);
    const initDurationMs = sample.phase === "cold" ? { initDurationMs: ms } : {};
    const telemetry = { ...sample.telemetry, ...initDurationMs, durationMs: ms };
    return { ...sample, telemetry: { ...telemetry, billedDurationMs: Math.ceil(ms) } };
  });
}

const threeSizes = { target: "local", memoryMb: [128, 512, 1769], cold: 8, warm: 80 } as const;

test("a difference that chance may make in so many comparisons is not significant, and counted as such", async () => {
  const samples = alike(1.25, 0.25, [...fixtureSamples(fixturePlan(threeSizes))]);
  const report = await renderReport(fixtureInputs(threeSizes, { samples }));
  const markdown = report.files["report-full.md"] as string;
  const summary = JSON.parse(report.files["summary.json"] as string) as Summary;
  const { variants } = summary.comparisons;
  const undone = variants.filter(({ undecidedReason }) => undecidedReason === "one-of-many");
  expect(undone.length).toBeGreaterThan(0);
  for (const { adjustedPValue } of undone) expect(adjustedPValue).toBeGreaterThanOrEqual(0.05);
  for (const { verdict, adjustedPValue } of variants) {
    if (verdict === "slower" || verdict === "faster") expect(adjustedPValue).toBeLessThan(0.05);
  }
  expect(markdown).toContain(`"not significant after correction", here ${undone.length}.`);
});

test("what a report is read for is corrected among itself, and its parts among all", async () => {
  const report = await renderReport(fixtureInputs(threeSizes));
  const { variants } = (JSON.parse(report.files["summary.json"] as string) as Summary).comparisons;
  const quantities = (wanted: (each: (typeof variants)[number]) => boolean) =>
    new Set(variants.filter(wanted).map(({ phase, quantity }) => `${phase} ${quantity}`));
  expect(quantities(({ descriptive }) => descriptive === undefined)).toEqual(
    new Set(["cold initAndDurationMs", "second durationMs", "warm durationMs"]),
  );
  expect(quantities(({ descriptive }) => descriptive === true)).toEqual(
    new Set([
      "cold initDurationMs",
      "cold durationMs",
      "cold billedDurationMs",
      "second sdkCallMs",
      "warm sdkCallMs",
    ]),
  );
  expect(report.files["report-full.md"]).toContain("Among 84 comparisons with the baseline");
  expect(report.files["report-full.md"]).toContain("The 36 primary comparisons (");
});

test("of an import the correction is for the number alone, and says how many environments that takes", async () => {
  const few = { ...threeSizes, target: "imported", cold: 6, warm: 60 } as const;
  const report = await renderReport(fixtureInputs(few));
  const { variants } = (JSON.parse(report.files["summary.json"] as string) as Summary).comparisons;
  const undone = variants.filter(({ undecidedReason }) => undecidedReason === "one-of-many");
  expect(undone.length).toBeGreaterThan(20);
  expect(verdictsOf(report.files["report-full.md"] as string)).toEqual(
    new Set(["not significant after correction"]),
  );
  expect(report.files["report-full.md"]).toContain(
    `${undone.length} verdicts of faster or slower are undecided only because of the number of comparisons: with`,
  );
});

test("a large difference is called with the fewest environments of an interval, without a remark", async () => {
  const enough = { ...threeSizes, cold: 6, warm: 60 } as const;
  const markdown = (await renderReport(fixtureInputs(enough))).files["report-full.md"] as string;
  expect(verdictsOf(markdown)).toEqual(new Set(["slower"]));
  expect(markdown).not.toContain("for their number alone");
});

test("a difference of less than the CPU quota's period, in times that count it, has no verdict", async () => {
  const durationsMs = (block: number): Readonly<Record<string, number>> => ({
    rust: block % 3 === 0 ? 80 : 60,
    "rust-tuned": 50 + 0.3 * block,
    python: block % 3 === 0 ? 140 : 120,
  });
  const samples = all.map((sample) => {
    const durationMs = durationsMs(sample.block)[sample.cell.variant];
    const isQuery = sample.phase === "warm" && sample.operation === "query";
    return isQuery ? { ...sample, telemetry: { ...sample.telemetry, durationMs } } : sample;
  }) as readonly Sample[];
  const markdown = await markdownOf(samples);
  expect(warmOf(markdown, "Rust (tuned build)").Verdict).toBe("within one CPU period");
  expect(warmOf(markdown, "Python (boto3)").Verdict).toBe("slower");
  expect(markdown).toContain(
    "a smaller difference cannot be resolved, and no verdict rests on one",
  );
});
