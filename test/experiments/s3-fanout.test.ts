import { describe, expect, it } from "vitest";
import type { Plan } from "../../lib/contract/types/contract.ts";
import type { S3FanoutFigures } from "../../lib/experiments/s3-fanout/figures.ts";
import { plain } from "../../lib/report/document/document.ts";
import type { FixtureChoice } from "../report/support/fixture.ts";
import { fixtureReport } from "../report/support/fixture-report.ts";
import { checkedHtml } from "../report/support/html-check.ts";
import { htmlWithoutPictures } from "../report/support/html-without-pictures.ts";
import { rowWith, tableRows } from "../report/support/markdown-tables.ts";
import {
  average,
  durationOf,
  environmentAverages,
  kept,
  printed,
  printedMedian,
} from "../report/support/own-arithmetic.ts";
import {
  cpuMs,
  network,
  s3FanoutChoice,
  s3FanoutPlan,
  s3FanoutSamples,
} from "../report/support/s3-fanout-fixture.ts";

async function reportOf(choice: FixtureChoice = {}, plan: Partial<Plan> = { network }) {
  const samples = s3FanoutSamples(s3FanoutPlan(choice));
  const report = await fixtureReport({ ...s3FanoutChoice, ...choice }, { samples, plan });
  checkedHtml(htmlWithoutPictures(report));
  return report;
}

const samples = s3FanoutSamples(s3FanoutPlan());
const { files, markdown } = await reportOf();
const fanouts = (cellId: string) => kept(samples, cellId, "warm", "fanout");
const aio = "Python (aioboto3)";
const executor = "Python (boto3, executor)";
const rust = "Rust (concurrent)";
const at = (memory: string, variant: string) => ({ "Memory MB": memory, Variant: variant });

describe("durations", () => {
  const rows = tableRows(markdown, "Warm Duration of the fan-out over 100 objects");

  it("are told by mean and median, the source's mean beside, with what was under way", () => {
    const of = fanouts("python-aioboto3-x86-64-512");
    expect(rowWith(rows, at("512", aio))).toMatchObject({
      n: "9",
      "Mean ms": printed(environmentAverages(of, durationOf)),
      "Median ms": printedMedian(environmentAverages(of, durationOf)),
      "Published mean ms": "1260",
      Concurrency: "100",
      Pool: "10",
      "Under way": "8.00",
    });
  });

  it("of Rust have nothing published beside them, and no pool", () => {
    expect(rowWith(rows, at("3008", rust))).toMatchObject({ "Published mean ms": "–", Pool: "–" });
  });

  it("are drawn by memory, a line a variant", () => {
    expect(files["report.html"]).toContain("Fan-out by memory and variant");
    checkedHtml(files["report.html"] as string);
  });
});

describe("what calls at the same time give", () => {
  const rows = tableRows(markdown, "What concurrent calls gain");

  it("is over the same language one call after another, at the same size", () => {
    const means = ["rust-concurrent-x86-64-3008", "rust-serial-x86-64-3008"].map((cellId) =>
      average(environmentAverages(fanouts(cellId), durationOf)),
    );
    const ratio = (means[0] as number) / (means[1] as number);
    const row = rowWith(rows, at("3008", rust));
    expect(row["Over one after the other"]?.split(" ")[0]).toBe(ratio.toFixed(2));
    expect(row.Parallel).toBe("faster");
  });

  it("is nothing where the processor is what takes the time", () => {
    expect(rowWith(rows, at("128", aio))["Over one after the other"]).toMatch(/^1\.00 /);
    expect(markdown).toMatch(
      /\*\*Why not more\*\*.*Python \(aioboto3\) at 128 MB \(200 ms of CPU time, 2764 ms/,
    );
  });

  it("says to which size more memory pays", () => {
    expect(rowWith(rows, at("128", aio))["Over the smaller size"]).toBe("1 (smallest)");
    expect(markdown).toMatch(
      /More memory makes the parallel calls faster\*\*: .*Python \(aioboto3\) to 3,008 MB/,
    );
  });
});

describe("the factors", () => {
  it("are held against the noise floor of their own size, and of no other", async () => {
    // The A/A pair, of the smallest size, as far apart as no factor is.
    const deployed = { ...s3FanoutChoice, target: "aws" } as const;
    const apart = s3FanoutSamples(s3FanoutPlan(deployed)).map((sample) => {
      const { cell, telemetry } = sample;
      if (cell.replicaOf === undefined || telemetry === undefined) return sample;
      return { ...sample, telemetry: { ...telemetry, durationMs: telemetry.durationMs * 1000 } };
    });
    const { view } = await fixtureReport(deployed, { samples: apart, plan: { network } });
    const { gains } = view.own as S3FanoutFigures;
    const smallest = Math.min(...gains.map(({ cell }) => cell.memoryMb));
    const verdicts = (isSmallest: boolean) =>
      gains
        .filter(({ cell }) => (cell.memoryMb === smallest) === isSmallest)
        .map(({ toSerial }) => toSerial.verdict);
    expect(new Set(verdicts(true))).toEqual(new Set(["undecided"]));
    expect(verdicts(false)).toContain("faster");
  });

  const rows = tableRows(markdown, "Concurrency and pool size: ratio");
  const changed = (memory: string, variant: string, to: string) =>
    rows.find(
      (row) =>
        row["Memory MB"] === memory && row.Variant === variant && row.Changed?.startsWith(to),
    );

  it("are changed one after the other: fifty calls and connections, then fewer connections", () => {
    expect(changed("3008", rust, "`fanout-50` over")?.Ratio).toMatch(/^0\.20 /);
    expect(changed("3008", executor, "`fanout-50-pool-10` over")?.Ratio).toMatch(/^(2\.9|3\.0)/);
    expect(changed("3008", executor, "`fanout-50-pool-10` over")?.Verdict).toBe("slower");
  });

  it("are nothing to a variant that does not make them, which has no row and no empty series", () => {
    expect(rows.some(({ Variant }) => Variant?.includes("serial"))).toBe(false);
    expect(changed("3008", rust, "`fanout-50-pool-10`")).toBeUndefined();
    const warm = tableRows(markdown, "Warm Duration: mean");
    const serial = warm.filter(({ Variant }) => Variant === "Rust (serial)");
    expect(new Set(serial.map(({ Operation }) => Operation))).toEqual(new Set(["`fanout`"]));
  });
});

describe("what bounds a fan-out", () => {
  const rows = tableRows(markdown, "What bounds the fan-out");
  const plain = rows.filter(({ Operation }) => Operation === "`fanout`");

  it("is the rounds of waiting, by the calls that go at once: of aioboto3 no more than its pool", () => {
    expect(rowWith(plain, at("3008", rust))).toMatchObject({
      "Calls at once": "10",
      "Waiting ms": "150",
      "Over waiting": "1.00",
      "Bound by": "waiting",
    });
    expect(rowWith(plain, at("3008", executor))["Waiting ms"]).toBe(String(17 * 15));
    expect(rowWith(plain, at("3008", aio))["Calls at once"]).toBe("10");
  });

  it("or the CPU time at the size's share, Python's on one CPU at the most", () => {
    expect(rowWith(plain, at("128", aio))).toMatchObject({
      "CPU time ms": "200",
      "Processor ms": ((cpuMs.python * 1769) / 128).toFixed(0),
      "Over the larger": "1.00",
      "Bound by": "processor",
    });
    expect(rowWith(plain, at("3008", aio))["Processor ms"]).toBe("200");
    expect(rowWith(plain, at("3008", rust))["Processor ms"]).toBe(((30 * 1769) / 3008).toFixed(1));
  });

  it("is not told of a run without a network of its own, but for the processor", async () => {
    const without = (await reportOf({ network: false }, {})).markdown;
    const plain = tableRows(without, "What bounds the fan-out").filter(
      ({ Operation }) => Operation === "`fanout`",
    );
    expect(rowWith(plain, at("3008", rust))).toMatchObject({ "Waiting ms": "–", "Bound by": "–" });
    expect(without).not.toContain("Nearest to the ideal");
  });
});

describe("the report's common rooms", () => {
  it("name S3 where it is S3 that is called, and price its requests", () => {
    expect(markdown).toContain("the network and the S3 behind it differ");
    expect(markdown).toContain("Transport to S3");
    expect(markdown).not.toContain("Transport to DynamoDB");
  });

  it("say that times of calls at the same time are summed", () => {
    expect(markdown).toContain("Concurrent calls are summed, so this can exceed the Duration.");
  });

  it("have its finding in one sentence", async () => {
    const page = JSON.parse(files["report.json"] as string);
    expect(plain(page.finding)).toMatch(
      /^.+ is faster than one call after another for the fan-out: [\d.]+× \[/,
    );
  });
});
