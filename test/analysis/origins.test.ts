import { describe, expect, it } from "vitest";
import { collectSamples } from "../../lib/analysis/collect-samples.ts";
import { differingConditions } from "../../lib/analysis/compare-runs.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { mixedOrigins } from "../../lib/report/section/origins.ts";
import {
  type FixtureChoice,
  fixtureInputs,
  fixtureManifest,
  fixturePlan,
  fixtureSamples,
  streamed,
} from "../report/support/fixture.ts";
import { checkedHtml } from "../report/support/html-check.ts";
import { htmlWithoutPictures } from "../report/support/html-without-pictures.ts";
import { tableRows } from "../report/support/markdown-tables.ts";

const choice: FixtureChoice = {
  ...{ target: "aws", memoryMb: [128], variants: ["rust", "python"], replica: false },
  ...{ cold: 10, warm: 40, operations: ["get"] },
};
const plan = fixturePlan(choice);
/** By cell and block: not every environment goes on to warm calls. */
const trialOf = ({ cell, block }: Sample) => `${cell.id} ${block}`;
const lastOf = new Map([...fixtureSamples(plan)].map((each) => [trialOf(each), each.sequence]));
const arn = (digit: string) => `arn:aws:lambda:us-east-1::runtime:${digit.repeat(64)}`;
const [amd, intel] = ["AMD EPYC", "Intel(R) Xeon(R) Processor @ 2.50GHz"];

interface Told {
  readonly runtimeVersionArn?: string;
  readonly sdkVersion?: string;
  readonly cpuModel?: string;
}

/** The fixture's samples, with what each environment tells, by its block and variant. */
function samplesTold(of: (block: number, variant: string) => Told): readonly Sample[] {
  return [...fixtureSamples(plan)].map((sample) => {
    const { runtimeVersionArn, sdkVersion, cpuModel } = of(sample.block, sample.cell.variant);
    const isCold = sample.phase === "cold";
    const forcedCold = { throttledCalls: 0, waitedMs: 0 };
    return {
      ...sample,
      ...(isCold && {
        forcedCold: { ...forcedCold, ...(runtimeVersionArn && { runtimeVersionArn }) },
        result: { ...(sample.result as object), ...(sdkVersion && { sdkVersion }) },
      }),
      ...(sample.sequence === lastOf.get(trialOf(sample)) &&
        cpuModel !== undefined && { cpuModel }),
    };
  });
}

const alike = (_: number, variant: string): Told => ({
  runtimeVersionArn: arn(variant === "python" ? "a" : "b"),
  sdkVersion: variant === "python" ? "botocore 1.40.4" : "aws-sdk-dynamodb 1.2.3",
  cpuModel: amd,
});
const mixed = (block: number, variant: string): Told => ({
  ...alike(block, variant),
  ...(variant === "python" && block >= 7 && { runtimeVersionArn: arn("c") }),
  ...(block % 5 < 2 && { cpuModel: intel }),
});

async function reportOf(samples: readonly Sample[], split?: "cpu") {
  const inputs = fixtureInputs(choice, { samples });
  const report = await renderReport({ ...inputs, ...(split && { split }) });
  const { files } = report;
  checkedHtml(htmlWithoutPictures(report));
  const markdown = files["report-full.md"] as string;
  const conditions = new Map(
    tableRows(markdown, "What was run").map((row) => [row.Condition, row["This run"]]),
  );
  return { files, markdown, conditions, summary: JSON.parse(files["summary.json"] as string) };
}

describe("where a run's numbers come from", () => {
  it("stands in the conditions, and the whole ARN in summary.json", async () => {
    const { conditions, markdown, summary, files } = await reportOf(samplesTold(alike));
    checkedHtml(files["report.html"] as string);
    expect(Object.fromEntries(conditions)).toMatchObject({
      "Runtime version of python3.13 (arm64)": "aaaaaaaaaaaa",
      "Runtime version of provided.al2023 (arm64)": "bbbbbbbbbbbb",
      "SDK version of python (arm64)": "botocore 1.40.4",
      "SDK version of rust (arm64)": "aws-sdk-dynamodb 1.2.3",
      "CPU model (arm64)": amd,
    });
    expect(markdown).not.toContain("This run saw");
    expect(summary.origins).toContainEqual({
      ...{ kind: "runtime-version", subject: "python3.13", architecture: "arm64" },
      ...{ value: arn("a"), environments: 10 },
    });
  });

  it("is absent where nothing tells it", async () => {
    const { conditions, summary } = await reportOf(samplesTold(() => ({})));
    expect([...conditions.keys()].join()).not.toMatch(/Runtime version|SDK of|CPU model/);
    expect(summary.origins).toEqual([]);
  });

  it("is told with its shares where a run saw two of one kind, and why", async () => {
    const { conditions, markdown } = await reportOf(samplesTold(mixed));
    const versions = "aaaaaaaaaaaa (70%); cccccccccccc (30%)";
    expect(conditions.get("Runtime version of python3.13 (arm64)")).toBe(versions);
    expect(conditions.get("Runtime version of provided.al2023 (arm64)")).toBe("bbbbbbbbbbbb");
    expect(markdown).toContain(
      `This run saw 2 runtime versions of python3.13 (arm64): ${versions}.`,
    );
    expect(markdown).toContain(`This run saw 2 CPU models (arm64): ${amd} (60%)`);
    expect(markdown).toContain("kelvin report --split cpu");
    expect(markdown).toContain("A ratio compares environments of the same CPU model.");
  });

  it("is warned of where copies of a user's functions do not say their CPU models", () => {
    const textOf = (origins: Summary["origins"], ownResults?: true) =>
      JSON.stringify(
        mixedOrigins({
          plan: { ...plan, ...(ownResults && { ownResults }) },
          origins,
        }),
      );
    const known = [
      { kind: "cpu-model", architecture: "arm64", value: amd, environments: 1 },
    ] as const;
    expect(plan.target).toBe("aws");
    expect(textOf([], true)).toContain("The CPU models of these environments are not known");
    expect(textOf([])).not.toContain("not known");
    expect(textOf(known, true)).not.toContain("not known");
  });

  it("compares within CPU models, and counts them with each comparison", async () => {
    const { summary } = await reportOf(samplesTold(mixed));
    const { variants } = summary.comparisons as { variants: readonly { cpuModels?: number }[] };
    expect(variants.length).toBeGreaterThan(0);
    for (const { cpuModels } of variants) expect(cpuModels).toBe(2);
    const { summary: one } = await reportOf(samplesTold(alike));
    for (const each of one.comparisons.variants) expect(each).not.toHaveProperty("cpuModels");
  });

  it("is not counted of a cold call that a used environment answered", async () => {
    const samples = samplesTold(mixed).map((sample) =>
      sample.block >= 7 && sample.phase === "cold"
        ? { ...sample, rejected: { reason: "boot-id-reused" as const } }
        : sample,
    );
    const { conditions } = await reportOf(samples);
    expect(conditions.get("Runtime version of python3.13 (arm64)")).toBe("aaaaaaaaaaaa");
  });
});

describe("a report that is split by CPU model", () => {
  it("states each series by the model of its environments, those that say none too", async () => {
    const told = (block: number, variant: string) => (block === 0 ? {} : mixed(block, variant));
    const { markdown, summary } = await reportOf(samplesTold(told), "cpu");
    const rows = tableRows(markdown, "Mean [95% CI] over the environments of one CPU");
    const cold = rows.filter((row) => row.Variant === "Python (boto3)" && row.Phase === "cold");
    expect(cold.map((row) => [row["CPU model"], row.n])).toEqual([
      [amd, "6"],
      [intel, "3"],
      ["–", "1"],
    ]);
    expect(cold[0]?.["Init ms"]).toMatch(/^\d+ \[\d+, \d+\]$/);
    expect(cold[0]?.["Duration ms"]).toMatch(/^\d+ \[\d+, \d+\]$/);
    expect(new Set(rows.map(({ Phase }) => Phase))).toEqual(new Set(["cold", "second", "warm"]));
    // What is stated of all together stays as it was.
    const { summary: whole } = await reportOf(samplesTold(told));
    expect(summary.series).toEqual(whole.series);
    expect(whole).not.toHaveProperty("byCpuModel");
  });

  it("says so where no environment tells its CPU", async () => {
    const { markdown } = await reportOf(
      samplesTold(() => ({})),
      "cpu",
    );
    expect(markdown).toContain("No environment of this run recorded its CPU");
  });
});

describe("two runs", () => {
  async function runTold(of: (block: number, variant: string) => Told) {
    const samples = await collectSamples(
      plan,
      streamed(samplesTold(of)),
      { add: () => {} },
      () => ({}),
    );
    return { plan, manifest: fixtureManifest(plan), samples };
  }

  it("of other runtime versions, SDKs and CPU models are told to differ in these", async () => {
    const newer = (block: number, variant: string) => ({
      ...mixed(block, variant),
      ...(variant === "python" && { sdkVersion: "botocore 1.41.0" }),
    });
    const [before, same, after] = [
      await runTold(alike),
      await runTold(alike),
      await runTold(newer),
    ];
    expect(differingConditions(before, same)).toEqual([]);
    expect(differingConditions(before, after)).toEqual([
      { what: "CPU model (arm64)", before: amd, after: `${amd} (60%); ${intel} (40%)` },
      {
        what: "runtime version of python3.13 (arm64)",
        before: "aaaaaaaaaaaa",
        after: "aaaaaaaaaaaa (70%); cccccccccccc (30%)",
      },
      {
        what: "SDK version of python (arm64)",
        before: "botocore 1.40.4",
        after: "botocore 1.41.0",
      },
    ]);
  });

  it("of which one does not say it differ in that", async () => {
    const [before, after] = [await runTold(() => ({})), await runTold(alike)];
    const found = differingConditions(before, after);
    expect(found).toContainEqual({ what: "CPU model (arm64)", after: amd });
  });
});
