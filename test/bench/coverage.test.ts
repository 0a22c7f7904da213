import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { populations } from "../../bench/interval-study/populations.ts";
import { studyRow } from "../../bench/interval-study/study.ts";
import {
  designs,
  publishedOptions,
  tableHead,
  tableRow,
} from "../../bench/interval-study/table.ts";

const document = readFileSync(join(import.meta.dirname, "../../docs/coverage.md"), "utf8");
const [, table = ""] = /<!-- table -->\n([\s\S]*)\n<!-- \/table -->/.exec(document) ?? [];
const rows = table.split("\n");

const [logNormal] = populations;
const [quickCold] = designs;

const command = ["--import", "tsx", "bench/coverage-study.ts", "--rounds"];
const options = { cwd: join(import.meta.dirname, "../.."), encoding: "utf8" } as const;

describe("the command study:coverage", () => {
  it("prints the table of the document, of as many rounds as were asked for", () => {
    const printed = execFileSync(process.execPath, [...command, "2"], {
      ...options,
      stdio: "pipe",
    });
    const lines = printed.trimEnd().split("\n");
    expect(lines.slice(0, 2)).toEqual(tableHead);
    expect(lines).toHaveLength(rows.length);
  });

  it("refuses rounds that are no number", () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [...command, "many"], options);
    expect(stderr).toBe(
      'study:coverage: rounds: found "many"; allowed: a whole number from 1 to 9999999\n',
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });
});

describe("the coverage study", () => {
  it("stands in its document with a row for every population and design", () => {
    expect(rows.slice(0, 2)).toEqual(tableHead);
    const wanted = populations.flatMap(({ id }) => designs.map(({ label }) => [id, label]));
    const found = rows.slice(2).map((row) => /^\| (\S+) \| ([^:]+):/.exec(row)?.slice(1, 3));
    expect(found).toEqual(wanted);
  });

  it("gives a row of the document to the digit", () => {
    if (logNormal === undefined || quickCold === undefined) throw new Error("nothing to study");
    const row = studyRow(logNormal, quickCold, publishedOptions);
    expect(rows).toContain(tableRow(logNormal, quickCold, row));
  });

  it("finds a shift more often with more environments, and the truth as often", () => {
    if (logNormal === undefined || quickCold === undefined) throw new Error("nothing to study");
    const options = { rounds: 300, draws: 200, seed: 1 };
    const few = studyRow(logNormal, quickCold, options);
    const many = studyRow(logNormal, { ...quickCold, environments: 30 }, options);
    expect(few.shiftSeen).toBeLessThan(0.7);
    expect(many.shiftSeen).toBeGreaterThan(0.9);
    for (const { covered } of [few, many]) expect(covered).toBeGreaterThan(0.9);
  });
});
