import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  type Beginning,
  describeBeginning,
  firstSteps,
  pythonRun,
} from "../../bin/run/first-steps.ts";
import { newRun } from "../../bin/run/new-run.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { hasCargo } from "../../lib/toolchain/rust-toolchain.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const stranger: Beginning = {
  needsRust: true,
  missing: { binaries: ["standin-dynamodb", "noop"], minutes: 4.2 },
  hasRust: true,
  hasPython: true,
  isWatched: true,
};
const built = { binaries: [] };

const folder = temporaryFolder();

describe("before minutes of building", () => {
  it("a reader sees Python alone, and what is built after it", () => {
    const { pythonFirst, refusal } = firstSteps(stranger);
    expect(pythonFirst).toMatch(/^builds first, once: standin-dynamodb, noop \(about 5 min on /);
    expect(pythonFirst).toMatch(/before that, while nothing compiles: Python alone, .* compute/);
    expect(refusal).toBeUndefined();
  });

  it("is what a reader has whose machine has no Rust, however much is built", () => {
    const { pythonFirst, refusal } = firstSteps({ ...stranger, hasRust: false, missing: built });
    expect(pythonFirst).toMatch(/^Rust: found none; measures Python alone/);
    expect(refusal).toMatch(/functions in Rust .*emulated DynamoDB and S3/s);
    expect(refusal).toMatch(/https:\/\/rustup\.rs.* pinned Rust 1\.95\.0/s);
  });

  it.each<[string, Partial<Beginning>]>([
    ["all is built", { missing: built }],
    ["the floor's function alone is to be built", { missing: { binaries: ["noop"] } }],
    ["the run needs no Rust", { needsRust: false, hasRust: false }],
    ["the run has no Python", { hasPython: false }],
    ["nobody reads along", { isWatched: false }],
  ])("not where %s", (_, differs) => {
    expect(firstSteps({ ...stranger, ...differs })).toEqual({});
  });

  it("a script is refused where there is no Rust, and a run that needs none is not", () => {
    const script = { ...stranger, isWatched: false, hasRust: false };
    expect(Object.keys(firstSteps(script))).toEqual(["refusal"]);
    expect(firstSteps({ ...script, needsRust: false })).toEqual({});
  });
});

describe("what a run finds before it builds", () => {
  const words = { preset: "quick", out: join(folder, "run") } as const;

  it("is Rust in an experiment that calls a service, whichever variants are asked for", () => {
    const run = newRun({ ...words, experiment: "dynamodb", variants: ["python"] });
    expect(describeBeginning(run, {}, true)).toMatchObject({ needsRust: true, hasPython: true });
    const rust = newRun({ ...words, experiment: "compute", variants: ["rust"] });
    expect(describeBeginning(rust, {}, true)).toMatchObject({ needsRust: true, hasPython: false });
  });

  it("is none in Python's part of compute, which is of one variant and two sizes", () => {
    const run = pythonRun({ seed: 5 });
    expect(describeBeginning(run, {}, false)).toMatchObject({ needsRust: false, hasRust: false });
    const [plan] = run.experiments.map((each) => each.plan);
    expect(plan).toMatchObject({ experiment: "compute", preset: "quick", seed: 5 });
    expect(plan?.cells.map(({ id }) => id.replace(/-(x86-64|arm64)/, ""))).toEqual([
      "python-512",
      "python-1769",
    ]);
    expect(existsSync(run.store.directory)).toBe(false);
  });

  it("is a reader on a terminal, and none with --json or in CI", () => {
    const run = pythonRun({});
    const isWatched = (json?: true) =>
      describeBeginning(run, json === undefined ? {} : { json }, true).isWatched;
    vi.stubEnv("CI", undefined);
    const { isTTY } = process.stdout;
    process.stdout.isTTY = true;
    try {
      expect(isWatched()).toBe(true);
      expect(isWatched(true)).toBe(false);
      vi.stubEnv("CI", "true");
      expect(isWatched()).toBe(false);
    } finally {
      process.stdout.isTTY = isTTY;
    }
  });

  it("is Rust where PATH has cargo", () => {
    const path = temporaryFolder();
    expect(hasCargo(path)).toBe(false);
    writeFileSync(join(path, "cargo"), "");
    expect(hasCargo(`/nonexistent:${path}`)).toBe(true);
  });
});

it("kelvin local ends with 5 and says how to get Rust, before it builds or writes anything", () => {
  const out = join(folder, "run");
  const command = ["--import", "tsx", "bin/kelvin.ts", "local", "--out", out];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: projectPaths.root,
    encoding: "utf8",
    env: { PATH: "/nonexistent" },
  });
  expect(stderr).toMatch(/^Rust: found none\..*https:\/\/rustup\.rs.*--variants python\n$/s);
  expect([status, stdout, existsSync(out)]).toEqual([5, "", false]);
});
