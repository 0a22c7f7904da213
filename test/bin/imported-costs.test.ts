import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ImportOptions, importRun } from "../../bin/commands/import.ts";
import { report } from "../../bin/commands/report.ts";
import { lambdaPrice, publishedPrices } from "../../lib/cost/prices.ts";
import { goldenPath } from "../import/sources.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { formatReport } from "../support/report-line.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const folder = folderPerTest();
const output = capturedOutput();

const region = "eu-west-1";
const hello: ImportOptions = { variant: "hello", architecture: "arm64", region };
const said = () => output.stdout.replaceAll("\n", " ");

interface Call {
  readonly billedDurationMs: number;
  readonly isCold: boolean;
}

/** Calls of which every `each`-th one is cold; none if it is 0. */
function makeCalls(n: number, each: number): readonly Call[] {
  return Array.from({ length: n }, (_, index) => {
    const isCold = each > 0 && index % each === 0;
    return { billedDurationMs: 10 + (index % 7) + (isCold ? 200 : 0), isCold };
  });
}

async function importCalls(calls: readonly Call[], line?: string): Promise<string> {
  const lines = calls.map(({ billedDurationMs, isCold }, index) =>
    formatReport(`call-${index}`, {
      ...{ durationMs: billedDurationMs - (isCold ? 200.5 : 0.5), billedDurationMs },
      ...{ memorySizeMb: 1024, maxMemoryUsedMb: 30 },
      ...(isCold && { initDurationMs: 200 }),
    }),
  );
  return await importLines([...lines, ...(line === undefined ? [] : [line])]);
}

async function importLines(lines: readonly string[], options = hello): Promise<string> {
  const path = folder("name.log");
  writeFileSync(path, lines.join("\n"));
  const out = folder("run");
  await importRun([path], { ...options, out });
  return out;
}

function usdPerMillionOf(run: string): number | undefined {
  const summary = JSON.parse(readFileSync(join(run, "summary.json"), "utf8"));
  return summary.recommendation.variants[0].sizes[0].usdPerMillion;
}

/** What Lambda would charge for just these calls, per million. */
function billOf(calls: readonly Call[]): number {
  const price = lambdaPrice(publishedPrices, region, "arm64");
  if (price.kind === "price-absent") throw new Error("no price");
  const usd = calls.map(
    ({ billedDurationMs }) => price.requestUsd + (billedDurationMs / 1000) * price.gbSecondUsd,
  );
  return (1e6 * usd.reduce((sum, each) => sum + each, 0)) / calls.length;
}

describe("the cost of an imported log", () => {
  it("is the bill of its own calls, and names their share of cold starts", async () => {
    const calls = makeCalls(60, 5);
    const run = await importCalls(calls);
    expect(usdPerMillionOf(run)).toBeCloseTo(billOf(calls), 9);
    expect(said()).toMatch(
      /Take hello at 1,024 MB: .* at the log's 20% cold starts \(12 of 60 calls\)/,
    );
  });

  it("is known of a log without a cold start", async () => {
    const calls = makeCalls(40, 0);
    const run = await importCalls(calls);
    expect(usdPerMillionOf(run)).toBeCloseTo(billOf(calls), 9);
    expect(said()).toMatch(
      /Take hello at 1,024 MB: .* at the log's 0% cold starts \(0 of 40 calls\)/,
    );
  });

  it("is stated for another share if the command names one", async () => {
    const run = await importCalls(makeCalls(60, 5));
    await report(run, { coldShare: 0.05 });
    expect(said()).toMatch(/Take hello at 1,024 MB: .* at 5% cold/);
  });

  it("assumes a share for rows of Logs Insights, which may be a selection", async () => {
    const run = folder("rows");
    await importRun([goldenPath("insights.csv")], { ...hello, out: run });
    expect(JSON.parse(readFileSync(join(run, "manifest.json"), "utf8")).imported).toMatchObject({
      sources: [{ format: "insights" }],
    });
    expect(said()).not.toContain("the log's");
  });

  it.each([
    ["a report cannot be read", "REPORT RequestId: call-x\tBilled Duration: 3 ms\t"],
    [
      "a local emulator printed a report",
      "REPORT RequestId: call-x\tInit Duration: 0.10 ms\tDuration: 5.00 ms\tBilled Duration: 6 ms\tMemory Size: 1024 MB\tMax Memory Used: 1024 MB\t",
    ],
  ])("assumes a share where %s", async (_, line) => {
    await importCalls(makeCalls(60, 5), line);
    expect(said()).toMatch(/Take hello at 1,024 MB: .* at 1% cold/);
  });

  it.each([
    ["python3.13", true],
    ["java21", false],
  ])("says what it lacks where snapshots of %s were restored: %s", async (runtime, isCharged) => {
    const lines = makeCalls(2, 0).map(({ billedDurationMs }, index) => {
      const report = formatReport(`call-${index}`, {
        ...{ durationMs: billedDurationMs - 5.5, billedDurationMs },
        ...{ memorySizeMb: 1024, maxMemoryUsedMb: 30 },
      });
      return `${report}Restore Duration: 300.00 ms\tBilled Restore Duration: 5 ms\t`;
    });
    await importLines(lines, { ...hello, runtime });
    expect(said().includes("Costs are without SnapStart's own charges.")).toBe(isCharged);
  });

  it("says of how many cold starts Init was not billed", async () => {
    const lines = makeCalls(60, 5).map(({ isCold }, index) =>
      formatReport(`call-${index}`, {
        ...{ durationMs: 9.5, billedDurationMs: 10, memorySizeMb: 1024, maxMemoryUsedMb: 30 },
        ...(isCold && { initDurationMs: 200 }),
      }),
    );
    const run = await importLines(lines);
    const page = readFileSync(join(run, "report-full.md"), "utf8");
    expect(page).toContain("is in Billed Duration. In 12 cold starts it was not, as before");
  });
});
