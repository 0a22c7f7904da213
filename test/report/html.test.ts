import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fixtureReport } from "./support/fixture-report.ts";
import { checkedHtml } from "./support/html-check.ts";

const report = await fixtureReport({ target: "local" });
const html = report.files["report.html"] as string;
const { elements, ids } = checkedHtml(html);
const named = (name: string) => elements.filter((element) => element.name === name);

/** The cold starts at three sizes; ratios of two variants; four warm operations; and twice those and the cold one. */
const panels = 3 + 2 + 4 + 5 + 5;

describe("report.html is one self-contained file", () => {
  test("with one script of its own, and with nothing from elsewhere", () => {
    expect(named("script").map(({ attributes }) => attributes)).toEqual([{}]);
    expect(named("link")).toHaveLength(0);
    expect(html.match(/@import|url\(|src=|https?:/g)).toBeNull();
    for (const { attributes } of named("a")) expect(attributes.href).toMatch(/^#/);
    for (const { attributes } of elements) {
      expect(Object.keys(attributes).filter((key) => /^on|^style$/.test(key))).toEqual([]);
    }
  });

  test("under a policy that allows its own style and script and nothing else (npm run generate)", () => {
    const policy = named("meta").find(({ attributes }) => attributes["http-equiv"] !== undefined);
    const [, style = ""] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
    const [, script = ""] = /<script>([^<]*)<\/script>/.exec(html) ?? [];
    const hashOf = (text: string) => createHash("sha256").update(text).digest("base64");
    expect(policy?.attributes.content?.replaceAll("&#39;", "'")).toBe(
      `default-src 'none'; style-src 'sha256-${hashOf(style)}'; script-src 'sha256-${hashOf(script)}'; base-uri 'none'; form-action 'none'`,
    );
  });

  test("with ids that are unique and links that lead somewhere", () => {
    expect(new Set(ids).size).toBe(ids.length);
    for (const { attributes } of named("a")) expect(ids).toContain(attributes.href?.slice(1));
    for (const { attributes } of elements) {
      for (const id of attributes["aria-labelledby"]?.split(" ") ?? []) expect(ids).toContain(id);
    }
  });

  test("with a language, a title, headings and captions", () => {
    expect(named("html")[0]?.attributes).toMatchObject({ lang: "en" });
    expect(named("h1")).toHaveLength(1);
    expect(named("caption").length).toBe(named("table").length);
    for (const { attributes } of named("th")) expect(attributes.scope).toMatch(/^(row|col)$/);
  });

  test("with every chart, each named and described", () => {
    const pictures = named("svg").filter(({ attributes }) => attributes.role === "img");
    expect(pictures).toHaveLength(panels);
    expect(
      html.match(/<svg [^>]*role="img"[^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>/g),
    ).toHaveLength(panels);
    expect(named("figure").map(({ attributes }) => attributes.id)).toEqual([
      "chart-cold",
      "chart-warm",
      "chart-distribution",
      "chart-cost",
      "chart-ratio",
    ]);
  });

  test("with the answer in a sentence before any table, and how certain it is before any picture", () => {
    const [before = "", after = ""] = html.split('<div class="first-screen"');
    expect(before).not.toMatch(/<(?:figure|table)/);
    const [said = ""] = after.split("<figure");
    expect(said.indexOf("On Lambda (90%) vs. Rust")).toBeLessThan(said.indexOf("<table"));
    const text = said.replaceAll(/<[^>]+>/g, "");
    expect(text).toMatch(/\nOn Lambda \(90%\) vs\. Rust\. .*Python: cold start [\d.]+–[\d.]+×/);
    expect(text).toMatch(
      /\nHow sure: n\s=\s63 warm calls in 9 environments each, simulated on one/,
    );
  });

  test("without a line end between a number and its unit", () => {
    const words = html
      .replaceAll(/<(style|script|title|svg|code)\b[\s\S]*?<\/\1>/g, "")
      .replaceAll(/<[^>]+>/g, "");
    expect(words.match(/.*(?:\d (?:ms|MB|s|min)|95% CI)\b.*/g)).toBeNull();
    expect(words).toContain("128\u00a0MB");
    expect(words).toContain("95%\u00a0CI");
  });

  test("without a line end between the ends of a range", () => {
    const [, sentences = ""] = /<div class="first-screen"[^>]*>([\s\S]*?)<table/.exec(html) ?? [];
    expect(sentences).toMatch(/<span class="whole">[\d.,]+–[\d.,]+×<\/span>/);
    expect(sentences.replaceAll(/<span class="whole">[^<]*<\/span>/g, "")).not.toMatch(/\d–\d/);
  });

  test("with a link from every number of the answer to the row that it stands in", () => {
    const [, first = ""] = /<div class="first-screen"[^>]*>([\s\S]*?)<figure/.exec(html) ?? [];
    const links = [...first.matchAll(/<a href="#([^"]+)">\$?([\d.,]+)<\/a>/g)];
    expect(links.length).toBeGreaterThanOrEqual(8);
    for (const [, id = ""] of links) {
      expect(named("tr").map(({ attributes }) => attributes.id)).toContain(id);
    }
    const row = (id: string) =>
      (new RegExp(`<tr id="${id}"[^>]*>(.*?)</tr>`).exec(html)?.[1] ?? "").replaceAll(
        /<[^>]+>/g,
        " ",
      );
    for (const [, id = "", figure = ""] of links.filter(([, to]) => to?.startsWith("glance-"))) {
      expect(row(id)).toContain(` ${figure} `);
    }
  });

  test("with a choice of the memory sizes of the cold starts, by style alone", () => {
    const radios = named("input").filter(({ attributes }) => attributes.type === "radio");
    expect(radios.map(({ attributes }) => attributes.value)).toEqual(["0", "1", "2", "3"]);
    expect(html).toContain(
      'figure:has(.picker [value="3"]:checked) .panel:not(:nth-child(3)){display:none}',
    );
  });

  test("with a conclusion in the description of every picture", () => {
    const said = [...html.matchAll(/<desc>([^<]*)<\/desc>/g)].map(([, text = ""]) => text);
    expect(said).toHaveLength(panels);
    for (const text of said) expect(text).toMatch(/\d \[\d.*(?:MB|ms)|MB: \d+/);
  });

  test("in light and dark, by variables alone", () => {
    expect(html).toContain("prefers-color-scheme:dark");
    expect(html).toContain("@media print");
    expect(html.match(/#0101|rgb\(/g)).toBeNull();
    const colours = elements.flatMap(({ attributes }) => [attributes.fill, attributes.stroke]);
    for (const colour of colours) {
      expect(colour ?? "none").toMatch(/^(none|transparent|var\(--\w+\))$/);
    }
  });

  test("that folds every section with what it comes to", () => {
    const sections = html.match(/<details class="section">/g) ?? [];
    const takeaways =
      html.match(/<\/h[23]> <span class="takeaway">[^<]+<\/span><\/summary>/g) ?? [];
    expect(sections.length).toBeGreaterThan(12);
    expect(takeaways).toHaveLength(sections.length);
  });
});
