import { describe, expect, test } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { dynamodb } from "../../lib/experiments/dynamodb/definition.ts";
import { singleLine } from "../../lib/report/document/document.ts";
import { renderCsv } from "../../lib/report/render/csv.ts";
import { inlineMarkdown, lineMarkdown } from "../../lib/report/render/escape.ts";
import { fixtureManifest, fixturePlan, fixtureSamples } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";
import { checkedHtml } from "./support/html-check.ts";
import { tableRows } from "./support/markdown-tables.ts";

const hostile =
  "</td></svg><script>alert(1)</script> | a \\| b ` c\n\n# head\r\n<img src=x onerror=y> \u001b[31m \u202e [x](http://evil.example) & \"q\" 'p' \ud800 \u0000";

const experiment = {
  ...dynamodb,
  title: `T ${hostile}`,
  question: `Q ${hostile}`,
  variants: dynamodb.variants.map((variant) => ({ ...variant, label: `${variant.id} ${hostile}` })),
};
const choice = { target: "local", memoryMb: [128], experiment, operations: ["get"] } as const;
const plan = fixturePlan(choice);
const manifest = fixtureManifest(plan);
const failing = [...fixtureSamples(plan)].map(
  (sample, index): Sample =>
    index === 0
      ? {
          ...sample,
          error: { type: hostile, message: hostile },
          rejected: { reason: "error", detail: hostile },
          flags: [hostile as "log-truncated"],
        }
      : sample,
);
const report = await fixtureReport(choice, {
  samples: failing,
  manifest: {
    warnings: [hostile],
    cellFailures: [{ cellId: hostile, block: 0, type: hostile, message: hostile }],
    versions: { [hostile]: hostile },
    artefacts: [{ variant: hostile, architecture: "arm64", build: { [hostile]: hostile } }],
    ...(manifest.machine !== undefined && {
      machine: { ...manifest.machine, cpuModel: hostile, os: hostile, transport: hostile },
    }),
  },
});

describe("text from outside stays text", () => {
  test("in HTML and SVG", () => {
    const html = report.files["report.html"] as string;
    const { elements } = checkedHtml(html);
    expect(elements.filter(({ name }) => name === "img")).toEqual([]);
    // The page's own.
    expect(elements.filter(({ name }) => name === "script")).toHaveLength(1);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  });

  test("in markdown: no raw tag, no link, no table broken, no line of its own", () => {
    const { markdown } = report;
    expect(markdown).not.toMatch(/<script|<img|<\/td/);
    expect(markdown).not.toMatch(/^# head/m);
    expect(markdown).not.toMatch(/(?<!\\)\[x(?<!\\)\]\(/);
    for (const row of tableRows(markdown, "Trials that failed")) {
      expect(Object.keys(row)).toEqual(["Cell", "Block", "Type", "Message"]);
      expect(row.Message).toContain("alert(1)");
    }
  });

  test("on the terminal: no escape sequence", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    expect(report.headline).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test("in CSV: quoted, on one line, and no formula", () => {
    const [, line, end] = renderCsv(["a", "b"], [["=1+2", `x,"y"\nz`]]).split("\n");
    expect(line).toBe(`'=1+2,"x,""y"" z"`);
    expect(end).toBe("");
  });

  test("in CSV that is split at semicolons: no formula behind one either", () => {
    const cells = ["a;=1+2", "b; @SUM(A1)", "\t=3", "\r-4", "-", "+5", ";;=6"];
    const [, ...lines] = renderCsv(
      ["a"],
      cells.map((cell) => [cell]),
    )
      .trimEnd()
      .split("\n");
    expect(lines).toEqual([`"a;'=1+2"`, `"b; '@SUM(A1)"`, " '=3", " '-4", "'-", "'+5", `";;'=6"`]);
    for (const line of lines) expect(line).not.toMatch(/(^|;)\s*[=+\-@]/);
  });

  test("in CSV: a negative number is a number", () => {
    expect(renderCsv(["a", "b"], [[-1.5, -3e-9]])).toBe("a,b\n-1.5,-3e-9\n");
  });

  test("in JSON: as it was", () => {
    expect(JSON.parse(report.files["manifest.json"] as string).warnings).toEqual([hostile]);
  });
});

describe("markdown's marks are escaped where they would act", () => {
  test.each([
    ["a*b*", "a\\*b\\*"],
    ["batch_write", "batch_write"],
    ["_it_", "\\_it\\_"],
    ["12.3 [11.9, 12.8]", "12.3 [11.9, 12.8]"],
    ["1.3 [-5.7, 13.2]", "1.3 [-5.7, 13.2]"],
    ["[11.9, 12.8](http://evil.example)", "\\[11.9, 12.8\\](http\\://evil.example)"],
    ["https://evil.example/a", "https\\://evil.example/a"],
    ["WWW.evil.example", "WWW\\.evil.example"],
    ["ask @octocat, or a@b.example", "ask @\u2060octocat, or a@\u2060b.example"],
    ["12 @ 3 ms", "12 @ 3 ms"],
    ["a|b", "a\\|b"],
    ["a\\|b", "a\\\\\\|b"],
    ["AT&T <b>", "AT&amp;T &lt;b&gt;"],
    ["costs $1 and $2", "costs \\$1 and \\$2"],
  ])("%s", (text, expected) => {
    expect(inlineMarkdown(text)).toBe(expected);
  });

  test.each([
    ["# no head", "\\# no head"],
    ["- no list", "\\- no list"],
    ["1. no list", "1\\. no list"],
    ["1.5 is a number", "1.5 is a number"],
  ])("at a line's start: %s", (text, expected) => {
    expect(lineMarkdown(text)).toBe(expected);
  });

  test("code that holds a pipe or a backtick is printed as text", () => {
    expect(inlineMarkdown([{ mark: "code", text: "batch_write" }])).toBe("`batch_write`");
    expect(inlineMarkdown([{ mark: "code", text: "a`b|c" }])).toBe("a\\`b\\|c");
  });
});

test("a single line has no control, no reordering mark and no half character", () => {
  expect(singleLine("a\r\nb\u001b[0m\u202e\ud800")).toBe("a b\uFFFD[0m\uFFFD\uFFFD");
  expect(singleLine("Zürich 🦀")).toBe("Zürich 🦀");
});
