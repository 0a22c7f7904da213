import { describe, expect, test } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import {
  asPublished,
  firstRequestChoice,
  firstRequestPlan,
  firstRequestSamples,
  type Work,
} from "../report/support/first-request-fixture.ts";
import type { FixtureChoice } from "../report/support/fixture.ts";
import { fixtureReport } from "../report/support/fixture-report.ts";
import { checkedHtml } from "../report/support/html-check.ts";
import { htmlWithoutPictures } from "../report/support/html-without-pictures.ts";
import { rowWith, tableRows } from "../report/support/markdown-tables.ts";
import {
  average,
  durationOf,
  kept,
  middle,
  printed,
  printedMedian,
} from "../report/support/own-arithmetic.ts";

/** What is told of cold starts needs no warm calls. */
const at128: FixtureChoice = { memoryMb: [128], warm: 0 };

async function reportOf(choice: FixtureChoice, work: Work | Sample[] = asPublished) {
  const samples = Array.isArray(work) ? work : firstRequestSamples(firstRequestPlan(choice), work);
  const report = await fixtureReport({ ...firstRequestChoice, ...choice }, { samples });
  checkedHtml(htmlWithoutPictures(report));
  return report;
}

/** Samples whose functions tell these connections, whatever they should be. */
const telling = (connections: unknown) =>
  firstRequestSamples(firstRequestPlan(at128)).map(
    (sample): Sample => ({ ...sample, result: { ...(sample.result as object), connections } }),
  );

const samples = firstRequestSamples(firstRequestPlan());
const report = await reportOf({}, samples);
const cold = (cellId: string) => kept(samples, cellId, "cold", "get");

interface Connections {
  readonly connections: readonly { readonly dnsMs: number; readonly tlsMs: number }[];
}
const tlsOf = (connection: number) => (sample: Sample) =>
  (sample.result as Connections).connections[connection]?.tlsMs as number;

describe("the phases are those of the breakdown's cold samples", () => {
  const breakdown = cold("breakdown-arm64-128");
  const rows = tableRows(report.markdown, "Where the first request goes: mean");
  const phase = (label: string) => rowWith(rows, { "Memory MB": "128", Phase: label });

  test("each with mean and median, their intervals, and the source's mean beside", () => {
    const values = breakdown.map(tlsOf(0));
    expect(phase("TLS, first connection")).toMatchObject({
      n: "10",
      "Mean ms": printed(values),
      "Median ms": printedMedian(values),
      "Published mean ms": "745",
    });
    expect(phase("First Duration")).toMatchObject({
      "Mean ms": printed(breakdown.map(durationOf)),
      "Published mean ms": "868",
    });
    expect(phase("TLS, second connection")["Published mean ms"]).toBe("–");
  });

  test("the source's means stand beside its own memory size alone", () => {
    const larger = rowWith(rows, { "Memory MB": "1769", Phase: "TLS, first connection" });
    expect(larger["Published mean ms"]).toBe("–");
  });

  test("every cold start stands in a row of its own, and the source's in a table apart", () => {
    const runs = tableRows(report.markdown, "Each cold start of the breakdown");
    const own = breakdown.find(({ block }) => block === 2) as Sample;
    expect(runs).toHaveLength(20);
    expect(rowWith(runs, { "Memory MB": "128", Block: "2" })["TLS, first connection"]).toBe(
      tlsOf(0)(own).toFixed(0),
    );
    const published = tableRows(report.markdown, "The source's own cold starts");
    expect(published.map(({ Run: run }) => run)).toEqual(["1", "2", "3", "4"]);
    expect(published.map((row) => row["TLS, first connection"])).toEqual([
      "679",
      "820",
      "662",
      "819",
    ]);
  });

  test("the first handshake over the second is the ratio of their medians", () => {
    const row = rowWith(tableRows(report.markdown, "TLS handshakes of one process"), {
      "Memory MB": "128",
    });
    const first = breakdown.map(tlsOf(0));
    const second = breakdown.map(tlsOf(1));
    const differences = first.map((value, index) => value - (second[index] as number));
    const later = kept(samples, "breakdown-arm64-128", "second", "get").map(tlsOf(0));
    expect(row).toMatchObject({
      "First ms": printed(first),
      "Second ms": printed(second),
      "One-time ms": printed(differences),
      "First of the second invocation ms": printed(later),
      Verdict: "slower",
    });
    expect(row.Ratio?.split(" ")[0]).toBe((middle(first) / middle(second)).toFixed(1));
  });
});

describe("what each change does", () => {
  const rowOf = (caption: string, variant: string) =>
    rowWith(tableRows(report.markdown, caption), { "Memory MB": "128", Variant: variant });
  const warmed = "Warmed (ListTables at the end of Init)";
  const values = (cellId: string, of: (sample: Sample) => number) => cold(cellId).map(of);

  test.each([
    ["Init, ms", (sample: Sample) => sample.telemetry?.initDurationMs as number, "slower"],
    ["First Duration, ms", durationOf, "faster"],
    [
      "Billed cold start, ms",
      (sample: Sample) => sample.telemetry?.billedDurationMs as number,
      "less",
    ],
  ] as const)("%s: both medians, their ratio, a verdict", (caption, of, verdict) => {
    const without = values("unwarmed-arm64-128", of);
    const changed = values("warmed-arm64-128", of);
    const row = rowOf(caption, warmed);
    expect(row).toMatchObject({
      "Without ms": printed(without),
      "With ms": printed(changed),
      Verdict: verdict,
    });
    const ratio = middle(changed) / middle(without);
    expect(Number(row.Ratio?.split(" ")[0])).toBeCloseTo(ratio, ratio < 0.1 ? 3 : 2);
  });

  test("cost is that of a million such bills, request fee included", () => {
    const usd = (sample: Sample) => {
      const seconds = (sample.telemetry?.billedDurationMs as number) / 1000;
      return 1e6 * ((128 / 1024) * seconds * 0.0000133334 + 0.0000002);
    };
    const row = rowOf("Cost per million cold starts", warmed);
    const [without, changed] = ["unwarmed-arm64-128", "warmed-arm64-128"].map((id) =>
      average(values(id, usd)),
    ) as [number, number];
    for (const [column, value] of [
      ["Without \\$", without],
      ["With \\$", changed],
    ] as const) {
      const [mean, low, high] = (row[column]?.match(/[\d.]+/g) ?? []).map(Number);
      const step = 0.5 * 10 ** -(row[column]?.split(" ")[0]?.split(".")[1]?.length ?? 0);
      expect(Math.abs((mean ?? 0) - value)).toBeLessThanOrEqual(step + 1e-9);
      expect(low).toBeLessThan(mean ?? 0);
      expect(high).toBeGreaterThan(mean ?? 0);
    }
    expect(Number(row.Ratio?.split(" ")[0])).toBeCloseTo(changed / without, 2);
    expect(row.Verdict).toBe("less");
  });

  test("the source's figures stand beside the change that it made, at its memory size", () => {
    expect(rowOf("Init, ms", warmed)["Published ms"]).toBe("112 → 166");
    expect(rowOf("First Duration, ms", warmed)["Published ms"]).toBe("912 → 21");
    expect(rowOf("Billed cold start, ms", warmed)["Published ms"]).toBe("1025 → 188");
    expect(rowOf("First Duration, ms", "ring instead of aws-lc")["Published ms"]).toBe("–");
    const larger = tableRows(report.markdown, "First Duration, ms").filter(
      (row) => row["Memory MB"] === "1769",
    );
    expect(larger.map((row) => row["Published ms"])).toEqual(["–", "–", "–", "–"]);
  });

  test("the breakdown is no change: it does other work", () => {
    const variants = tableRows(report.markdown, "First Duration, ms").map((row) => row.Variant);
    expect(variants).not.toContain("Breakdown (two connections by hand, then GetItem)");
  });
});

describe("the answer follows the evidence", () => {
  const oneTime = "goes to one-time crypto initialisation, and not to the TLS handshake as such";

  test("entropy gathered once: said with its sizes, ratios and intervals", () => {
    expect(report.markdown).toContain(`**At 128, 1,769 MB most of the first request ${oneTime}.**`);
    expect(report.markdown).toMatch(
      /the first takes 1\d\.\d \[[\d.]+, [\d.]+\] \([\d,]+ MB\) to 1\d\.\d .* times as long/,
    );
    expect(report.markdown).toMatch(
      /without CPU-jitter entropy\*\* \(`no-jitter`\).*faster in all 2/,
    );
    expect(report.headline).toContain("one-time crypto");
  });

  test("no-jitter says what it gives up, where it was run", async () => {
    const words = "one source of entropy fewer";
    expect(report.markdown).toContain(words);
    const without = await reportOf({ ...at128, variants: ["breakdown", "unwarmed", "warmed"] });
    expect(without.markdown).not.toContain(words);
  });

  test.each([
    [
      "a library slow once, whatever its entropy",
      { handshake: 4, entropy: 0, provider: 50, request: 2 },
      "goes to one-time initialisation of the crypto library",
    ],
    [
      "a handshake as long the second time",
      { handshake: 40, entropy: 0, provider: 0, request: 2 },
      "the first handshake is mostly the TLS handshake itself",
    ],
    [
      "entropy that is gathered once and is less than half of the request",
      { handshake: 1, entropy: 3, provider: 0, request: 3 },
      "whether it is the crypto library's was not decided",
    ],
    [
      "a long request behind a short handshake",
      { handshake: 4, entropy: 0, provider: 0, request: 60 },
      "most of the first request is not in the TLS handshake at all",
    ],
  ] as const)("%s", async (_, work, words) => {
    const { markdown } = await reportOf(at128, work);
    expect(markdown).toContain(words);
    expect(markdown).not.toContain(oneTime);
  });

  test("one-time work that no change of crypto removes is not called crypto's", async () => {
    const all = firstRequestSamples(firstRequestPlan(at128));
    const unwarmed = all.filter(({ cell }) => cell.id === "unwarmed-arm64-128");
    const same = all.map((sample): Sample => {
      const { variant } = sample.cell;
      if (variant !== "no-jitter" && variant !== "ring") return sample;
      const replica = unwarmed.find(
        (other) => other.block === sample.block && other.sequence === sample.sequence,
      ) as Sample;
      return { ...sample, telemetry: replica.telemetry as object } as Sample;
    });
    const { markdown } = await reportOf(at128, same);
    expect(markdown).toContain("that it is the crypto library's was not shown");
    expect(markdown).not.toContain(oneTime);
  });

  test("builds that were not run decide nothing", async () => {
    const { markdown } = await reportOf({ ...at128, variants: ["breakdown", "unwarmed"] });
    expect(markdown).toContain("whether it is the crypto library's was not decided");
    expect(markdown).toContain("(`ring`), first request: unknown, because it was not run");
  });

  test("without the breakdown the builds alone are named as the evidence", async () => {
    const variants = ["unwarmed", "no-jitter", "ring"];
    const { markdown } = await reportOf({ ...at128, variants });
    expect(markdown).toContain("the builds alone point to one-time crypto initialisation");
    expect(markdown).toContain("unknown, because breakdown was not run");
    expect(markdown).toContain("The breakdown was not run, so the phases are unknown.");
  });

  test("too few environments: undecided, with how many there were and are needed", async () => {
    const { markdown, headline, files } = await reportOf({ ...at128, cold: 3, warm: 30 });
    checkedHtml(files["report.html"] as string);
    expect(markdown).toContain(
      "At 128 MB it is undecided between the TLS handshake and one-time crypto initialisation.",
    );
    expect(markdown).toContain("insufficient (3 of 6)");
    expect(markdown).not.toContain(oneTime);
    expect(headline).toContain("undecided");
  });

  test("it says on what it was measured", async () => {
    expect(report.markdown).toContain("in a simulation on one machine (A processor, arm64)");
    const aws = await reportOf({ ...at128, target: "aws" });
    expect(aws.markdown).toContain("on AWS Lambda (ap-northeast-1, arm64)");
    expect(aws.markdown).not.toContain("in a simulation");
  });
});

test.each([
  ["no connections", undefined],
  ["one connection", [{ dnsMs: 1, tcpMs: 1, tlsMs: 1 }]],
  [
    "a negative time",
    [
      { dnsMs: -1, tcpMs: 1, tlsMs: 1 },
      { dnsMs: 1, tcpMs: 1, tlsMs: 1 },
    ],
  ],
  ["text", [{ dnsMs: "<b>", tcpMs: 1, tlsMs: 1 }, "</td>"]],
  ["an object", { length: 2 }],
])(
  "samples that do not say what they should %s: the phases are absent, and nothing is claimed of handshakes",
  async (_, connections) => {
    const { markdown } = await reportOf(at128, telling(connections));
    const rows = tableRows(markdown, "Where the first request goes: mean");
    const tls = rowWith(rows, { Phase: "TLS, first connection" });
    expect(tls).toMatchObject({ n: "0", "Median ms": "–", "Mean ms": "–" });
    expect(rowWith(rows, { Phase: "First Duration" })["Median ms"]).not.toBe("–");
    expect(markdown).toContain("of one process:** not measured.");
    expect(markdown).toContain("the builds alone point to one-time crypto initialisation");
  },
);

test("the summary and series.csv have the figures unrounded", () => {
  const summary = JSON.parse(report.files["summary.json"] as string);
  const own = middle(cold("breakdown-arm64-128").map(tlsOf(0)));
  const [handshake] = summary.own.handshakes;
  expect(handshake.firstMs.median).toBe(own);
  expect(summary.own.phaseRuns).toHaveLength(20);
  const [head = "", ...lines] = (report.files["series.csv"] as string).trimEnd().split("\n");
  const line = lines.find((text) => text.startsWith("breakdown-arm64-128,"))?.split(",");
  expect(Number(line?.[head.split(",").indexOf("firstTlsMedianMs")])).toBe(own);
  const unwarmed = lines.find((text) => text.startsWith("unwarmed-arm64-128,"))?.split(",");
  expect(unwarmed?.[head.split(",").indexOf("firstTlsMedianMs")]).toBe("");
});

test("the order of samples changes nothing", async () => {
  const reversed = await reportOf({}, [...samples].reverse());
  expect(reversed.markdown).toBe(report.markdown);
  expect(reversed.files["summary.json"]).toBe(report.files["summary.json"]);
});

test("its charts are drawn of what was run and told", async () => {
  const untold = await reportOf(at128, telling(undefined));
  const two = await reportOf({ ...at128, variants: ["breakdown", "unwarmed"] });
  for (const { files } of [untold, two]) checkedHtml(files["report.html"] as string);
});

test("its charts are drawn, each with a table of its numbers", () => {
  const { elements, ids } = checkedHtml(report.files["report.html"] as string);
  expect(new Set(ids).size).toBe(ids.length);
  const figures = elements.filter(({ name }) => name === "figure");
  expect(figures.map(({ attributes }) => attributes.id)).toEqual([
    "chart-cold",
    "chart-warm",
    "chart-distribution",
    "chart-cost",
    "chart-ratio",
    "chart-handshakes",
    "chart-first-request",
  ]);
  // The chart of handshakes draws means, and calls them so.
  expect(report.files["report.html"]).not.toContain("Median over environments with its 95% CI");
});

test("two architectures: each has its own answer, charts and published figures or none", async () => {
  const { markdown, files } = await reportOf({
    ...at128,
    target: "aws",
    architectures: ["arm64", "x86_64"],
  });
  checkedHtml(files["report.html"] as string);
  expect(markdown).toContain("**At 128 MB, arm64; 128 MB, x86_64 most of the first request");
  const rows = tableRows(markdown, "First Duration, ms").filter((row) =>
    row.Variant?.startsWith("Warmed"),
  );
  expect(rows.map((row) => [row.Architecture, row["Published ms"]])).toEqual([
    ["arm64", "912 → 21"],
    ["x86_64", "–"],
  ]);
});
