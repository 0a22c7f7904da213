import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { local } from "../../bin/commands/local.ts";
import { lockRun } from "../../lib/local/run-lock.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const words = { experiment: "dynamodb", preset: "quick" } as const;
const sample = "samples/rust-arm64-128/0000.jsonl";

beforeAll(async () => {
  for (const target of ["local", "aws"] as const) {
    await finishedRun(join(folder, target), smallPlan({ target, operations: ["get"] }));
  }
});

describe("kelvin local --resume", () => {
  it("refuses a run whose samples were changed: its checksums are written anew at the end", async () => {
    const resume = join(folder, "local");
    const before = readFileSync(join(resume, "SHA256SUMS"), "utf8");
    appendFileSync(join(resume, sample), "{}\n");
    await expect(local({ ...words, resume })).rejects.toThrow(`  ${sample}: found SHA-256 `);
    expect(readFileSync(join(resume, "SHA256SUMS"), "utf8")).toBe(before);
  });

  it("refuses a run that was measured on AWS", async () => {
    const resume = join(folder, "aws");
    await expect(local({ ...words, resume })).rejects.toThrow(
      `resume: found "${resume}"; allowed: a run measured on one machine; the target of this one is aws`,
    );
  });

  it("refuses a folder that holds no run", async () => {
    await expect(local({ ...words, resume: "/nowhere" })).rejects.toThrow(
      "no such folder: /nowhere",
    );
  });
});

it("a run's folder that another process writes to is refused to a second run and to a second --resume, with that process's id", async () => {
  const resume = join(folder, "local");
  const first = lockRun("resume", resume);
  await expect(local({ ...words, resume })).rejects.toThrow(
    `resume: found "${resume}"; allowed: a folder that no other run writes to; process ${process.pid} has been writing to it`,
  );
  first.release();
  const out = temporaryFolder();
  const second = lockRun("out", out);
  await expect(local({ ...words, out })).rejects.toThrow(
    `out: found "${out}"; allowed: a folder that no other run writes to; process ${process.pid} has been writing to it`,
  );
  second.release();
});
