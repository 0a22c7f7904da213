import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { report } from "../../bin/commands/report.ts";
import type { Manifest } from "../../lib/contract/types/contract.ts";
import { lockName, lockRun } from "../../lib/local/run-lock.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { folderPerTest, temporaryFolder } from "../support/temporary-folder.ts";

const sample = "samples/rust-arm64-128/0000.jsonl";

const whole = temporaryFolder();
beforeAll(async () => void (await finishedRun(whole, smallPlan({ operations: ["get"] }))));

const folder = folderPerTest();
const output = capturedOutput();
beforeEach(() => {
  cpSync(whole, folder(), { recursive: true });
});

const text = (path: string) => readFileSync(folder(path), "utf8");
const printedManifest = () =>
  (JSON.parse(output.stdout) as { readonly manifest: Manifest }).manifest;

/** What a run is left with by a SIGKILL, or by an execution that was stopped. */
function stop(): void {
  for (const path of ["SHA256SUMS", "manifest.json", "report.md"]) rmSync(folder(path));
}

describe("a run that came to its end", () => {
  it("is not written while another process writes to its folder, and is left without a lock", async () => {
    const { release } = lockRun("folder", folder());
    const before = text("report.md");
    await expect(report(folder(), {})).rejects.toThrow(/^folder: found /);
    expect(text("report.md")).toBe(before);
    release();
    expect(await report(folder(), {})).toBe(0);
    expect(existsSync(folder(lockName))).toBe(false);
  });

  it("is written for a pull request where that is asked for, to a file or alone to stdout", async () => {
    expect(await report(folder(), { markdown: folder("comment.md") })).toBe(0);
    const comment = text("comment.md");
    expect(comment).toMatch(/^### /);
    expect(comment).toContain("<details>");
    expect(comment.split("\n").length).toBeLessThan(60);
    expect(output.stdout).toContain("report.html");
    output.stdout = "";
    expect(await report(folder(), { markdown: "-" })).toBe(0);
    expect(output.stdout).toBe(comment);
  });

  it("is split by CPU model where that is asked for", async () => {
    expect(await report(folder(), { split: "cpu" })).toBe(0);
    expect(text("report-full.md")).toContain("### By CPU model");
    expect(JSON.parse(text("summary.json"))).toHaveProperty("byCpuModel");
    expect(await report(folder(), {})).toBe(0);
    expect(text("report-full.md")).not.toContain("By CPU model");
  });

  it("is verified and rendered to the same bytes, and what it left stays as it is", async () => {
    const left = ["manifest.json", "report.md", "report.html", "series.csv", "summary.json"];
    const before = [...left, "SHA256SUMS"].map(text);
    rmSync(folder("report.md"));
    expect(await report(folder(), {})).toBe(0);
    expect([...left, "SHA256SUMS"].map(text)).toEqual(before);
    expect(output.stderr).toMatch(/^\d+ files verified against SHA256SUMS\n$/);
    expect(output.stdout).toContain("report.html");
    expect(await report(folder(), {})).toBe(0);
  });

  it.each([
    [
      "changed",
      () => appendFileSync(folder(sample), "{}\n"),
      /found SHA-256 \w{64}, expected SHA-256 /,
    ],
    ["missing", () => rmSync(folder(sample)), /found nothing, expected SHA-256 \w{64}$/m],
  ])(
    "is refused with a sample %s: its path, what was found and what was expected",
    async (_, edit, what) => {
      edit();
      rmSync(folder("report-full.md"));
      const refused = await report(folder(), {}).catch((error: unknown) => error);
      expect(refused).toMatchObject({ name: "ChangedRun" });
      expect(String(refused)).toContain(`1 files differ from what the run wrote`);
      expect(String(refused)).toContain(`  ${sample}: found `);
      expect(String(refused)).toMatch(what);
      expect(() => text("report-full.md")).toThrow("ENOENT");
    },
  );

  it("is refused with a file that is not listed", async () => {
    writeFileSync(folder("samples/rust-arm64-128/9999.jsonl"), text(sample));
    await expect(report(folder(), {})).rejects.toThrow(
      /samples\/rust-arm64-128\/9999.jsonl: found SHA-256 \w{64}, expected no such file/,
    );
  });

  it("is refused with another plan or manifest: they say what the samples are of", async () => {
    for (const path of ["plan.json", "manifest.json"]) {
      const left = text(path);
      writeFileSync(folder(path), `${left}\n`);
      await expect(report(folder(), {})).rejects.toThrow(`  ${path}: found SHA-256`);
      writeFileSync(folder(path), left);
    }
  });

  it("names the first of many files that are missing, and counts the rest", async () => {
    rmSync(folder("samples"), { recursive: true });
    const listed = text("SHA256SUMS").split("\n").length - 1;
    const more = Array.from({ length: 30 }, (_, n) => `${"0".repeat(64)}  samples/x/${n}.jsonl\n`);
    appendFileSync(folder("SHA256SUMS"), more.join(""));
    await expect(report(folder(), {})).rejects.toThrow(`and ${listed - 2 + 30 - 20} more`);
  });

  it("is rendered without its checksums, and says that it was not verified", async () => {
    rmSync(folder("SHA256SUMS"));
    expect(await report(folder(), {})).toBe(0);
    expect(output.stderr).toContain("not verified: the run wrote no SHA256SUMS");
    expect(text("report-full.md")).toContain("not verified: the run wrote no SHA256SUMS");
  });
});

it("what costs are stated for is a million invocations a month, one in a hundred cold, unless the words say otherwise", async () => {
  expect(text("report-full.md")).toContain("\\$ per month, 1,000,000 calls");
  await report(folder(), { coldShare: 0.125, invocations: 2500 });
  expect(text("report-full.md")).toContain("\\$ per month, 2,500 calls");
  expect(text("report-full.md")).toContain("at 12.5% cold");
});

describe("a run that was stopped", () => {
  it("is rendered from what is there, as partial, and says so", async () => {
    stop();
    expect(await report(folder(), { json: true })).toBe(3);
    const { status, startedAt, counts } = printedManifest();
    expect([status, startedAt]).toEqual(["partial", smallPlan().createdAt]);
    expect(counts.recorded).toBeGreaterThan(0);
    const unfinished = "unfinished: the run has not ended, or was stopped before its end";
    expect(output.stderr).toContain(unfinished);
    expect(text("report-full.md")).toContain("This run is PARTIAL");
    expect(text("report-full.md")).toContain(unfinished);
  });

  it("gets no manifest and no checksums by being rendered: it can be gone on with", async () => {
    stop();
    await report(folder(), {});
    expect(() => text("manifest.json")).toThrow("ENOENT");
    expect(() => text("SHA256SUMS")).toThrow("ENOENT");
  });

  it("keeps what its manifest said when it began, and the trials that failed since", async () => {
    rmSync(folder("SHA256SUMS"));
    const { endedAt: _, ...left } = JSON.parse(text("manifest.json")) as Manifest;
    const versions = { node: "20.0.0" };
    writeFileSync(
      folder("manifest.json"),
      JSON.stringify({ ...left, status: "running", versions }),
    );
    const failure = { cellId: "python-arm64-128", block: 0, type: "Boom", message: "it broke" };
    mkdirSync(folder("failures/python-arm64-128"), { recursive: true });
    writeFileSync(folder("failures/python-arm64-128/0000.json"), JSON.stringify(failure));
    expect(await report(folder(), { json: true })).toBe(3);
    const found = printedManifest();
    expect(found).toMatchObject({ status: "partial", versions, cellFailures: [failure] });
  });

  it("before its first sample is still a report", async () => {
    stop();
    rmSync(folder("samples"), { recursive: true });
    expect(await report(folder(), { json: true })).toBe(3);
    expect(printedManifest().counts).toMatchObject({ recorded: 0, kept: 0 });
  });

  it("in the middle of a write: the line is named, and counts as no sample", async () => {
    stop();
    await report(folder(), { json: true });
    const { recorded } = printedManifest().counts;
    const lines = text(sample).trimEnd().split("\n");
    truncateSync(folder(sample), Buffer.byteLength(text(sample)) - 20);
    output.stdout = "";
    expect(await report(folder(), { json: true })).toBe(3);
    expect(printedManifest().counts.recorded).toBe(recorded - 1);
    const named = `${sample} line ${lines.length}: cut off in the middle of a write; its `;
    expect(printedManifest().warnings.join("\n")).toContain(named);
    expect(output.stderr).toContain(named);
    expect(text("report-full.md")).toContain(named);
  });

  it("has a cost, or says that the region is not known", async () => {
    stop();
    const plan = smallPlan({ target: "aws" });
    writeFileSync(folder("plan.json"), JSON.stringify(plan));
    await report(folder(), { json: true });
    expect(printedManifest().prices.region).toBe("a region not recorded");
    const estimate = { invocations: 1, minutes: 1, transitions: 1, costUsd: 1, pricesDate: "x" };
    const priced = { ...plan, estimate: { ...estimate, pricesRegion: "eu-west-1" } };
    writeFileSync(folder("plan.json"), JSON.stringify(priced));
    output.stdout = "";
    await report(folder(), { json: true });
    const { region, prices } = printedManifest();
    expect([region, prices.region]).toEqual(["eu-west-1", "eu-west-1"]);
  });
});

it("a folder that holds no run is bad input, and so is one whose plan cannot be read", async () => {
  await expect(report(folder("nothing"), {})).rejects.toThrow(/^no such folder: .*nothing$/);
  writeFileSync(folder("plan.json"), '{"schemaVersion":');
  await expect(report(folder(), {})).rejects.toThrow('plan.json: found "17 characters"');
  writeFileSync(folder("plan.json"), "{}");
  await expect(report(folder(), {})).rejects.toThrow("plan.schemaVersion: found nothing");
});
