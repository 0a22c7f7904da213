import { describe, expect, it } from "vitest";
import { contractProblem } from "../../lib/contract/validate.ts";
import type { FunctionOptions } from "../../lib/import/imported-cells.ts";
import { readSource } from "../../lib/import/read-source.ts";
import type { ReadSource } from "../../lib/import/source.ts";
import {
  first,
  ids,
  importedRunId,
  importOf,
  readGolden,
  readText,
  second,
  warm,
} from "./sources.ts";

const run = (words: FunctionOptions, ...sources: readonly ReadSource[]) => importOf(sources, words);
const text = (...lines: readonly string[]) => readText(lines.join("\n"));
const report = (id: string, rest = "") =>
  `REPORT RequestId: ${id}\tDuration: 2.50 ms\tMax Memory Used: 38 MB${rest}`;

describe("the samples of an import", () => {
  const { samples, plan, manifest } = run({ variant: "hello" }, readGolden("text.log"));

  it("are cold where an Init Duration or a failed Init was reported, and else warm: second is not known", () => {
    const phases = ["cold", "cold", "warm", "warm", "cold", "warm"];
    expect(samples.map(({ phase }) => phase)).toEqual(phases);
  });

  it("are cold too where SnapStart reported a Restore Duration", () => {
    const json = run({}, readGolden("json.log"));
    expect(json.samples.map(({ phase }) => phase)).toEqual(["cold", "warm", "warm", "cold"]);
  });

  it("stand each for an environment of its own, which no sample of another cell shares", () => {
    expect(samples.map(({ block }) => block)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(samples.map(({ sequence }) => sequence))).toEqual(new Set([0]));
  });

  it("have nothing that the source does not say", () => {
    const { cell: _, telemetry: __, ...first } = samples[0] ?? {};
    expect(first).toEqual({
      runId: importedRunId,
      experiment: "imported",
      target: "imported",
      operation: "invoke",
      phase: "cold",
      block: 0,
      sequence: 0,
      requestId: "6f2b1c7e-0000-4000-8000-000000000001",
    });
  });

  it("are rejected where Lambda reported that the invocation failed", () => {
    expect(samples[4]).toMatchObject({
      rejected: { reason: "error", detail: "timeout" },
      error: { type: "timeout" },
    });
  });

  it("are counted once where a report comes twice, and twice where a retry has its request id", () => {
    expect(manifest.imported?.sources[0]).toMatchObject({
      read: 16,
      taken: 6,
      notTaken: { "reports read before": 1 },
    });
    const retried = run(
      { variant: "x", memoryMb: 128 },
      text(report("r1"), report("r1", "\tBilled Duration: 4 ms"), report("r1")),
    );
    expect(retried.samples).toHaveLength(2);
  });

  it("are as many as an event's attempts that timed out, though only the time of their reports differs", () => {
    const at = (time: string) => `2026-01-05T${time}Z ${report("r1", "\tStatus: timeout")}`;
    const tried = run(
      { variant: "x", memoryMb: 128 },
      text(...["10:00:03.1", "10:01:06.2", "10:01:06.3", "10:03:09.4"].map(at)),
    );
    expect(tried.samples).toHaveLength(3);
    expect(tried.manifest.imported?.sources[0]?.notTaken).toEqual({ "reports read before": 1 });
  });

  it("keep the contract, and so do plan and manifest", () => {
    for (const sample of samples) expect(contractProblem("sample", sample)).toBeUndefined();
    expect(contractProblem("plan", plan)).toBeUndefined();
    const counts = { planned: 0, recorded: 6, kept: 5, rejected: {} };
    expect(contractProblem("manifest", { ...manifest, counts })).toBeUndefined();
  });

  it("make a cell a memory size, with the runtime and the region that the source says", () => {
    expect(plan.cells).toEqual([
      {
        id: "hello-arm64-128",
        variant: "hello",
        runtime: "python:3.13",
        architecture: "arm64",
        memoryMb: 128,
      },
      expect.objectContaining({ id: "hello-arm64-256" }),
    ]);
    expect(manifest).toMatchObject({
      region: "eu-west-1",
      versions: { runtime: "python:3.13.v10" },
    });
  });
});

describe("the environments of an import", () => {
  const tail = (stream: string, id: string, memoryMb = 128) =>
    `2026-01-05T10:00:00+00:00 ${stream} ${report(id, `\tMemory Size: ${memoryMb} MB`)}`;
  const named = { variant: "f" };

  it("are its log streams, and of what names none each invocation is one", () => {
    const bare = ["d", "e"].map((id) => report(id, "\tMemory Size: 128 MB"));
    const lines = [tail(first, "a"), tail(second, "b"), tail(first, "c"), ...bare];
    const { samples, manifest, plan } = run(named, text(...lines, tail(second, "f", 256)));
    expect(samples.map(({ block }) => block)).toEqual([0, 1, 0, 2, 3, 4]);
    expect(samples.map(({ sequence }) => sequence)).toEqual([0, 0, 1, 0, 0, 0]);
    expect(manifest.imported?.logStreams).toEqual({
      ...{ streams: 3, samples: 4, samplesWithout: 2, fewestSamples: 1, mostSamples: 2 },
    });
    expect(plan.sizes).toMatchObject({ environments: 0, warmEnvironments: 4 });
  });

  it("are the same ones where two files hold parts of a stream", () => {
    const { samples } = run(named, text(tail(first, "a")), text(tail(first, "b")));
    expect(samples.map(({ block }) => block)).toEqual([0, 0]);
  });
});

it("a call in a log and in a CSV of Logs Insights is one, with the figures of both", () => {
  const log = `${warm}Status: timeout`;
  const csv = `@requestId,@duration,@initDuration,@memorySize\n${ids[1]},2.48,,128000000\n${ids[2]},2.48,,128000000`;
  for (const texts of [
    [log, csv],
    [csv, log],
  ]) {
    const { samples, manifest } = run({ variant: "hello" }, ...texts.map(readText));
    expect(samples.map(({ requestId }) => requestId).sort()).toEqual([ids[1], ids[2]]);
    const both = samples.find(({ requestId }) => requestId === ids[1]);
    expect(both).toMatchObject({
      telemetry: { durationMs: 2.48, billedDurationMs: 3, maxMemoryUsedMb: 39, status: "timeout" },
      rejected: { reason: "error" },
    });
    const twice = manifest.imported?.sources.map(({ notTaken }) => notTaken["reports read before"]);
    expect(twice).toEqual([undefined, 1]);
  }
});

describe("the function of an import", () => {
  it("is called as the source calls it, or as the caller does", () => {
    const variants = (words: FunctionOptions) =>
      run(words, readGolden("insights.csv")).plan.cells.map(({ variant }) => variant);
    expect(variants({})).toEqual(["hello"]);
    expect(variants({ variant: "before" })).toEqual(["before"]);
    const named = run({ variant: "x", runtime: "python3.13" }, readGolden("text.log"));
    expect(named.plan.cells[0]?.runtime).toBe("python3.13");
  });

  it("is several where a source names several, and then takes no one name", () => {
    const rows = ["a", "b"].map((name) => `2.5,,1.28E8,1:/aws/lambda/${name}`);
    const source = readSource({
      name: "two.csv",
      text: ["@duration,@initDuration,@memorySize,@log", ...rows].join("\n"),
    });
    expect(run({}, source).plan.cells.map(({ id }) => id)).toEqual(["a-arm64-128", "b-arm64-128"]);
    expect(() => run({ variant: "one" }, source)).toThrow(
      'variant: found "one"; allowed: none, because the sources contain several functions (a, b)',
    );
  });

  it.each<[string, FunctionOptions, string]>([
    [
      "no name",
      { memoryMb: 128 },
      "a.log does not say which function it belongs to: name it with --variant",
    ],
    [
      "no architecture",
      { variant: "x", architecture: "" },
      'architecture: found ""; allowed: arm64',
    ],
    [
      "no memory size",
      { variant: "x" },
      "a.log line 1: Memory Size: found nothing; allowed: a size",
    ],
    [
      "another size than Lambda has",
      { variant: "x", memoryMb: 64 },
      'found "64 MB"; allowed: a whole',
    ],
    ["a name without a letter", { variant: "!", memoryMb: 128 }, 'variant: found "!"'],
  ])("is refused with %s", (_, words, message) => {
    expect(() => run(words, text(report("r1")))).toThrow(message);
  });

  it.each<[string, FunctionOptions, string]>([
    [
      "memory size",
      { memoryMb: 512 },
      'text.log line 6: Memory Size: found "128 MB"; allowed: 512 MB',
    ],
    ["region", { region: "us-east-1" }, 'region: found "us-east-1"; allowed: eu-west-1'],
    ["runtime", { runtime: "python3.12" }, 'runtime: found "python3.12"; allowed: python:3.13'],
  ])("is refused with another %s than the source says", (_, words, message) => {
    expect(() => run({ variant: "x", ...words }, readGolden("text.log"))).toThrow(message);
  });
});

describe("averages of another tool", () => {
  const named = { variant: "tuned" };

  it("become no samples: they stand in the manifest, by their cells", () => {
    const { samples, manifest, plan } = run(named, readGolden("power-tuning-stats.json"));
    expect(samples).toEqual([]);
    expect(plan.cells.map(({ memoryMb }) => memoryMb)).toEqual([128, 512, 1024]);
    expect(manifest.imported?.averages?.[1]).toEqual({
      cellId: "tuned-arm64-512",
      durationMs: 10.25,
      costUsd: 9e-8,
    });
  });

  it("stand in no run with samples", () => {
    const both = [readGolden("power-tuning-stats.json"), readGolden("text.log")];
    expect(() => run(named, ...both)).toThrow(
      'source: found "power-tuning-stats.json"; allowed: sources with samples only, such as text.log',
    );
  });
});

describe("a source", () => {
  it("without a report is refused, with what was read", () => {
    expect(() => text("Duration: 9999 ms")).toThrow(
      "a.log has no report of an invocation: lines or records read: 1, other lines: 1",
    );
  });

  it("is read in the format that is asked for", () => {
    expect(() => readSource({ name: "x", text: "a,b" }, "insights")).toThrow("x line 1: header");
  });
});
