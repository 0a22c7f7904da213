import { describe, expect, test } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import {
  firstRequestChoice,
  firstRequestPlan,
  firstRequestSamples,
} from "./support/first-request-fixture.ts";
import {
  type FixtureChoice,
  fixturePlan,
  fixtureSamples,
  type Replaced,
} from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";
import { checkedHtml } from "./support/html-check.ts";
import { htmlWithoutPictures } from "./support/html-without-pictures.ts";
import { rowWith, tableRows } from "./support/markdown-tables.ts";
import { kept, printed } from "./support/own-arithmetic.ts";

/** What is told of cold starts needs no warm calls. */
const choice: FixtureChoice = { ...firstRequestChoice, memoryMb: [128], warm: 0 };
const samples = firstRequestSamples(firstRequestPlan(choice));

async function reportOf(of: readonly Sample[], replaced: Replaced = {}, chosen = choice) {
  const report = await fixtureReport(chosen, { ...replaced, samples: of });
  return { ...report, html: checkedHtml(htmlWithoutPictures(report)) };
}

/** The samples with other fields in the results of one variant's cold starts. */
function altered(variant: string, fields: object, block?: number): Sample[] {
  return samples.map((sample) =>
    sample.phase === "cold" &&
    sample.cell.variant === variant &&
    (block === undefined || sample.block === block)
      ? { ...sample, result: { ...(sample.result as object), ...fields } }
      : sample,
  );
}

describe("the build table", () => {
  test("says of each variant what its processes said, and the manifest's zip", async () => {
    const artefacts = [{ variant: "tuned", architecture: "arm64" as const, zipBytes: 2_400_000 }];
    const { markdown } = await reportOf(samples, { manifest: { artefacts } });
    const rows = tableRows(markdown, "What ran, as reported by the processes");
    expect(rowWith(rows, { Variant: "Tuned (the best of all)" })).toEqual({
      Variant: "Tuned (the best of all)",
      Architecture: "arm64",
      n: "10",
      "Crypto provider": "ring",
      Entropy: "system",
      "Trust store": "bundled",
      Profile: "tuned",
      "Binary MB": "4.86",
      "Zip MB": "2.40",
    });
    // The replica is the same code under another name.
    expect(rowWith(rows, { Variant: "Unwarmed (SDK defaults)" })).toMatchObject({
      n: "20",
      Entropy: "cpu-jitter",
      "Zip MB": "–",
    });
  });

  test("what a process does not say is absent", async () => {
    const ringOf = async (build?: object) => {
      const { markdown } = await reportOf(altered("ring", { build }));
      return rowWith(tableRows(markdown, "What ran"), { Variant: "ring instead of aws-lc" });
    };
    const some = { Profile: "release", Entropy: "–", "Binary MB": "–" };
    expect(await ringOf({ profile: "release" })).toMatchObject(some);
    expect(await ringOf(undefined)).toMatchObject({ n: "–", Profile: "–" });
  });

  test("two builds under one name are told, a row each", async () => {
    const mixed = altered("ring", { build: { profile: "debug", binaryBytes: 90_000_000 } }, 0);
    const { markdown } = await reportOf(mixed);
    const rows = tableRows(markdown, "What ran").filter(({ Variant }) => Variant?.includes("ring"));
    expect(rows.map(({ n, Profile }) => [n, Profile])).toEqual([
      ["1", "debug"],
      ["9", "release"],
    ]);
    expect(markdown).toContain("Different builds answered under the name of one variant");
    expect((await reportOf(samples)).markdown).not.toContain("Different builds");
  });

  test("there is none where no process tells of its build", async () => {
    const of: FixtureChoice = { target: "local", memoryMb: [128], operations: ["get"] };
    const { markdown } = await reportOf([...fixtureSamples(fixturePlan(of))], {}, of);
    expect(markdown).not.toContain("as reported by the processes");
    expect(markdown).not.toContain("Warm-up calls in Init");
  });
});

describe("warm-up calls", () => {
  const rowsOf = (markdown: string) => tableRows(markdown, "Warm-up call in Init");
  const warmedIn = (markdown: string) =>
    rowWith(rowsOf(markdown), { Variant: "Warmed (ListTables at the end of Init)" });

  test("their time stands with its interval, and the source's beside", async () => {
    const { markdown, files } = await reportOf(samples);
    checkedHtml(files["report.html"] as string);
    const times = kept(samples, "warmed-arm64-128", "cold", "get").map(
      ({ result }) => (result as { readonly warmupMs: number }).warmupMs,
    );
    expect(warmedIn(markdown)).toMatchObject({
      n: "10",
      "Warm-up ms": printed(times),
      Failed: "0",
      Failures: "none",
      "Published ms": "75.0",
    });
    expect(rowsOf(markdown)).toHaveLength(2);
  });

  test("failed ones are counted and named, and the answer says so", async () => {
    const { markdown, headline } = await reportOf(
      altered("warmed", { warmupError: "TimedOut" }, 3),
    );
    const failed = { n: "10", Failed: "1", Failures: "`TimedOut` (1)" };
    expect(warmedIn(markdown)).toMatchObject(failed);
    expect(markdown).toContain("1 of 20 warm-up calls in Init failed");
    expect(headline).toContain("1 of 20 warm-up calls in Init failed");
  });
});

describe("what functions say of themselves stays text", () => {
  const hostile = "<script>alert(1)</script>|`x` \u001b[31m\n# head";

  test.each([
    ["a build", "ring", { build: { profile: hostile, entropy: hostile, binaryBytes: hostile } }],
    ["a build that is no object", "ring", { build: hostile }],
    ["a warm-up's error", "warmed", { warmupError: hostile, warmupMs: hostile }],
    ["a warm-up's error that is no text", "warmed", { warmupError: { [hostile]: hostile } }],
  ] as const)("%s", async (_, variant, fields) => {
    const { markdown, html, headline } = await reportOf(altered(variant, fields));
    expect(html.elements.filter(({ name }) => name === "script")).toHaveLength(1);
    expect(markdown).not.toMatch(/<script|^# head/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what is looked for.
    expect(headline).not.toMatch(/\u001b/);
  });

  test("kinds of failures without end are held together", async () => {
    const again = Array.from({ length: 8 }, (_, copy) =>
      samples.map((sample): Sample => {
        const result = {
          ...Object(sample.result),
          bootId: `${Object(sample.result).bootId}-${copy}`,
        };
        return { ...sample, attempt: copy + 1, result };
      }),
    );
    const numbered = again.flat().map((sample, at) => ({
      ...sample,
      result: { ...(sample.result as object), warmupError: `kind ${at}` },
    }));
    const { files } = await reportOf(numbered);
    const { warmupFailures } = JSON.parse(files["summary.json"] as string);
    expect(warmupFailures.length).toBeLessThanOrEqual(210);
    const total = warmupFailures.reduce(
      (sum: number, { count }: { count: number }) => sum + count,
      0,
    );
    expect(total).toBe(numbered.filter(({ phase }) => phase === "cold").length);
  });
});
