import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { compare } from "../../bin/commands/compare.ts";
import type { TwoRuns } from "../../lib/report/two-runs-document.ts";
import { checkedHtml } from "../report/support/html-check.ts";
import { capturedOutput } from "../support/captured-output.ts";
import type { Script } from "../support/fake-target.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder();
const at = (name: string) => join(root, name);
const plan = (runId: string, cold = 10) =>
  smallPlan({ runId, cold, warm: 60, operations: ["get"] });

/** Every warm call of a variant takes longer by this factor. */
function warmTimes(variant: string, factor: number): Script {
  return ({ cell, invocation }, answer) =>
    cell.variant !== variant || invocation < 2 || answer.telemetry === undefined
      ? answer
      : {
          ...answer,
          telemetry: {
            ...answer.telemetry,
            durationMs: answer.telemetry.durationMs * factor,
            billedDurationMs: Math.ceil(answer.telemetry.durationMs * factor),
          },
        };
}

beforeAll(async () => {
  await finishedRun(at("before"), plan("20260101T0000Z-aaaaaa"));
  await finishedRun(at("same"), plan("20260102T0000Z-bbbbbb"));
  const slower = warmTimes("python", 1.5);
  await finishedRun(at("slower"), plan("20260103T0000Z-cccccc"), slower);
  await finishedRun(at("few"), { ...plan("20260104T0000Z-dddddd", 2), idleMs: 80 });
  const other = smallPlan({ runId: "20260105T0000Z-eeeeee", memoryMb: [1024] });
  await finishedRun(at("other"), other);
  const rust = smallPlan({
    runId: "20260107T0000Z-abcabc",
    cold: 10,
    warm: 60,
    variants: ["rust"],
    operations: ["put"],
  });
  await finishedRun(at("rust-only"), rust);
  await finishedRun(at("local"), { ...plan("20260106T0000Z-ffffff", 2), target: "local" });
});

const output = capturedOutput();
const said = () => output.stdout.replaceAll(/\s+/g, " ");

const words = { margin: 0.05 };
const asJson = async (before: string, after: string): Promise<TwoRuns> => {
  await compare(at(before), at(after), { ...words, json: true });
  return JSON.parse(output.stdout) as TwoRuns;
};

describe("kelvin compare of runs of both architectures", () => {
  it("says of each what it found of arm64 against x86_64", async () => {
    const both = (runId: string) =>
      smallPlan({
        ...{ runId, cold: 10, warm: 60, variants: ["rust"], operations: ["get"] },
        architectures: ["arm64", "x86_64"],
      });
    // A bill of a few ms is mostly the fee for a request, which is the same on both.
    const long = warmTimes("rust", 200);
    await finishedRun(at("both-before"), both("20260108T0000Z-aaaaaa"), long);
    await finishedRun(at("both-after"), both("20260109T0000Z-bbbbbb"), long);
    await compare(at("both-before"), at("both-after"), words);
    expect(said()).toMatch(/In the earlier run: arm64 against x86_64: arm64 costs 0\.\d+ \[/);
    expect(said()).toMatch(/In the later run: arm64 against x86_64: arm64 costs 0\.\d+ \[/);
  });

  it("says nothing of it for runs of one", async () => {
    expect(await asJson("before", "same")).not.toHaveProperty("factors");
  });
});

describe("kelvin compare", () => {
  it("ends with 0 where nothing is slower, and says what the series came to", async () => {
    expect(await compare(at("before"), at("same"), words)).toBe(0);
    expect(said()).toMatch(/ \d+ the same of \d+ series in both runs\./);
    expect(said()).not.toMatch(/\d slower\b|is slower|\] slower\b/);
    expect(said()).toContain("The recorded conditions do not differ.");
  });

  it("ends with 1 where something is slower, and names the series with its ratio", async () => {
    expect(await compare(at("before"), at("slower"), words)).toBe(1);
    expect(output.stdout).toMatch(
      /^python-arm64-128 warm \w+ +[\d.]+ → [\d.]+ +1\.5\d? \[.* slower$/m,
    );
    expect(said()).toMatch(
      /The later run is slower than the earlier one on a warm call: 1\.[45]\d× \[/,
    );
    expect(output.stdout).not.toMatch(/^rust-arm64-128 .* slower$/m);
    expect(output.stdout.split("\n").length).toBeLessThanOrEqual(24);
  });

  it("writes the comparison as a page where that is asked for, with every series", async () => {
    const html = at("comparison.html");
    await compare(at("before"), at("slower"), { ...words, html });
    expect(output.stdout).toContain(html);
    const { ids, elements } = checkedHtml(readFileSync(html, "utf8"));
    const links = elements.flatMap(({ name, attributes }) =>
      name === "a" ? (attributes.href ?? []) : [],
    );
    for (const link of links) expect(ids).toContain(link.slice(1));
    expect(links.some((link) => link.startsWith("#changes-row-"))).toBe(true);
    expect(ids).toContain("changes");
  });

  it("writes the comparison for a pull request where that is asked for, to a file or alone to stdout", async () => {
    const markdown = at("comment.md");
    expect(await compare(at("before"), at("slower"), { ...words, markdown })).toBe(1);
    const comment = readFileSync(markdown, "utf8");
    expect(comment).toMatch(
      /^### 1 slower, .* series\. python-arm64-128 is slower than before on a warm get: 1\.[45]\d× \[/,
    );
    expect(comment).toContain("| `python-arm64-128` | warm");
    expect(comment.split("\n").length).toBeLessThan(60);
    expect(output.stdout).toMatch(/^python-arm64-128 .* slower$/m);
    output.stdout = "";
    expect(await compare(at("before"), at("slower"), { ...words, markdown: "-" })).toBe(1);
    expect(output.stdout).toBe(comment);
  });

  it("names the cells and operations that only one run has", async () => {
    await compare(at("before"), at("rust-only"), words);
    expect(said()).toContain(
      "Not compared, because only one run has them: python-arm64-128, warm get, warm put.",
    );
  });

  it("calls the same change faster the other way round", async () => {
    const { changes } = await asJson("slower", "before");
    const python = changes.filter(
      ({ cell, phase }) => cell.variant === "python" && phase === "warm",
    );
    expect(python.map(({ verdict }) => verdict)).toEqual(python.map(() => "faster"));
    expect(python.length).toBeGreaterThan(0);
  });

  it("asks for a larger difference where the margin is larger", async () => {
    expect(await compare(at("before"), at("slower"), { margin: 0.8 })).toBe(0);
  });

  it("holds every difference against Holm's correction, and shows both runs' medians", async () => {
    const { changes } = await asJson("before", "slower");
    for (const { pValue = 2, adjustedPValue = -1 } of changes) {
      expect(adjustedPValue).toBeGreaterThanOrEqual(pValue);
    }
    const slower = changes.find(({ verdict }) => verdict === "slower");
    expect(slower?.adjustedPValue).toBeLessThan(0.05);
    expect((slower?.after.median ?? 0) / (slower?.before.median ?? 1)).toBeCloseTo(1.5, 1);
    expect(slower?.cliffsDelta).toBe(1);
  });

  it("says how many environments it takes where there are too few to call anything, and passes nothing", async () => {
    expect(await compare(at("before"), at("few"), words)).toBe(4);
    expect(output.stdout).toMatch(/WARNING: Not compared in full: \d+ comparisons have too few/);
    expect(said()).toMatch(
      /The smallest side of a series has 2 environments|too few environments per side: 2 of \d+/,
    );
  });

  it("tells what differed in the conditions", async () => {
    const { differences } = await asJson("before", "few");
    expect(differences).toContainEqual({
      what: "environments",
      before: "10 cold, 9 x 7 warm",
      after: "2 cold, 2 x 30 warm",
    });
    expect(differences).toContainEqual({ what: "idle before a call, ms", after: "80" });
  });

  it.each([
    ["no series in both", "other", words, /found ".*other"; allowed: a run with a series of/],
    [
      "another target",
      "local",
      words,
      /a run with the target fake; the target of this one is local/,
    ],
    ["no run", "nowhere", words, /no such folder/],
  ])(
    "ends with 2 on %s: 1 would say that something is slower",
    async (_, after, given, message) => {
      expect(await compare(at("before"), at(after), given)).toBe(2);
      expect(output.stderr).toMatch(message);
      expect(output.stdout).toBe("");
    },
  );

  it("ends with 2 on samples that are differ from what the run wrote", async () => {
    await finishedRun(at("changed"), plan("20260107T0000Z-abcabc", 2));
    appendFileSync(join(at("changed"), "samples/rust-arm64-128/0000.jsonl"), "{}\n");
    expect(await compare(at("before"), at("changed"), words)).toBe(2);
    expect(output.stderr).toContain("differ from what the run wrote");
  });
});
