import { appendFileSync, cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { local } from "../../bin/commands/local.ts";
import { report } from "../../bin/commands/report.ts";
import { newRun } from "../../bin/run/new-run.ts";
import { openRun } from "../../bin/run/stored-run.ts";
import { verifyRun } from "../../bin/run/verify-run.ts";
import { writeChecksumsOfAll, writeOverview } from "../../bin/run/write-report.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { experimentById, experiments } from "../../lib/experiments/catalogue.ts";
import { expand } from "../../lib/plan/expand.ts";
import { matrix } from "../../lib/plan/matrix.ts";
import type { ExperimentPage } from "../../lib/report/experiment-report.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { folderPerTest, temporaryFolder } from "../support/temporary-folder.ts";

const ids = ["dynamodb", "first-request"];
const sample = "samples/unwarmed-arm64-128/0000.jsonl";
const words = { experiment: "dynamodb,first-request", preset: "quick" } as const;
const whole = temporaryFolder();

function planOf(id: string): Plan {
  if (id === "dynamodb") return smallPlan({ target: "local", operations: ["get"] });
  const experiment = experimentById(id);
  const cells = matrix(experiment, {
    variants: ["unwarmed", "tuned"],
    memoryMb: [128],
    architectures: ["arm64"],
  });
  const { runId, createdAt, seed } = smallPlan();
  const run = { runId, createdAt, seed, target: "local", preset: "quick", lanes: 1 } as const;
  return expand(experiment, cells, { ...run, cold: 2, warm: 0 });
}

beforeAll(async () => {
  for (const id of ids) await finishedRun(join(whole, id), planOf(id));
  const run = await openRun("folder", whole);
  const pages = ids.map((experiment) => {
    const text = readFileSync(join(whole, experiment, "report.json"), "utf8");
    return { experiment, page: JSON.parse(text) as ExperimentPage };
  });
  await writeOverview(run, pages);
  await writeChecksumsOfAll(run.store, run.experiments);
});

const folder = folderPerTest();
const output = capturedOutput();
beforeEach(() => {
  cpSync(whole, folder(), { recursive: true });
});

const text = (path: string) => readFileSync(folder(path), "utf8");

describe("a run of several experiments on disk", () => {
  it("is verified as a whole and rendered to the same bytes, each experiment and all", async () => {
    const left = [
      "report.md",
      "report.html",
      "summary.json",
      ...ids.map((id) => `${id}/report.md`),
    ];
    const before = left.map(text);
    for (const path of left) rmSync(folder(path));
    expect(await report(folder(), {})).toBe(0);
    expect(left.map(text)).toEqual(before);
    expect(output.stderr).toMatch(/^\d+ files verified against SHA256SUMS\n$/);
    expect(output.stdout).toContain("What was found");
  });

  it("has each experiment in a folder that is a run by itself", async () => {
    expect(await report(folder("first-request"), {})).toBe(0);
    expect(output.stdout).toContain(experimentById("first-request").title);
  });

  it("gives scripts the manifest of each", async () => {
    expect(await report(folder(), { json: true })).toBe(0);
    const { manifests, files } = JSON.parse(output.stdout);
    expect(manifests.map(({ experiment }: { experiment: string }) => experiment)).toEqual(ids);
    expect(files[0]).toBe(folder("report.html"));
  });

  it("is refused where a sample of one was changed, which is named with its folder", async () => {
    appendFileSync(folder("first-request", sample), "{}\n");
    await expect(report(folder(), {})).rejects.toThrow(`${folder("first-request")}: 1 files`);
  });

  it("is refused where one of them is gone, or was measured anew", async () => {
    rmSync(folder("first-request"), { recursive: true });
    await expect(report(folder(), {})).rejects.toThrow("first-request/plan.json: found nothing");
    cpSync(join(whole, "first-request"), folder("first-request"), { recursive: true });
    rmSync(folder("first-request", "SHA256SUMS"));
    await expect(report(folder(), {})).rejects.toThrow("first-request/plan.json: found nothing");
  });

  it("that was stopped is rendered as far as it came, and not said to be verified", async () => {
    rmSync(folder("SHA256SUMS"));
    for (const path of ["SHA256SUMS", "manifest.json", "samples", "report.json"]) {
      rmSync(folder("first-request", path), { recursive: true });
    }
    expect(await report(folder(), {})).toBe(3);
    expect(text("report-full.md")).toContain("**first-request is PARTIAL:** 0 of ");
    expect(output.stderr).not.toContain("verified against");
    const { run, experiments: each } = await verifyRun(await openRun("folder", folder()), folder());
    expect([run, ...each].map(({ kind }) => kind)).toEqual([
      ...["no-checksums", "verified", "no-checksums"],
    ]);
  });

  it("is no place for another run", async () => {
    const refused = "a folder that holds no run yet";
    const one = { ...words, experiment: "compute" };
    await expect(local({ ...words, out: folder() })).rejects.toThrow(refused);
    await expect(local({ ...one, out: folder() })).rejects.toThrow(refused);
    await expect(local({ ...one, out: folder("dynamodb") })).rejects.toThrow(refused);
  });
});

describe("the choice of experiments on the command line", () => {
  const foldersOf = (experiment: string, more = {}) =>
    newRun({ ...words, experiment, out: "/nowhere", ...more }).experiments.map(
      (each) => each.folder,
    );

  it("is one in the run's own folder, or several in one each, in the catalogue's order", () => {
    expect(foldersOf("compute")).toEqual([""]);
    expect(foldersOf("compute,dynamodb")).toEqual(["dynamodb", "compute"]);
    expect(foldersOf("all")).toEqual(experiments.map(({ id }) => id));
  });

  it("lets environments idle before each call, for as long as it is told", () => {
    const idleOf = (more: { readonly idle?: number }) =>
      newRun({
        ...words,
        experiment: "dynamodb,compute",
        out: "/nowhere",
        ...more,
      }).experiments.map(({ plan }) => plan.idleMs);
    expect(idleOf({})).toEqual([80, 80]);
    expect(idleOf({ idle: 100 })).toEqual([100, 100]);
    expect(idleOf({ idle: 0 })).toEqual([undefined, undefined]);
  });

  it("shares the run's id and seed among all, and nothing else", () => {
    const { runId, experiments: all } = newRun({ ...words, experiment: "all", seed: 7 });
    for (const { plan } of all) expect(plan).toMatchObject({ runId, seed: 7, target: "local" });
  });

  it("leaves out those that have none of the variants or sizes, and says so", () => {
    const { experiments: left, leftOut } = newRun({
      ...words,
      experiment: "all",
      variants: ["rust", "ring"],
      memory: [512],
    });
    expect(left.map(({ plan }) => plan.experiment)).toEqual([
      "dynamodb",
      "first-request",
      "compute",
      "dynamodb-batch",
      "sha256",
    ]);
    expect(leftOut).toContain("multicore is left out: it has no cell with memory 512");
  });

  it.each([
    [{ experiment: "dynamodb,nothing" }, 'there is no experiment "nothing"; there are dynamodb, '],
    [{ experiment: "dynamodb,dynamodb" }, "each experiment once, or all"],
    [
      { experiment: "all", variants: ["java"] },
      'no chosen experiment has a variant "java"; there are rust, ',
    ],
    [{ experiment: "all", memory: [64] }, "memoryMb: found 64"],
    [
      { experiment: "compute,multicore", variants: ["rust-interleaved"], memory: [512] },
      "variants, memory: found",
    ],
  ])("%j is refused with what was found and what is allowed", (choice, message) => {
    expect(() => newRun({ ...words, ...choice })).toThrow(message);
  });
});
