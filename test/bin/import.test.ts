import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { compare } from "../../bin/commands/compare.ts";
import { type ImportOptions, importRun } from "../../bin/commands/import.ts";
import { report } from "../../bin/commands/report.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { goldenPath } from "../import/sources.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { formatReport } from "../support/report-line.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const at = folderPerTest();
const output = capturedOutput();
const read = (...path: readonly string[]) => readFileSync(at(...path), "utf8");
const hello: ImportOptions = { variant: "hello", architecture: "arm64", region: "eu-west-1" };

/** A log of cold and warm invocations that take `factor` times as long. */
function writeLog(name: string, factor: number): string {
  const lines = Array.from({ length: 60 }, (_, index) => {
    const durationMs = Math.round(100 * factor * (10 + (index % 7))) / 100;
    const init = index % 3 === 0 ? { initDurationMs: 100 + (index % 5) } : {};
    const billedDurationMs = Math.ceil(durationMs + (init.initDurationMs ?? 0));
    const telemetry = { durationMs, billedDurationMs, memorySizeMb: 128, maxMemoryUsedMb: 30 };
    return formatReport(`${name}-${index}`, { ...telemetry, ...init });
  });
  writeFileSync(at(name), lines.join("\n"));
  return at(name);
}

describe("an imported log", () => {
  it("is read as it was where it is gzip, and named where its gzip is cut off", async () => {
    const packed = gzipSync(readFileSync(writeLog("text.log", 1)));
    writeFileSync(at("000000.gz"), packed);
    writeFileSync(at("two.gz"), packed.subarray(0, -8));
    await importRun([at("text.log")], { ...hello, out: at("plain") });
    expect(await importRun([at("000000.gz")], { ...hello, out: at("packed") })).toBe(0);
    const samplesOf = (run: string) =>
      read(run, "samples/hello-arm64-128/0000.jsonl").replaceAll(/"runId":"[^"]+"/g, "");
    expect(samplesOf("packed")).toBe(samplesOf("plain"));
    await expect(importRun([at("two.gz")], { ...hello, out: at("cut") })).rejects.toThrow(
      /two\.gz"; allowed: whole gzip, or a file that is none \(unexpected end of file\)/,
    );
  });

  it("is not stored if Ctrl-C comes while it is written, and leaves nothing", async () => {
    const importing = importRun([writeLog("text.log", 1)], { ...hello, out: at("run") });
    const press = vi
      .spyOn(DiskResultStore.prototype, "writeText")
      .mockImplementationOnce(async () => void process.listeners("SIGINT").at(-1)?.("SIGINT"));
    expect(await importing).toBe(130);
    expect(press).toHaveBeenCalledOnce();
    expect(output.stderr).toContain("stopping: nothing is imported");
    expect(readdirSync(at())).toEqual(["text.log"]);
  });

  it("is a run that report verifies and renders to the same bytes", async () => {
    expect(await importRun([goldenPath("text.log")], { ...hello, out: at("run") })).toBe(0);
    const left = ["manifest.json", "report.md", "report.html", "summary.json", "series.csv"];
    const before = left.map((name) => read("run", name));
    rmSync(at("run", "report.md"));
    expect(await report(at("run"), {})).toBe(0);
    expect(left.map((name) => read("run", name))).toEqual(before);
    expect(output.stderr).toContain("files verified against SHA256SUMS");
  });

  it("says in its first lines what the samples are, what tells cold, and what an interval counts", async () => {
    await importRun([writeLog("text.log", 1)], { ...hello, out: at("run") });
    const [opening = ""] = read("run", "report.md").split("## ");
    for (const said of [
      "Imported samples.",
      "text.log (log with Lambda's reports)",
      "An invocation is cold if it reported an Init Duration",
      "nothing else in a log proves it",
      "each invocation counts as an environment of its own",
      "intervals here are narrower",
    ]) {
      expect(opening).toContain(said);
    }
    expect(output.stdout).toContain("WARNING: Imported samples.");
    expect(output.stdout).toContain("n = 60 imported invocations,");
  });

  it("with log streams says that they are the environments, and what one counts for", async () => {
    const [stream, ...rest] = ["a", "b", "c", "d", "e", "f"].map(
      (id) => `2026/01/05/[$LATEST]${id}1`,
    );
    const lines = readFileSync(writeLog("bare.log", 1), "utf8").split("\n");
    const of = (index: number) => (index < 40 ? stream : rest[index % 5]);
    const tail = lines.map((line, index) => `2026-01-05T10:00:00+00:00 ${of(index)} ${line}`);
    writeFileSync(at("text.log"), tail.join("\n"));
    await importRun([at("text.log")], { ...hello, out: at("run") });
    const [opening = ""] = read("run", "report.md").split("## ");
    expect(opening).toContain("Each log stream is an environment: 6, with 4 to 40 invoc");
    expect(opening).toContain(
      "Means are over all invocations, medians over the environments' medians",
    );
    expect(opening).not.toContain("narrower");
    expect(output.stdout).toContain("n = 60 imported invocations from 6 log streams,");
    const { series } = JSON.parse(read("run", "summary.json"));
    const warm = series.find(({ phase }: { phase: string }) => phase === "warm");
    expect(warm.durationMs).toMatchObject({
      n: 40,
      environments: 6,
      medianInterval: { confidence: 0.95 },
    });
    const markdown = read("run", "report-full.md");
    expect(markdown).toContain("6 log streams with 60 samples");
    expect(markdown).toContain("Means are over all calls");
  });

  it("has no section of what only a run of our own can tell", async () => {
    await importRun([goldenPath("text.log")], { ...hello, out: at("run") });
    const headings = read("run", "report-full.md").match(/^#{2,3} .*/gm);
    expect(headings).not.toEqual(expect.arrayContaining(["### The instrument"]));
    expect(headings?.join()).not.toMatch(/Second invocation|Build and package|What this run cost/);
    expect(read("run", "report-full.md")).not.toContain("boot id not seen before");
    expect(read("run", "report-full.md")).not.toContain("planned new environment");
  });

  it("tells what was read and taken, and of the rest why not", async () => {
    await importRun([goldenPath("text.log")], { ...hello, out: at("run"), json: true });
    expect(output.stderr).toContain(
      "text.log (report): 16 read, 6 imported; skipped: 5 other lines, 1 reports that cannot be read for certain",
    );
    const { manifest } = JSON.parse(output.stdout);
    expect(manifest.imported.sources[0]).toMatchObject({ read: 16, taken: 6 });
    expect(manifest.counts).toMatchObject({ recorded: 6, kept: 5, rejected: { error: 1 } });
  });

  it("names on the first screen the reports that were skipped, and the first of their lines", async () => {
    await importRun([goldenPath("text.log")], { ...hello, out: at("run") });
    expect(output.stdout).toContain("2 of 8 reports skipped");
    const [opening = ""] = read("run", "report.md").split("## ");
    expect(opening).toMatch(
      /2 of 8 reports skipped:\*\* their calls are in no figure\. The first: .*text\.log line 4: this REPORT was/,
    );
    writeFileSync(at("whole.log"), readFileSync(writeLog("a.log", 1)));
    await importRun([at("whole.log")], { ...hello, out: at("whole") });
    expect(read("whole", "report.md")).not.toContain("skipped");
  });

  it("that a local emulator printed is not called Lambda's", async () => {
    const line =
      "REPORT RequestId: a\tInit Duration: 0.05 ms\tDuration: 312.81 ms\tBilled Duration: 313 ms\tMemory Size: 128 MB\tMax Memory Used: 128 MB";
    writeFileSync(at("sam.log"), line);
    expect(await importRun([at("sam.log")], { ...hello, out: at("run") })).toBe(0);
    const opening = read("run", "report.md").split("## ")[0];
    expect(opening).toContain("a local emulator (sam local or the Runtime Interface Emulator)");
    expect(opening).toContain("from a local emulator, not AWS Lambda");
    expect(opening).not.toContain("as the sources say");
    writeFileSync(at("again.log"), line);
    expect(await importRun([at("sam.log"), at("again.log")], { ...hello, out: at("twice") })).toBe(
      0,
    );
    expect(read("twice", "report.md")).toContain("from a local emulator, not AWS Lambda");
    expect(read("twice", "report.md")).toContain("printed 1 of 1 report.");
    const both = [at("sam.log"), goldenPath("text.log")];
    expect(await importRun(both, { ...hello, out: at("both") })).toBe(0);
    expect(read("both", "report.md")).toContain("from a local emulator, at least in part");
  });

  it("without a region has no costs, and says so", async () => {
    const { region: _, ...words } = hello;
    await importRun([writeLog("a.log", 1)], { ...words, out: at("run") });
    expect(output.stderr).toContain("without --region nothing can be priced");
    expect(read("run", "report-full.md")).toContain("no price for regions.a region not recorded");
  });

  it("comes from several files, or from the standard input", async () => {
    const stdin = new PassThrough();
    stdin.end(readFileSync(writeLog("b.log", 2)));
    vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as unknown as typeof process.stdin);
    await importRun([writeLog("a.log", 1), "-"], { ...hello, out: at("run"), json: true });
    const { manifest } = JSON.parse(output.stdout);
    expect(manifest.imported.sources.map(({ name }: { name: string }) => name)).toEqual([
      at("a.log"),
      "stdin",
    ]);
    expect(manifest.counts.recorded).toBe(120);
  });
});

describe("a log that means harm", () => {
  /** A platform.report as its text, so that a figure may be written as JSON alone would not write it. */
  const record = (name: string, durationMs: string, initDurationMs = "1e9") =>
    [
      `{"type":"platform.initStart","record":{"functionName":"${name}"}}`,
      `{"type":"platform.report","record":{"requestId":"${name}-${durationMs}","__proto__":{"a":1},"metrics":{"memorySizeMB":128,"constructor":3,"__proto__":4,"durationMs":${durationMs},"initDurationMs":${initDurationMs}}}}`,
    ].join("\n");

  it.each(["5e-324", "1e-300", "0", "1e9"])(
    "with a Duration of %s becomes a report",
    async (durationMs) => {
      const lines = [1, 2, 3].map((n) => record("a", durationMs, `${n}e-320`));
      writeFileSync(at("a.log"), [...lines, record("a", durationMs)].join("\n"));
      expect(await importRun([at("a.log")], { architecture: "arm64", out: at("run") })).toBe(0);
      expect(read("run", "report.html").length).toBeLessThan(1_000_000);
      expect(await report(at("run"), {})).toBe(0);
    },
    10_000,
  );

  it("with a Duration of 300 digits is refused by line, figure and bound", async () => {
    writeFileSync(
      at("a.log"),
      `REPORT RequestId: a\tDuration: ${"9".repeat(300)} ms\tMax Memory Used: 38 MB`,
    );
    await expect(importRun([at("a.log")], { ...hello, out: at("run") })).rejects.toThrow(
      "a.log line 1: telemetry.durationMs: found 1e+300; allowed: must be <= 1000000000",
    );
    expect(readdirSync(at())).toEqual(["a.log"]);
  });

  it.each(["constructor", "__proto__", "toString"])(
    "with a function named %s is a run of that function",
    async (name) => {
      const lines = ["1", "2", "3"].map((durationMs) => record(name, durationMs));
      writeFileSync(at("a.log"), lines.join("\n"));
      expect(await importRun([at("a.log")], { architecture: "arm64", out: at("run") })).toBe(0);
      expect(read("run", "report-full.md")).toContain(
        `# Imported: ${name.replaceAll("__", "\\_\\_")}`,
      );
      const polluted: string[] = [];
      for (const key in {}) polluted.push(key);
      expect(polluted).toEqual([]);
      const words = { variant: name, operation: name, out: at("named") };
      expect(await importRun([writeLog("b.log", 1)], { ...hello, ...words })).toBe(0);
      expect(await compare(at("named"), at("named"), { margin: 0.05 })).toBe(0);
    },
  );
});

it("imported sizes have a cheapest one, though no environment is known to have cold and warm calls", async () => {
  const small = writeLog("a.log", 1);
  writeFileSync(at("b.log"), readFileSync(small, "utf8").replaceAll("128 MB", "1024 MB"));
  await importRun([small, at("b.log")], { ...hello, out: at("run") });
  const markdown = read("run", "report-full.md");
  expect(markdown).toMatch(/\| hello +\| `invoke` +\| undecided: .* \| 128 MB +\|/);
  expect(markdown).toContain("cold and warm calls drawn separately");
});

describe("two imports", () => {
  it("can be compared, and what each invocation stands for is said", async () => {
    await importRun([writeLog("a.log", 1)], { ...hello, out: at("before") });
    await importRun([writeLog("b.log", 1.5)], { ...hello, out: at("after") });
    output.stdout = "";
    expect(await compare(at("before"), at("after"), { margin: 0.05 })).toBe(1);
    const said = output.stdout.replaceAll(/\s+/g, " ");
    expect(said).toMatch(/hello-arm64-128 warm invoke +[\d.]+ → [\d.]+ +1\.50 \[.* slower/);
    expect(said).toContain("The later run is slower than the earlier one on a warm call: 1.50× [");
    expect(said).toMatch(/1 slower, 1 undecided of 2 series/);
    expect(said).toContain("WARNING: Imported samples");
    expect(said).not.toContain("second");
  });

  it("of other names share no series: the names of the earlier are told", async () => {
    await importRun([writeLog("a.log", 1)], { ...hello, out: at("before") });
    await importRun([writeLog("b.log", 1)], { ...hello, variant: "other", out: at("after") });
    expect(await compare(at("before"), at("after"), { margin: 0.05 })).toBe(2);
    expect(output.stderr).toContain("(imported: hello-arm64-128; operation invoke)");
  });
});

it("imported averages are printed as figures without an interval, and have no part in a comparison", async () => {
  const words = { ...hello, out: at("run") };
  expect(await importRun([goldenPath("power-tuning-stats.json")], words)).toBe(0);
  expect(read("run", "report-full.md")).toMatch(/\| +512 \| hello +\| +– \| +10\.3 \| +0\.0900 \|/);
  expect(read("run", "report-full.md")).toContain("Imported averages.");
  expect(existsSync(at("run", "samples"))).toBe(false);
  expect(await report(at("run"), {})).toBe(0);
  expect(await compare(at("run"), at("run"), { margin: 0.05 })).toBe(2);
  expect(output.stderr).toContain("this one holds only another tool's averages");
});

describe("a refused import", () => {
  it.each<[string, readonly string[], ImportOptions, string]>([
    ["a file that is not there", ["nothing.log"], hello, "no such file: nothing.log"],
    ["one file twice", ["-", "-"], hello, "each file once"],
    [
      "another memory size",
      [goldenPath("text.log")],
      { ...hello, memory: 512 },
      "line 6: Memory Size",
    ],
  ])("leaves nothing behind: %s", async (_, paths, words, message) => {
    await expect(importRun(paths, { ...words, out: at("run") })).rejects.toThrow(message);
    expect(readdirSync(at())).toEqual([]);
  });

  it("leaves a folder alone in which there is something", async () => {
    mkdirSync(at("run"));
    writeFileSync(at("run", "notes"), "mine");
    const words = { ...hello, out: at("run") };
    await expect(importRun([goldenPath("text.log")], words)).rejects.toThrow("out: found");
    expect(readdirSync(at())).toEqual(["run"]);
  });

  it("leaves nothing behind where its last file cannot be written", async () => {
    const { writeText } = DiskResultStore.prototype;
    vi.spyOn(DiskResultStore.prototype, "writeText").mockImplementation(async function (
      this: DiskResultStore,
      path,
      text,
    ) {
      if (path === "SHA256SUMS") throw new Error("the disk is full");
      await writeText.call(this, path, text);
    });
    const words = { ...hello, out: at("run") };
    await expect(importRun([goldenPath("text.log")], words)).rejects.toThrow("the disk is full");
    expect(readdirSync(at())).toEqual([]);
  });
});
