import { describe, expect, it } from "vitest";
import { list, warning } from "../../lib/report/document/document.ts";
import { wrapped } from "../../lib/report/document/wrapped.ts";
import { renderTerminal } from "../../lib/report/render/terminal.ts";
import { kindFolder, kindNames, machineNames, reportOfKind } from "./support/report-kinds.ts";

/** Kinds whose first screen is not of one machine. */
const ofNoMachine = ["experiments", "emulators", "variants-on-aws"];

/** What a run of one experiment on a machine warns of, in the order of the notes. */
const warnings = {
  ...{ unknown: [], quiet: [] },
  busy: [/machine was busy/],
  changed: [/[Mm]achine speed varied up to 1\.9×/],
  worst: [/rust calls sns\.Publish/, /busy|more notes?: see report\.md/],
} as const;

describe("what a run prints on a terminal of 80 columns", () => {
  const cases = kindNames.flatMap((kind) => machineNames.map((machine) => ({ kind, machine })));

  it.each(cases)(
    "has at most 18 lines, warnings among them: $kind, of a machine that is $machine",
    async ({ kind, machine }) => {
      const { printed } = await reportOfKind(kind, machine);
      const lines = printed.split("\n");
      const shown = lines.flatMap((line) => wrapped(line));
      expect(shown.length, printed).toBeLessThanOrEqual(18);
      expect(lines.filter((line) => line.includes(kindFolder))).toEqual([
        `Report: ${kindFolder}/report.html (also report.md, summary.json)`,
      ]);
      if (!ofNoMachine.includes(kind)) {
        const said = printed.replaceAll(/\s+/g, " ");
        for (const warning of warnings[machine]) expect(said).toMatch(warning);
      }
      // The strongest comparison of an experiment can be of names too long for a column.
      if (kind !== "experiments") expect(printed).not.toMatch(/\w…/);
    },
  );

  it.each(kindNames)("has a comma in every number of four digits: %s", async (kind) => {
    const { printed } = await reportOfKind(kind, "quiet");
    const told = printed.replaceAll(/20260102T0304Z/g, "");
    expect(told).not.toMatch(/(?<![\d.,])\d{4,}(?![\d.,])/);
  });

  it("names all warnings in one line where there is no room for more, and says where they are whole", async () => {
    const { printed } = await reportOfKind("variants-at-every-size", "worst");
    expect(printed.split("\n").filter((line) => line.startsWith("WARNING: "))).toHaveLength(1);
    expect(printed.replaceAll(/\s+/g, " ")).toMatch(
      /WARNING: rust calls sns\.Publish, sqs\.SendMessage: not available on this machine; .*see report\.md\)/,
    );
  });

  it("names the first warning even if there is no room for a short one", () => {
    const long = (what: string) => warning(`${what} ${"and so on ".repeat(12)}to its end.`);
    const lines = Array.from({ length: 14 }, (_, index) => `line ${index}`);
    const blocks = [long("The first"), long("The second"), list(lines)];
    const printed = renderTerminal("Title", { kind: "first-screen", blocks }).replaceAll(
      /\s+/g,
      " ",
    );
    expect(printed).toMatch(/WARNING: The first .*to its end \(and 1 more note: see report\.md\)/);
  });

  it("keeps a number and its unit in one line", async () => {
    const { printed } = await reportOfKind("sizes", "quiet");
    expect(printed).not.toMatch(/\d\n(?:ms|MB)\b/);
  });

  it("keeps both ends of a range in one line", () => {
    expect(wrapped("a cold start takes 76 to 350 ms", 25)).toEqual([
      "a cold start takes",
      "76 to 350 ms",
    ]);
  });
});

describe("a build half of whose calls fail", () => {
  it("is compared with nothing, and the first screen says why", async () => {
    const { printed } = await reportOfKind("failing-build", "quiet");
    const said = printed.replaceAll(/\s+/g, " ");
    expect(said).toMatch(/WARNING: \d+ calls failed\./);
    expect(said).toMatch(
      /Not compared: \d+ of \d+ (?:cold starts|warm calls|calls) of head failed\./,
    );
    expect(said).not.toMatch(/faster|as long|\d×|on Lambda|take head/);
  });
});

describe("the sizes of one function on a terminal", () => {
  it("have time and cost over memory as two lines, with the figures of the table at their ends", async () => {
    const { printed } = await reportOfKind("sizes", "quiet");
    const rows = printed.split("\n").flatMap((line) => {
      const [, size, warm, usd] = /^([\d,]+ MB) +[\d.,]+ +([\d.,]+) +(\$[\d.]+)/.exec(line) ?? [];
      return size === undefined ? [] : [{ size, warm, usd }];
    });
    expect(rows).toHaveLength(6);
    const [first, last] = [rows[0], rows.at(-1)];
    const time = /^time {2}([▁-█]+) {2}(.*)$/m.exec(printed) ?? [];
    const cost = /^cost {2}([▁-█]+) {2}(.*)$/m.exec(printed) ?? [];
    expect(time[2]).toBe(
      `${first?.warm} ms at ${first?.size} to ${last?.warm} ms at ${last?.size}`,
    );
    expect(cost[2]).toBe(
      `${first?.usd} per million at ${first?.size} to ${last?.usd} at ${last?.size}`,
    );
    const [, taken, usd] = /Take ([\d,]+ MB): (\$[\d.]+) per million/.exec(printed) ?? [];
    expect(rows.find(({ size }) => size === taken)?.usd).toBe(usd);
    for (const [, line = ""] of [time, cost]) expect(line.length % rows.length).toBe(0);
  });
});
