import { expect, test } from "vitest";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { dynamodbBatch } from "../../lib/experiments/dynamodb-batch/definition.ts";
import { sha256 } from "../../lib/experiments/sha256/definition.ts";
import type { FixtureChoice } from "../report/support/fixture.ts";
import { fixtureReport } from "../report/support/fixture-report.ts";

const reportOf = (choice: FixtureChoice) => fixtureReport({ target: "local", ...choice });

test("an experiment without a part of its own has the common report, and nothing of another's", async () => {
  const another = { ...dynamodb, id: "another" };
  const { markdown, view } = await reportOf({ memoryMb: [128, 512], experiment: another });
  expect(markdown).toContain("## All comparisons");
  expect(markdown).toMatch(/Python is slower than Rust on a warm call: [\d.]+× \[/);
  expect(markdown).not.toMatch(/How the lead changes|four operations|handshake/);
  expect(view).not.toHaveProperty("own");
});

test.each([
  [dynamodbBatch, "five items of less than 300 bytes"],
  [sha256, "Every hash is computed over 32 bytes"],
])("the lead by memory and its limits are the part of $id", async (experiment, limit) => {
  const { markdown } = await reportOf({ memoryMb: [512, 1769], experiment });
  expect(markdown).toContain("### How the lead changes with memory");
  expect(markdown).toContain(limit);
});

test("dynamodb's part is its lead by memory, its limits and its source", async () => {
  const { markdown, view } = await reportOf({ memoryMb: [128, 512] });
  expect(markdown).toContain("### How the lead changes with memory");
  expect(markdown).toContain("One item shape and four operations of one service");
  expect(markdown).toContain(
    "Python over Rust 3.1 to 5.1 times in warm Duration, against 90 times",
  );
  expect(markdown).toContain("11 (1.2 without the SDK)");
  expect(view).not.toHaveProperty("own");
});
