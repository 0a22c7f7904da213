import { describe, expect, it } from "vitest";
import type { SeriesChange } from "../../lib/analysis/compare-runs.ts";
import type { Cell } from "../../lib/contract/types/contract.ts";
import { twoRunsComment } from "../../lib/report/pull-request-comment.ts";
import { renderComment } from "../../lib/report/render/markdown.ts";
import type { TwoRuns } from "../../lib/report/two-runs-document.ts";

const cell = (id: string): Cell => ({
  id,
  variant: "rust",
  runtime: "provided.al2023",
  architecture: "arm64",
  memoryMb: 128,
});

function change(id: string, ratio: number, verdict: SeriesChange["verdict"]): SeriesChange {
  const measure = (mean: number) => ({
    n: 60,
    environments: 60,
    mean,
    low: mean - 1,
    high: mean + 1,
    median: mean,
  });
  return {
    experiment: "dynamodb",
    cell: cell(id),
    phase: "warm",
    operation: "get",
    quantity: "durationMs",
    before: measure(20),
    after: measure(20 * ratio),
    beforeP95: { n: 60, value: 30 },
    afterP95: { n: 60, value: 30 * ratio },
    environments: 60,
    baselineEnvironments: 60,
    ratio,
    low: ratio - 0.02,
    high: ratio + 0.02,
    verdict,
  };
}

const compared = (changes: readonly SeriesChange[], more: Partial<TwoRuns> = {}): TwoRuns => ({
  ...{ before: "runs/base", after: "runs/head", margin: 0.05, changes },
  ...{ differences: [], unshared: [], notCompared: [], ...more },
});

const commentOn = (runs: TwoRuns) => renderComment(twoRunsComment(runs));

describe("the comparison of two runs for a pull request", () => {
  const comment = commentOn(
    compared([
      change("a", 1.2, "slower"),
      change("b", 0.5, "faster"),
      change("c", 1.5, "slower"),
      change("d", 1.01, "equivalent"),
      change("e", 1.04, "undecided"),
    ]),
  );
  const lines = comment.split("\n");

  it("begins with the verdict in one line: what is slower, and by how much at the most", () => {
    expect(lines[0]).toBe(
      "### 2 slower, 1 faster, 1 the same, 1 undecided of 5 series. c is slower than before on a warm get: 1.50× [1.48, 1.52]. Not excluded: a slowdown up to 1.06×.",
    );
  });

  it("has a table of regressions, one of improvements, and one with the intervals of what is open", () => {
    const table = lines
      .slice(0, lines.indexOf("<details>"))
      .filter((line) => /^(?:\||\*\*)/.test(line))
      .map((line) => line.replace(/ +(?= \|)|(?<=\| ) +/g, "").replace(/-+/g, "-"));
    const head = [
      "| function | call | ratio [95% CI] | before ms | after ms | median ms | P95 ms | parts |",
      "| - | - | -: | -: | -: | -: | -: | - |",
    ];
    expect(table).toEqual([
      "**❌ 2 regressions**",
      ...head,
      "| `c` | warm get | 1.50 [1.48, 1.52] | 20.0 [19.0, 21.0] | 30.0 [29.0, 31.0] | 20.0 → 30.0 | 30.0 → 45.0 | – |",
      "| `a` | warm get | 1.20 [1.18, 1.22] | 20.0 [19.0, 21.0] | 24.0 [23.0, 25.0] | 20.0 → 24.0 | 30.0 → 36.0 | – |",
      "**✅ 1 improvement**",
      ...head,
      "| `b` | warm get | 0.50 [0.48, 0.52] | 20.0 [19.0, 21.0] | 10.0 [9.0, 11.0] | 20.0 → 10.0 | 30.0 → 15.0 | – |",
      "**❓ 1 undecided**",
      "| function | call | ratio [95% CI] | why |",
      "| - | - | -: | - |",
      "| `e` | warm get | 1.04 [1.02, 1.06] | undecided |",
    ]);
  });

  it("folds the rest, by its calls, in a form that GitHub renders", () => {
    expect(comment).toMatch(
      /<details>\n<summary>The rest: 1 the same, 1 undecided of 2; and how to read it<\/summary>\n\n\*\*By call\*\*\n\n\| call/,
    );
    expect(comment).toMatch(/\| warm get \| +1 \| +1 \| 1\.01 to 1\.04 \|/);
    expect(comment.trimEnd().endsWith("\n\n</details>")).toBe(true);
  });

  it("says so in one line where nothing is slower or faster", () => {
    const [same] = commentOn(compared([change("a", 1, "equivalent")])).split("\n");
    expect(same).toMatch(/^### .*\b1 (?:is )?the same\b/);
    expect(same).not.toMatch(/slower|faster|undecided|slowdown/);
    const [below] = commentOn(compared([change("a", 1, "undecided")])).split("\n");
    expect(below).toMatch(
      /^### .*\b1 undecided\b.* A slowdown of more than 5% is excluded\. Not excluded: a slow path in fewer than 1 of \d+ environments\.$/,
    );
    const [open] = commentOn(compared([change("a", 1.9, "undecided")])).split("\n");
    expect(open).toMatch(
      /^### .*\b1 undecided\b.* Not excluded: a slowdown up to 1\.92×; a slow path in fewer than 1 of \d+ environments\.$/,
    );
    for (const title of [below, open]) expect(title).not.toMatch(/\d slower|is slower|the same/);
  });

  it("says what would decide what is open", () => {
    const remedy = {
      kind: "environments",
      ...{ environments: 60, warmCalls: 660, minutes: 11.2 },
    } as const;
    const text = commentOn(compared([change("a", 1.9, "undecided")], { remedy }));
    expect(text).toContain(
      "\n\nTo decide what is open: each run with --preset standard --cold 60 --warm 660, about 12 minutes.\n\n",
    );
  });

  it.each<SeriesChange["verdict"]>(["slower", "faster", "equivalent", "undecided"])(
    "stays under 60 lines with 300 cells that are all %s, in 20 calls",
    (verdict) => {
      const changes = Array.from({ length: 300 }, (_, index) => ({
        ...change(`cell-${index}`, verdict === "faster" ? 0.5 : 1.3, verdict),
        operation: `operation-${index % 20}`,
      }));
      const differences = Array.from({ length: 40 }, (_, index) => ({
        ...{ what: `condition ${index}`, before: "a\nb", after: "c" },
      }));
      const more = { differences, unshared: ["x", "y"], imported: "nothing" } as const;
      const text = commentOn(compared(changes, more));
      expect(text.split("\n").length).toBeLessThan(60);
      expect(text.length).toBeLessThan(65_536);
      const isDecided = verdict === "slower" || verdict === "faster";
      if (isDecided) expect(text).toContain("And 285 more, each a smaller difference.");
      else expect(text).toContain("And 8 other calls.");
    },
  );

  it("stays under 60 lines where as much is decided as is open", () => {
    const changes = Array.from({ length: 300 }, (_, index) => ({
      ...change(`cell-${index}`, 1.3, index % 2 === 0 ? "slower" : "undecided"),
      operation: `operation-${index % 20}`,
    }));
    const differences = Array.from({ length: 40 }, (_, index) => ({ what: `condition ${index}` }));
    const more: Partial<TwoRuns> = {
      ...{ differences, unshared: ["x", "y"], notCompared: ["1 call failed"] },
      imported: "nothing",
      remedy: { kind: "none" },
    };
    expect(commentOn(compared(changes, more)).split("\n").length).toBeLessThan(60);
  });

  it("keeps what came from outside as text: no mark-up, no mention, no cell of its own", () => {
    const text = commentOn(
      compared([change("a|b<img src=x>", 1.2, "slower")], {
        before: "runs/`@octocat`",
        differences: [{ what: "</details><script>", before: "[x](http://y)", after: "*b*" }],
      }),
    );
    expect(text).not.toMatch(/<img|<script|\[x\]\(|@octocat/);
    expect(text.match(/<\/details>/g)).toHaveLength(1);
    expect(text).toContain("a\\|b&lt;img");
  });
});
