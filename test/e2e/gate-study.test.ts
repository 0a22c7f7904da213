import { describe, expect, it } from "vitest";
import {
  gateEnvironments,
  gateHead,
  gateText,
  loads,
  publishedGate,
} from "../../bench/gate-study/study.ts";
import { columns, expectToPrint, publishedTable } from "./support/study-table.ts";

const published = publishedTable("regression-gate.md", "gate");
const rows = published.slice(gateHead.length).map((row) => {
  const [, load = "", environments = "", ...shares] = columns(row);
  const [falseOne, falseTwo, foundOne, foundTwo] = shares.map(Number.parseFloat);
  return { load, environments: Number(environments), falseOne, falseTwo, foundOne, foundTwo };
});

describe("the study of the gate", () => {
  it("prints the table of the document, of as many rounds as were asked for", () => {
    expectToPrint(published, "gate-study.ts", "--rounds");
  });

  it("gives the document's figures again", () => {
    const [fewest] = gateEnvironments;
    const again = loads.map((load) => gateText(load, fewest, publishedGate));
    expect(again).toEqual(published.filter((row) => columns(row)[2] === String(fewest)));
  });

  it("has one run call the same build slower in at most 1 of 100, under every load", () => {
    expect(publishedGate.rounds).toBe(200);
    expect(rows).toHaveLength(3 * gateEnvironments.length);
    for (const { falseOne } of rows) expect(falseOne).toBeLessThanOrEqual(1);
    const changing = rows.filter(({ load }) => load !== "none");
    for (const { falseTwo } of changing) expect(falseTwo).toBeGreaterThan(1);
  });

  it("has one run of half the environments find as much as two runs, or more", () => {
    for (const { load, environments, foundTwo = 0 } of rows) {
      const half = rows.find((row) => row.load === load && 2 * row.environments === environments);
      if (half !== undefined) expect(half.foundOne).toBeGreaterThanOrEqual(foundTwo);
    }
  });
});
