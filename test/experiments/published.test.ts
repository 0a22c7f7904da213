import { expect, test } from "vitest";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import type { FixtureChoice } from "../report/support/fixture.ts";
import { fixtureReport } from "../report/support/fixture-report.ts";
import { rowWith, tableRows } from "../report/support/markdown-tables.ts";

/** The operation that the source tells of. */
const aws: FixtureChoice = { target: "aws", operations: ["batch_write"] };
const { files, markdown } = await fixtureReport({ ...aws, memoryMb: [128, 256] });
const column = "Published: Init / first / billed ms / memory MB";

test("published figures stand beside the same variant and memory, and nowhere else", () => {
  const rows = tableRows(markdown, "Cold start: mean");
  const at = (memory: string, variant: string) =>
    rowWith(rows, { "Memory MB": memory, Variant: variant })[column];
  expect(at("128", "Rust (default build)")).toBe("112 / 912 / 1025 / 30");
  expect(at("128", "Python (boto3)")).toBe("357 / 291 / 648 / 90");
  expect(at("128", "Rust (tuned build)")).toBe("–");
  expect(at("256", "Rust (default build)")).toBe("–");
});

test("published warm figures and ratios stand beside Duration and SDK call", () => {
  const at = (caption: string, variant: string) =>
    rowWith(tableRows(markdown, caption), {
      Operation: "`batch_write`",
      "Memory MB": "128",
      Variant: variant,
    });
  expect(at("Warm Duration: mean [", "Python (boto3)")).toMatchObject({
    "Published ms": "40.1",
    "Published ratio": "3.10",
  });
  expect(at("Warm SDK call", "Python (boto3)")).toMatchObject({
    "Published ms": "20.3",
    "Published ratio": "3.40",
  });
  expect(at("Warm Duration: mean [", "Rust (default build)")["Published ratio"]).toBe("–");
});

test("without the source's memory size there is no published column", async () => {
  const other = (await fixtureReport({ ...aws, memoryMb: [256] })).markdown;
  expect(Object.keys(tableRows(other, "Cold start: mean")[0] ?? {})).not.toContain(column);
  expect(other).not.toContain("Published, not measured here");
});

test("on AWS another architecture than the source's has no published figure", async () => {
  const choice: FixtureChoice = { ...aws, memoryMb: [128], architectures: ["x86_64"] };
  const other = (await fixtureReport(choice)).markdown;
  expect(Object.keys(tableRows(other, "Cold start: mean")[0] ?? {})).not.toContain(column);
});

test("a local run says that published and measured times are not comparable", async () => {
  const local = (await fixtureReport({ ...aws, target: "local", memoryMb: [128] })).markdown;
  expect(local).toContain("absolute times there and here are not comparable");
  expect(local).toContain("**Simulated: measured on one machine, without AWS.**");
  expect(markdown).not.toContain("Simulated");
});

test("another experiment has no published figures of this one", async () => {
  const experiment = { ...dynamodb, id: "another" };
  const { markdown } = await fixtureReport({ ...aws, memoryMb: [128], experiment });
  expect(markdown).not.toMatch(/Published/);
});

test("published figures change no statistic: the summary's series have none", () => {
  const summary = JSON.parse(files["summary.json"] as string);
  expect(JSON.stringify(summary.series)).not.toContain("published");
  expect(summary.published.source).toContain("Lambda Rust x DynamoDB");
});
