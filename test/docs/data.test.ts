import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { exportRun } from "../../bin/commands/export.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { findPython } from "../../lib/toolchain/python.ts";
import { captureOutput } from "../support/captured-output.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const docs = join(projectPaths.root, "docs");
const page = readFileSync(join(docs, "data.md"), "utf8");

/** The names in the first column of the table behind a mark, in their order. */
function documented(file: string): readonly string[] {
  const [, table = ""] = page.split(`<!-- columns: ${file} -->\n`);
  const rows = table.split("\n\n", 1)[0]?.split("\n").slice(2) ?? [];
  return rows.map((row) => /^\| `([^`]+)` \|/.exec(row)?.[1] ?? row);
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Every field of a schema, those of objects in it with a dot. */
function fieldsOf(file: string): readonly string[] {
  const path = join(projectPaths.root, "lib", "contract", "schemas", file);
  const fields = (schema: Schema): readonly string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
      const inner = value.$ref === undefined ? fields(value) : fieldsOf(value.$ref);
      return inner.length === 0 ? [name] : inner.map((field) => `${name}.${field}`);
    });
  return fields(JSON.parse(readFileSync(path, "utf8")));
}

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const rowsOf = (name: string) =>
  parse(readFileSync(at(name)), { columns: true }) as Readonly<Record<string, string>>[];

beforeAll(async () => {
  await finishedRun(folder, smallPlan({ cold: 7, warm: 30 }));
  captureOutput();
  await exportRun(folder, { format: "csv", out: at("samples.csv") });
  await exportRun(folder, { format: "jsonl", out: at("samples.jsonl") });
  vi.restoreAllMocks();
});

describe("docs/data.md", () => {
  it("names every field of a sample, in the schema's order or another, and no others", () => {
    expect([...documented("samples.jsonl")].sort()).toEqual(
      [...fieldsOf("sample.schema.json")].sort(),
    );
  });

  it.each(["samples.csv", "series.csv"])("names the columns of %s in their order", (name) => {
    const [header = ""] = readFileSync(at(name), "utf8").split("\n", 1);
    expect(documented(name)).toEqual(header.split(","));
  });

  it("names the keys of summary.json in their order", () => {
    const keys = Object.keys(JSON.parse(readFileSync(at("summary.json"), "utf8")));
    const elsewhere = ["runCost", "own", "byCpuModel", "onLambda"];
    const here = documented("summary.json").filter((key) => !elsewhere.includes(key));
    expect(here).toEqual(keys);
  });
});

describe("an exported run", () => {
  it("has the same samples as CSV and as JSON Lines, rejected ones too", () => {
    const lines = readFileSync(at("samples.jsonl"), "utf8").trimEnd().split("\n");
    const samples = lines.map((line) => JSON.parse(line));
    const rows = rowsOf("samples.csv");
    expect(rows.map(({ cell, block, sequence }) => [cell, block, sequence])).toEqual(
      samples.map(({ cell, block, sequence }) => [cell.id, String(block), String(sequence)]),
    );
    expect(rows.map(({ durationMs }) => Number(durationMs))).toEqual(
      samples.map(({ telemetry }) => telemetry.durationMs),
    );
    expect(rows.some(({ rejectedReason }) => rejectedReason === "warm-up")).toBe(true);
    expect(rows.map(({ result = "" }) => JSON.parse(result))).toEqual(
      samples.map(({ result }) => result),
    );
    expect(rows[1]?.initDurationMs).toBe("");
  });

  it("goes to the standard output, and how many there are to the other", async () => {
    const output = captureOutput();
    expect(await exportRun(folder, { format: "csv" })).toBe(0);
    expect(output.stdout).toBe(readFileSync(at("samples.csv"), "utf8"));
    expect(output.stderr).toBe(`${rowsOf("samples.csv").length} samples\n`);
  });

  it("is refused without a run", async () => {
    const nothing = exportRun(at("nothing"), { format: "csv" });
    await expect(nothing).rejects.toThrow("no such folder");
  });
});

it("docs/read-samples.py finds the means of series.csv in the exported samples", () => {
  const script = join(docs, "read-samples.py");
  const printed = execFileSync(findPython().command, [script, at("samples.csv")], {
    encoding: "utf8",
  });
  const found = parse(printed, { columns: true }) as Readonly<Record<string, string>>[];
  const numbers = ({
    cell,
    phase,
    operation,
    n,
    environments,
    durationMeanMs,
  }: (typeof found)[0]) => [
    cell,
    phase,
    operation,
    Number(n),
    Number(environments),
    Number(durationMeanMs).toPrecision(12),
  ];
  expect(found.map(numbers).sort()).toEqual(rowsOf("series.csv").map(numbers).sort());
  expect(found.length).toBeGreaterThan(5);
});
