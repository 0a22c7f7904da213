import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  replaceSampleRun,
  sampleFiles,
  sampleReport,
  sampleRun,
  withRenderedSample,
} from "../../bench/sample-report/sample-report.ts";
import { openRun } from "../../bin/run/stored-run.ts";
import { type Verification, verifyRun } from "../../bin/run/verify-run.ts";
import type { Manifest, Plan } from "../../lib/contract/types/contract.ts";
import { DiskResultStore } from "../../lib/local/disk-result-store.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { captureOutput } from "../support/captured-output.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const jsonOf = (name: string) => JSON.parse(readFileSync(join(sampleRun, name), "utf8"));
const plan: Plan = jsonOf("plan.json");
const manifest: Manifest = jsonOf("manifest.json");

/** What each file holds when it is rendered from the stored samples. */
const rendered = new Map<string, Buffer>();
/** The run's files as they were before they were packed, and what its checksums say of them. */
const unpacked = new Map<string, string>();
/** What the run prints in the end. */
let printed = "";
let verification: Verification | undefined;
beforeAll(async () => {
  await withRenderedSample(async (folder, screen) => {
    printed = screen;
    for (const name of sampleFiles) rendered.set(name, readFileSync(join(folder, name)));
    const run = await openRun("run", folder);
    verification = (await verifyRun(run, folder)).run;
    const samples = await new DiskResultStore(folder).list("samples");
    for (const name of ["plan.json", "manifest.json", "SHA256SUMS", ...samples]) {
      unpacked.set(name, readFileSync(join(folder, name), "utf8"));
    }
  });
});

describe("docs/sample-report", () => {
  it("is the report of a whole run of the standard preset, measured and not made up", () => {
    expect(plan).toMatchObject({ experiment: "dynamodb", preset: "standard", target: "local" });
    expect(plan.blocks).toHaveLength(60);
    expect(manifest).toMatchObject({ status: "complete", runId: plan.runId, cellFailures: [] });
    expect(manifest.machine?.cpuModel).toBeTruthy();
    expect(manifest.counts.recorded).toBe(manifest.counts.planned);
  });

  it("holds the samples that the run left, by the run's own checksums", () => {
    const files = readFileSync(join(sampleRun, "SHA256SUMS"), "utf8").trim().split("\n").length;
    expect(verification).toEqual({ kind: "verified", files });
  });

  it.each(sampleFiles)("has the %s that the samples give, byte by byte", (name) => {
    const remedy = "npm run sample-report renders it anew";
    expect(rendered.get(name)?.equals(readFileSync(join(sampleReport, name))), remedy).toBe(true);
  });

  it("ends as the README shows it, on a screen of 80 columns", () => {
    const readme = readFileSync(join(projectPaths.root, "README.md"), "utf8");
    expect(readme, "npm run sample-report renders it anew").toContain(`\`\`\`\n${printed}\n\`\`\``);
    for (const line of printed.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("holds nothing else but its own description", () => {
    const expected = [...sampleFiles, "README.md", "run"].sort();
    expect(readdirSync(sampleReport).sort()).toEqual(expected);
  });

  it("says nothing of where on its machine it was measured", () => {
    expect(unpacked.size).toBeGreaterThan(plan.cells.length * plan.blocks.length);
    for (const text of unpacked.values()) {
      expect(
        /"[^"]*\/(home|root|tmp|usr|var|opt|Users)\/|hostname/.exec(text)?.[0],
      ).toBeUndefined();
    }
  });

  it("is small enough for a clone: under 3 MB", () => {
    const files = readdirSync(sampleReport, { recursive: true, encoding: "utf8" });
    const bytes = files.map((name) => statSync(join(sampleReport, name)).size);
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(3_000_000);
  });

  it("is not replaced by a run of another preset", async () => {
    const folder = temporaryFolder();
    captureOutput();
    await finishedRun(folder, smallPlan({ cold: 2, warm: 10 }));
    await expect(replaceSampleRun(folder)).rejects.toThrow(/run: found .*--preset standard/s);
    expect(jsonOf("plan.json").runId).toBe(plan.runId);
  });
});
