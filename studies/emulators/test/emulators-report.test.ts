import { describe, expect, it } from "vitest";
import type { Sample } from "../../../lib/contract/types/contract.ts";
import { contractProblem } from "../../../lib/contract/validate.ts";
import { rowWith, tableRows } from "../../../test/report/support/markdown-tables.ts";
import { microContract } from "../contract.ts";
import type { EngineResult } from "../types/contract.ts";
import {
  engineManifest,
  enginePlan,
  engineReport,
  engineSamples,
} from "./support/engine-fixture.ts";

const plan = enginePlan();
const samples = engineSamples(plan);
const { rendered, view } = await engineReport(plan, samples);
const markdown = rendered.files["report-full.md"] ?? "";
const cold = "DynamoDB Local's time on a cold JVM";
const warm = "DynamoDB Local's time on a warm JVM";

/** The samples, with what one engine answered to one operation changed. */
function changed(engine: string, operation: string, change: (sample: Sample) => Sample): Sample[] {
  return samples.map((sample) =>
    sample.cell.id === engine && sample.operation === operation && sample.phase === "warm"
      ? change(sample)
      : sample,
  );
}

const wrong = (sample: Sample): Sample => ({
  ...sample,
  result: {
    ...(sample.result as EngineResult),
    latenciesMs: Array(100).fill(0.001),
    wrongAnswers: 3,
    wrongAnswer: "GetItem: found nothing; expected the item as it was written",
  },
  rejected: { reason: "result-wrong", detail: "wrongAnswers: found 3; expected 0" },
});

describe("the report of emulators", () => {
  it("has fixtures that keep the contract of every sample", () => {
    for (const sample of samples) expect(contractProblem("sample", sample)).toBeUndefined();
    expect(contractProblem("manifest", view.manifest)).toBeUndefined();
  });

  it("states how many times as quick as DynamoDB Local an engine is, cold and warm", () => {
    const get = rowWith(tableRows(markdown, cold), { Operation: "3 GetItem" });
    expect(get["dynoxide, HTTP"]).toMatch(/^4\.00 \[/);
    expect(get["dynoxide, embedded"]).toMatch(/^40\.0 \[/);
    expect(get.dynalite).toMatch(/^0\.50 \[/);
    const ofWarm = rowWith(tableRows(markdown, warm), { Operation: "3 GetItem" });
    expect(ofWarm["dynoxide, HTTP"]).toMatch(/^2\.00 \[/);
  });

  it("counts a round by its median request, as the source does, however long one of them takes", async () => {
    const paused = changed("dynalite", "get", (sample) => {
      const result = sample.result as EngineResult;
      const latenciesMs = [60_000, ...result.latenciesMs.slice(1)];
      return { ...sample, result: { ...result, latenciesMs } };
    });
    const { rendered: report } = await engineReport(plan, paused);
    const rows = tableRows(report.files["report-full.md"] ?? "", cold);
    expect(rowWith(rows, { Operation: "3 GetItem" }).dynalite).toMatch(/^0\.50 \[0\.50, 0\.50\]/);
  });

  it("calls an engine faster whose requests take less time", () => {
    const get = (id: string) =>
      view.engines
        .find((engine) => engine.id === id)
        ?.operations.find(({ operation }) => operation === "get")?.timesAsQuick?.verdict;
    expect(get("dynoxide-http")).toBe("faster");
    expect(get("dynalite")).toBe("slower");
    expect(get("dynamodb-local")).toBeUndefined();
  });

  it("does not call the start of an engine a cold start", () => {
    expect(markdown).toContain("dynalite is slower than DynamoDB Local at its start: 2.00× ");
    expect(markdown).not.toContain("on a cold start");
  });

  it("puts what was published beside it, and in no figure", () => {
    const rows = tableRows(markdown, cold);
    const published = (operation: string) =>
      rowWith(rows, { Operation: operation })["Published, dynoxide HTTP"];
    expect(published("3 GetItem")).toBe("2.39");
    expect(published("Start-up")).toBe("1180");
    expect(published("50 tests, one by one")).toBe("3.24");
    expect(published("13 DeleteTable")).toBe("–");
  });

  it("gives start-up by mean, deviation and median over the rounds", () => {
    const start = rowWith(tableRows(markdown, "Start-up: "), { Engine: "dynoxide, HTTP" });
    expect(start).toMatchObject({ n: "6", "Mean ms": "1003", "SD ms": "1.87" });
    expect(start["Median ms"]).toMatch(/^1003 \[1000, 1005\]$/);
  });

  it("gives percentiles of all requests, and none of too few", () => {
    const rows = tableRows(markdown, "The workload, ms per request");
    const get = rowWith(rows, { Operation: "3 GetItem", Engine: "dynoxide, HTTP" });
    expect(get).toMatchObject({ Requests: "600", Rounds: "6", "Published P50": "0.330" });
    expect(get.P99).toBe("1.00 [1.00, 1.00]");
  });

  it("tells the memory at rest, with the items, and after the workload", () => {
    const memory = rowWith(tableRows(markdown, "Resident set"), { Engine: "dynalite" });
    expect(memory).toMatchObject({ "At rest": "11.0", "10,000 items": "13.0" });
    expect(memory["After the workload"]).toBe("24.0");
  });

  it("has no row and no whole for what a quick run does not ask the warm JVM", () => {
    const steps = tableRows(markdown, warm).map((row) => row.Operation);
    expect(steps).toContain("7 Query, 5 pages");
    expect(steps).not.toContain("8 Scan, whole table");
    const memory = rowWith(tableRows(markdown, "Resident set"), {
      Engine: "DynamoDB Local, warm JVM",
    });
    expect(memory).toMatchObject({ "At rest": "11.0", "After the workload": "–" });
  });

  it("tells what the tables take in files, beside the source's figures and in no other table", () => {
    const disk = rowWith(tableRows(markdown, "Engines started with their tables in files"), {
      Engine: "dynoxide, HTTP, in files",
    });
    expect(disk).toMatchObject({ "Empty table": "0.123", "10,000 items": "1.2" });
    expect(markdown.replaceAll(/ +/g, " ")).toContain("in files | 0.123 | 0.121 | 1.2 | 15.6 |");
    expect(markdown.match(/dynoxide, HTTP, in files/g)).toHaveLength(1);
    expect(tableRows(markdown, cold)[0]).not.toHaveProperty("dynoxide, HTTP, in files");
  });

  it("shows embedded calls that were timed by themselves, with their machine and versions", async () => {
    const micro = {
      schemaVersion: 1 as const,
      measuredAt: "2026-02-03T04:05:06.000Z",
      machine: "a machine, 2 CPUs",
      versions: { criterion: "0.8.2" },
      calls: [{ call: "get", medianNs: 21_500, lowNs: 21_000, highNs: 22_000, confidence: 0.95 }],
    };
    expect(microContract.problemOf(micro)).toBeUndefined();
    const small = enginePlan(1, ["dynoxide-embedded"]);
    const [without, beside] = await Promise.all(
      [undefined, micro].map(
        async (timed) =>
          (await engineReport(small, engineSamples(small), engineManifest(small), timed)).rendered,
      ),
    );
    const text = beside?.files["report-full.md"] ?? "";
    expect(text).toMatch(/2026-02-03T04:05:06.000Z, a machine, 2 CPUs, criterion 0.8.2/);
    expect(rowWith(tableRows(text, "Embedded calls, microseconds"), { Call: "GetItem" })).toEqual({
      Call: "GetItem",
      "Median us": "21.5 [21.0, 22.0]",
      "Published us": "14.0",
    });
    expect(beside?.files["series.csv"]).toBe(without?.files["series.csv"]);
    expect(markdown).toContain("npm run bench:micro -- --run");
  });

  it("leaves a size that is not known absent, and never 0", () => {
    const rows = tableRows(markdown, "What was measured: version");
    expect(rowWith(rows, { Engine: "dynalite" })).toMatchObject({
      "Installed MB": "9.7",
      "Downloaded MB": "–",
    });
    expect(rowWith(rows, { Engine: "dynoxide, HTTP" })["Installed MB"]).toBe("–");
  });

  it("shows what each engine does of what DynamoDB documents", () => {
    const [row] = tableRows(markdown, "Documented behaviours");
    expect(row).toMatchObject({ DynamoDB: "ValidationException", dynalite: "accepted" });
    expect(row?.["dynoxide, HTTP"]).toBe("yes");
  });

  it("names an engine that could not be had, with the reason", () => {
    expect(markdown).toContain("LocalStack: no localstack on PATH");
    expect(rendered.headline.replaceAll(/\s+/g, " ")).toContain(
      "LocalStack: no localstack on PATH",
    );
  });

  it("has a table on its first screen: the engines with their starts, and times against DynamoDB Local's", () => {
    const rows = tableRows(markdown, "Medians on this machine");
    const byEngine = Object.fromEntries(rows.map((row) => [row.engine, row]));
    // Made up: DynamoDB Local takes 4 ms a request and 4 s to start, or 2 ms warm; dynoxide takes 1 ms and 1 s.
    expect(byEngine["dynoxide, HTTP"]).toMatchObject({
      ...{ start: "4.00× faster", requests: expect.stringMatching(/^2\.00× faster/) },
    });
    expect(byEngine.dynalite).toMatchObject({
      ...{ start: "2.00× slower", requests: expect.stringMatching(/^4\.00× slower/) },
    });
    expect(Number(byEngine["dynoxide, HTTP"]?.["start ms"]?.replace(",", ""))).toBeCloseTo(
      1000 * (1 + 2.5 / 1000),
      -1,
    );
    expect(byEngine["DynamoDB Local, cold JVM"]).toMatchObject({ start: "–" });
    expect(rendered.headline.trimEnd().split("\n").length).toBeLessThanOrEqual(18);
  });

  it("is the same whatever the order of the samples", async () => {
    const again = await engineReport(plan, [...samples].reverse());
    expect(again.rendered.files).toEqual(rendered.files);
  });
});

describe("the report of emulators, where something went wrong", () => {
  it("calls an engine wrong that answered wrongly, and gives it no speed", async () => {
    const { rendered: report } = await engineReport(plan, changed("dynalite", "get", wrong));
    const text = report.files["report-full.md"] ?? "";
    const row = rowWith(tableRows(text, cold), { Operation: "3 GetItem" });
    expect(row.dynalite).toBe("wrong");
    expect(
      rowWith(tableRows(text, "Operations that an engine"), { Engine: "dynalite" }),
    ).toMatchObject({ Rounds: "6", "Wrong answers": "18" });
    const rows = tableRows(text, "The workload, ms per request");
    expect(
      rows.filter((each) => each.Engine === "dynalite" && each.Operation === "3 GetItem"),
    ).toEqual([]);
    expect(report.manifest.counts.rejected).toEqual({ "result-wrong": 6 });
  });

  it("tells why an engine's trials failed, and what there is too little of", async () => {
    const few = samples.filter(({ cell, block }) => cell.id !== "dynoxide-http" || block < 2);
    const message = "it ended with exit status: 1";
    const cellFailures = [2, 3, 4, 5].map((block) => ({
      cellId: "dynoxide-http",
      block,
      type: "EngineNotStarted",
      message,
    }));
    const manifest = { ...engineManifest(plan), status: "partial" as const, cellFailures };
    const { rendered: report } = await engineReport(plan, few, manifest);
    const text = report.files["report-full.md"] ?? "";
    const headline = report.headline.replaceAll(/\s+/g, " ");
    expect(headline).toContain("dynoxide, HTTP: 4 rounds could not be started");
    expect(headline).toContain(`EngineNotStarted: ${message}`);
    const row = rowWith(tableRows(text, cold), { Operation: "3 GetItem" });
    expect(row["dynoxide, HTTP"]).toBe("insufficient (2 of 6)");
  });

  it("counts samples of another run apart, and nowhere else", async () => {
    const strange = samples.map((sample) => ({ ...sample, runId: "another" }));
    const { rendered: report } = await engineReport(plan, [...samples, ...strange]);
    expect(report.manifest.counts.rejected).toEqual({ "of-another-run": strange.length });
    expect(report.files["series.csv"]).toBe(rendered.files["series.csv"]);
  });
});
