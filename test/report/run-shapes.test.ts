import { expect, test } from "vitest";
import { validated } from "../../lib/contract/validate.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import {
  type FixtureChoice,
  fixtureInputs,
  fixtureManifest,
  fixturePlan,
  fixtureSamples,
  type Replaced,
} from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";
import { checkedHtml } from "./support/html-check.ts";
import { htmlWithoutPictures } from "./support/html-without-pictures.ts";
import { tableRows } from "./support/markdown-tables.ts";

/** Where warm operations are not told apart, one is as good as four. */
const get = { operations: ["get"] } as const;
const onAws: FixtureChoice = { target: "aws", memoryMb: [128], ...get };
const here: FixtureChoice = { ...onAws, target: "local" };
const twoOperations = { operations: ["get", "query"] } as const;

/** Of a shape that its charts show: they are drawn as well. */
async function drawnReportOf(choice: FixtureChoice) {
  const report = await fixtureReport(choice);
  checkedHtml(report.files["report.html"] as string);
  return report;
}

/** Of a shape that changes what is said, and no chart. */
async function reportOf(choice: FixtureChoice, replaced: Replaced = {}) {
  const report = await fixtureReport(choice, replaced);
  checkedHtml(htmlWithoutPictures(report));
  return report;
}

test("one memory size: nothing is said of a change with memory", async () => {
  const { markdown } = await drawnReportOf({ memoryMb: [512], ...get });
  expect(markdown).toContain("Only one size was run");
  expect(markdown).not.toContain("With memory:");
});

test("no warm calls: the warm tables are absent and the rest stands", async () => {
  const { markdown, headline, screen } = await drawnReportOf({ memoryMb: [128], warm: 0 });
  expect(markdown).toContain("No warm calls were planned in this run.");
  expect(markdown).not.toMatch(/^Warm Duration/m);
  expect(tableRows(markdown, "Cold start: mean")).toHaveLength(3);
  expect(headline).toContain("No size is recommended: no warm call was measured.");
  expect(headline).toMatch(/^Rust +[\d.,]+$/m);
  expect(screen).toMatch(/How sure: n = \d+ cold starts each \(no warm calls were planned\), /);
});

test("one warm call in one environment: neither is counted in the plural", async () => {
  const { screen } = await drawnReportOf({ memoryMb: [128], cold: 1, warm: 1, ...get });
  expect(screen).toContain("How sure: n = 1 warm call in 1 environment each, ");
});

test("one environment a cell: means stand alone, and no ratio is claimed", async () => {
  const { markdown } = await drawnReportOf({ memoryMb: [128], cold: 1, warm: 20, ...get });
  expect(tableRows(markdown, "Cold start vs.")[0]?.["Init + first"]).toBe("insufficient (1 of 6)");
});

test("one variant: what it took at each size, and the fastest; at one size there is nothing to compare", async () => {
  const range = String.raw`[\d.,]+( to [\d.,]+)? ms`;
  const python = await drawnReportOf({
    memoryMb: [128, 512],
    variants: ["python"],
    ...twoOperations,
  });
  expect(python.markdown).toContain("Python (boto3) is fastest on a warm call at 512 MB.");
  const starts = /Its cold starts took [\d.,]+ ms at 128 MB and [\d.,]+ ms at 512 MB \(means\)/;
  expect(python.markdown).toMatch(starts);
  const calls = new RegExp(`Its warm calls took ${range} \\(means of 4 series\\)`);
  expect(python.markdown).toMatch(calls);
  const rust = await drawnReportOf({ memoryMb: [128], variants: ["rust"], warm: 0 });
  expect(rust.markdown).toContain("Only Rust (default build) was measured");
  expect(rust.markdown).not.toContain("Its warm calls");
});

test("two variants without the baseline: there is nothing to compare with", async () => {
  const { markdown } = await drawnReportOf({
    memoryMb: [128],
    variants: ["rust-tuned", "python"],
    ...get,
  });
  expect(markdown).toContain("The baseline, Rust (default build), was not run");
});

test("two architectures: a column tells them apart, and each compares with its own", async () => {
  const { markdown } = await drawnReportOf({
    memoryMb: [128, 512],
    architectures: ["arm64", "x86_64"],
    ...get,
  });
  const rows = tableRows(markdown, "Warm Duration: mean [");
  expect(new Set(rows.map((row) => row.Architecture))).toEqual(new Set(["arm64", "x86_64"]));
  expect(rows).toHaveLength(2 * 2 * 3);
});

test("a trial that was made again is an environment of its own", async () => {
  const choice: FixtureChoice = { memoryMb: [128], variants: ["rust", "python"], ...get };
  const plan = fixturePlan(choice);
  const again = [...fixtureSamples(plan)]
    .filter((sample) => sample.block === 0)
    .map((sample) => ({
      ...sample,
      attempt: 1,
      result: { ...Object(sample.result), bootId: `${Object(sample.result).bootId}-again` },
    }));
  const { markdown } = await reportOf(choice, { samples: [...fixtureSamples(plan), ...again] });
  expect(tableRows(markdown, "Cold start: mean")[0]?.n).toBe("10");
  expect(tableRows(markdown, "Every cold run").map((row) => row.Block)).toContain("0, attempt 1");
});

test("no CPU quota: said at the top, and no change with memory is claimed", async () => {
  const choice: FixtureChoice = { target: "local", memoryMb: [128, 512], ...get };
  const { machine } = fixtureManifest(fixturePlan(choice));
  const unthrottled = machine && { ...machine, cpuQuota: "unthrottled" as const };
  const { markdown, headline } = await reportOf(
    choice,
    unthrottled === undefined ? {} : { manifest: { machine: unthrottled } },
  );
  expect(headline).toContain("cpu: unthrottled");
  expect(markdown).toContain("differences between memory sizes mean nothing here");
  expect(markdown).not.toContain("With memory:");
});

test("functions that stayed on one CPU, for the kernel's slice: said among the conditions", async () => {
  const told = "in slices of 5 ms; functions of up to 1769 MB stay on one CPU after Init";
  expect((await reportOf(here)).markdown).not.toContain(told);
  const { machine } = fixtureManifest(fixturePlan(here));
  if (machine === undefined) throw new Error("a local run has a machine");
  const held = { ...machine, bandwidthSliceMs: 5, staysOnOneCpu: true };
  expect((await reportOf(here, { manifest: { machine: held } })).markdown).toContain(told);
});

test("a run whose calls were held apart says so in its method; one of before, and a local one, do not", async () => {
  const told = "Calls of one environment start at least 100 ms apart";
  expect((await reportOf(onAws)).markdown).toContain(told);
  const inputs = fixtureInputs(onAws);
  const { callSpacingMs: _, ...plan } = inputs.plan;
  const before = await renderReport({ ...inputs, plan });
  expect(before.files["report-full.md"]).not.toContain(told);
  expect((await reportOf(here)).markdown).not.toContain(told);
});

test("a run with operations that are held further apart names them in its method", async () => {
  const { markdown } = await fixtureReport(onAws, {
    plan: { operationSpacingMs: { batch_write: 238 } },
  });
  expect(markdown).toContain(
    "at least 100 ms apart (238 ms before batch_write, so that all lanes together stay within the service's limits), because",
  );
});

test("a local run says for how long its environments were idle before a call, or that they were not", async () => {
  const inputs = fixtureInputs(here);
  const told = async (idleMs: number | undefined) => {
    const { idleMs: _, ...plan } = inputs.plan;
    const report = await renderReport({
      ...inputs,
      plan: { ...plan, ...(idleMs !== undefined && { idleMs }) },
    });
    return report.files["report-full.md"];
  };
  const idle = await told(80);
  expect(idle).toContain(
    "idle for 80 to 100 ms, at random; an environment's first call follows its Init at once",
  );
  expect(idle).toContain("an environment is idle for 80 to 100 ms, at random. On Lambda, too,");
  const back = await told(undefined);
  expect(back).toContain("not idle: a call follows the one before at once");
  expect(back).not.toContain("an environment is idle for");
});

test("a run on AWS says what it cost; a local one cost nothing", async () => {
  const aws = await reportOf(onAws);
  expect(aws.markdown).toMatch(
    /Measured functions: \\\$0\.\d{6} for [\d,]+ invocations, rejected ones included/,
  );
  const local = await reportOf(here);
  expect(local.markdown).toContain("Nothing: Kelvin did not run on AWS.");
  expect(local.markdown).toContain("As if AWS had billed these durations: simulated");
  expect(aws.markdown).not.toContain("As if AWS");
});

test("without a price for the region there is no cost, and the report says which is missing", async () => {
  const prices = validated("prices", {
    date: "2026-01-31",
    sources: [{ url: "a price file", gives: "x86_64 alone" }],
    regions: { "us-east-1": { lambda: { x86_64: { gbSecondUsd: 0.0000166667 } } } },
  });
  const { markdown } = await fixtureReport(onAws, { prices });
  expect(markdown).toContain("lambda.arm64.gbSecondUsd");
  expect(tableRows(markdown, "Cost per million")[0]?.["Warm `get`"]).toBe("–");
});

test("the same inputs give the same bytes, and the order of samples is none of theirs", async () => {
  const choice: FixtureChoice = { target: "local", memoryMb: [128, 512], ...get };
  const once = await reportOf(choice);
  const twice = await reportOf(choice);
  expect(twice.files).toEqual(once.files);
  const backwards = [...fixtureSamples(fixturePlan(choice))].reverse();
  const reversed = await reportOf(choice, { samples: backwards });
  expect(reversed.markdown).toBe(once.markdown);
  expect(reversed.files["series.csv"]).toBe(once.files["series.csv"]);
});
