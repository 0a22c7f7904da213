import { describe, expect, it } from "vitest";
import { plain } from "../../lib/report/document/document.ts";
import type { ExperimentPage } from "../../lib/report/experiment-report.ts";
import { type ReportedExperiment, renderOverview } from "../../lib/report/overview.ts";
import {
  firstRequestChoice,
  firstRequestPlan,
  firstRequestSamples,
} from "./support/first-request-fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";
import { checkedHtml } from "./support/html-check.ts";
import { multicoreChoice, multicorePlan, multicoreSamples } from "./support/multicore-fixture.ts";

async function pageOf(...fixture: Parameters<typeof fixtureReport>): Promise<ExperimentPage> {
  const { files } = await fixtureReport(...fixture);
  return JSON.parse(files["report.json"] as string) as ExperimentPage;
}

const dynamodb = await pageOf({ target: "local", memoryMb: [128, 512] });
const at128 = { ...firstRequestChoice, memoryMb: [128] };
const firstRequest = await pageOf(at128, { samples: firstRequestSamples(firstRequestPlan(at128)) });
const multicore = await pageOf(multicoreChoice, { samples: multicoreSamples(multicorePlan()) });

const pages = [dynamodb, firstRequest, multicore];
const reported: readonly ReportedExperiment[] = pages.map((page) => {
  return { experiment: page.experiment, page };
});
const runId = "20260101T0000Z-abcdef";
const overviewOf = (experiments: readonly ReportedExperiment[]) => {
  const { files, headline } = renderOverview({ runId, experiments });
  return {
    markdown: files["report-full.md"] ?? "",
    html: files["report.html"] ?? "",
    files,
    headline,
  };
};
const overview = overviewOf(reported);

describe("what was found", () => {
  it("is of variants on one machine what Lambda would show of the strongest one, cold and warm", () => {
    expect(plain(dynamodb.finding)).toMatch(
      /^On Lambda \(90%\) vs\. Rust\. [^:]+: cold start [\d.]+–[\d.]+× faster at .*; warm get [\d.]+–[\d.]+×.*\.$/,
    );
  });

  it("is of the first request its conclusion, with the size that it was drawn at", () => {
    expect(plain(firstRequest.finding)).toMatch(/^At 128 MB [^.]+\.$/);
  });

  it("is of multicore what the largest size gives over the smallest", () => {
    expect(plain(multicore.finding)).toMatch(
      /Rust \(rayon, bcrypt crate\) at 4,096 MB, 3 workers \(2\.7 times the memory\) is faster than itself at 1,536 MB, 1 worker for the work: 2\.[67]\d× \[[\d., ]+\]\.$/,
    );
  });

  it("of sizes compared on one machine says that it is not predicted for Lambda", () => {
    expect(plain(multicore.finding)).toMatch(/not predicted for Lambda/i);
  });

  it("is one sentence, whatever the experiment", () => {
    for (const { finding } of pages) expect(plain(finding)).toMatch(/^[^\n]*[^.]\.$/);
  });
});

describe("the report of several experiments", () => {
  it("says first what each found, and then holds each one's report a level deeper", () => {
    const [first = ""] = overview.markdown.split("\n## ");
    for (const { title } of pages) {
      expect(first).toContain(`- **${title}:** `);
      expect(overview.markdown).toContain(`\n## ${title}\n`);
    }
    expect(overview.markdown.match(/^# /gm)).toHaveLength(1);
    expect(overview.markdown.match(/^#{4} Conditions$/gm)).toHaveLength(3);
    expect(overview.headline).toContain("What was found");
  });

  it("shows on a terminal one row an experiment, in at most 18 lines of 80 columns", () => {
    const lines = overview.headline.trimEnd().split("\n");
    expect(lines.length, overview.headline).toBeLessThanOrEqual(18);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    const rows = lines.slice(lines.findIndex((line) => line.startsWith("experiment  ")) + 1);
    expect(rows.map((row) => row.split(/\s+/)[0])).toEqual(
      pages.map(({ experiment }) => experiment),
    );
    expect(rows[0]).toMatch(/^dynamodb .*(?:faster|slower).* [\d.]+–[\d.]+ \([\d.]+–[\d.]+\)$/);
  });

  it("is one sound page: every id once, every link to one of them, nothing from elsewhere", () => {
    const { ids, elements } = checkedHtml(overview.html);
    expect(new Set(ids).size).toBe(ids.length);
    const links = elements.flatMap(({ name, attributes }) =>
      name === "a" ? (attributes.href ?? []) : [],
    );
    for (const link of links) expect(ids).toContain(link.replace(/^#/, ""));
    const named = elements.flatMap(({ attributes }) => attributes["aria-labelledby"] ?? []);
    expect(ids).toEqual(expect.arrayContaining(named));
    expect(elements.filter(({ name }) => name === "script")).toHaveLength(1);
  });

  it("says once that it is simulated", () => {
    const [first = ""] = overview.markdown.split("\nWhat was found");
    expect(first.match(/Simulated/g)).toHaveLength(1);
  });

  it("gives the findings for scripts", () => {
    const summary = JSON.parse(overview.files["summary.json"] ?? "");
    expect(summary).toMatchObject({
      schemaVersion: 1,
      runId,
      experiments: pages.map(({ experiment, finding }) => ({
        experiment,
        finding: plain(finding),
      })),
    });
  });

  it("is the same for the same pages, to the byte", () => {
    expect(overviewOf(reported).files).toEqual(overview.files);
  });

  it("hides nothing of an experiment that is partial, failed or has no report", () => {
    const partial = { ...dynamodb, status: "partial" as const };
    const { markdown } = overviewOf([
      { experiment: "dynamodb", page: partial },
      { experiment: "first-request", page: firstRequest, failure: "no storage" },
      { experiment: "multicore", failure: "no memory" },
    ]);
    expect(markdown).toContain("**dynamodb is PARTIAL:** ");
    expect(markdown).toMatch(/\*\*first-request is PARTIAL:\*\* .* no storage/);
    expect(markdown).toContain("**No report of multicore.** no memory");
    expect(markdown).toContain("- **multicore:** nothing was reported.");
    expect(markdown).toMatch(/^\| multicore +\| nothing reported +\| – /m);
  });
});
