import { describe, expect, it } from "vitest";
import { wrapped } from "../../lib/report/document/wrapped.ts";
import { kindFolder, kindNames, machineNames, reportOfKind } from "./support/report-kinds.ts";

/** Kinds whose first screen is not of one machine. */
const ofNoMachine = ["experiments", "emulators", "variants-on-aws"];

describe("what a run prints on a terminal of 80 columns", () => {
  const cases = kindNames.flatMap((kind) => machineNames.map((machine) => ({ kind, machine })));

  it.each(cases)(
    "has at most 18 lines, or 20 with a warning: $kind, of a machine that is $machine",
    async ({ kind, machine }) => {
      const { printed } = await reportOfKind(kind, machine);
      const lines = printed.split("\n");
      const isWarned = (machine === "busy" || machine === "changed") && !ofNoMachine.includes(kind);
      expect(lines.filter((line) => line.startsWith("WARNING: "))).toHaveLength(isWarned ? 1 : 0);
      const shown = lines.flatMap((line) => wrapped(line));
      expect(shown.length, printed).toBeLessThanOrEqual(isWarned ? 20 : 18);
      expect(lines.filter((line) => line.includes(kindFolder))).toEqual([
        `Report: ${kindFolder}/report.html (also report.md, summary.json)`,
      ]);
      // The strongest comparison of an experiment can be of names too long for a column.
      if (kind !== "experiments") expect(printed).not.toMatch(/\w…/);
    },
  );

  it.each(kindNames)("has a comma in every number of four digits: %s", async (kind) => {
    const { printed } = await reportOfKind(kind, "quiet");
    const told = printed.replaceAll(/20260102T0304Z/g, "");
    expect(told).not.toMatch(/(?<![\d.,])\d{4,}(?![\d.,])/);
  });

  it("keeps a number and its unit in one line", async () => {
    const { printed } = await reportOfKind("sizes", "quiet");
    expect(printed).not.toMatch(/\d\n(?:ms|MB)\b/);
  });

  it("keeps both ends of a range in one line", async () => {
    const { printed } = await reportOfKind("sizes", "quiet");
    expect(printed).toMatch(/\d to \d/);
    expect(printed).not.toMatch(/\d\n?(?: to)\n\d|\d\nto \d/);
  });
});
