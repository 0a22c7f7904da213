import { describe, expect, test } from "vitest";
import { fixtureReport } from "./support/fixture-report.ts";

const memoryMb = [128, 256, 512, 1024, 1769, 3008];
const { files, markdown } = await fixtureReport({ target: "aws", preset: "standard", memoryMb });
const [brief = "", html = ""] = ["report.md", "report.html"].map((name) => files[name]);

describe("a report of the full matrix", () => {
  test("has a report.md of at most 120 lines, and in report-full.md every table of the page", () => {
    expect(brief.split("\n").length).toBeLessThanOrEqual(120);
    const captions = [...html.matchAll(/<caption[^>]*>(.*?)<\/caption>/g)];
    expect(captions.length).toBeGreaterThan(15);
    const words = (text: string) =>
      text
        .replaceAll(/<[^>]+>|[`*\\]/g, "")
        .replaceAll(/&\w+;|&#\d+;/g, "")
        .replaceAll("\u00a0", " ");
    for (const [, caption = ""] of captions)
      expect(words(markdown)).toContain(words(caption).slice(0, 60));
    const titles = [...markdown.matchAll(/^## (.*)$/gm)].map(([, title = ""]) => title);
    for (const title of titles) expect(brief).toContain(title);
  });

  test("has a report.html under 1 MB", () => {
    expect(html.length).toBeLessThan(1_000_000);
  });
});
