import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { compare } from "../../bin/commands/compare.ts";
import { exportRun } from "../../bin/commands/export.ts";
import { fetch } from "../../bin/commands/fetch.ts";
import { local } from "../../bin/commands/local.ts";
import { report } from "../../bin/commands/report.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { FakeS3 } from "../support/fake-aws/fake-s3.ts";
import { type S3Server, serveS3 } from "../support/fake-aws/s3-server.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder();
const victim = join(root, "victim");
const whole = join(root, "whole");
const run = join(root, "run");
const plan = smallPlan({ operations: ["get"] });
const s3 = new FakeS3();
let server: S3Server;

const quick = { experiment: "dynamodb", preset: "quick" } as const;
const commands: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["report", () => report(run, {})],
  ["compare", () => compare(whole, run, { margin: 0.05 })],
  ["export", () => exportRun(run, { format: "csv", out: join(root, "samples.csv") })],
  ["fetch", () => fetch(`s3://results/runs/${plan.runId}`, { out: run })],
  ["local --resume", () => local({ ...quick, resume: run })],
  ["local --out", () => local({ ...quick, out: run })],
];

beforeAll(async () => {
  await finishedRun(whole, plan);
  s3.objects.set(`runs/${plan.runId}/plan.json`, JSON.stringify(plan));
  server = await serveS3(s3, { bucket: "results" });
});
afterAll(async () => {
  await server.close();
});

const output = capturedOutput();
beforeEach(() => {
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
  writeFileSync(victim, "untouched");
  cpSync(whole, run, { recursive: true });
});
afterEach(() => {
  rmSync(run, { recursive: true });
  expect(readFileSync(victim, "utf8")).toBe("untouched");
});

/** What a command says where it throws, or prints it as compare does. */
async function said(command: () => Promise<unknown>): Promise<string> {
  try {
    await command();
    return output.stderr;
  } catch (error) {
    return (error as Error).message;
  }
}

const link = (path: string) => symlinkSync(victim, join(run, path));
const pipe = (path: string) => execFileSync("mkfifo", [join(run, path)]);

describe.each(commands)("kelvin %s", (_, command) => {
  it.each([
    ["a symbolic link", "series.csv.part", link],
    ["a symbolic link", "samples/rust-arm64-128/9999.jsonl", link],
    ["a pipe", "notes.md", pipe],
  ] as const)("refuses a run's folder with %s by its name: %s", async (kind, path, plant) => {
    plant(path);
    expect(await said(command)).toContain(
      `${join(run, path)}: found "${kind}"; allowed: a plain file`,
    );
  });

  it("refuses a plan that is a link, and tells nothing of where it leads", async () => {
    writeFileSync(victim, "untouched");
    rmSync(join(run, "plan.json"));
    link("plan.json");
    const text = await said(command);
    expect(text).toContain(`${join(run, "plan.json")}: found "a symbolic link"`);
    expect(text).not.toContain("untouched");
  });

  it("refuses samples that lie in another place", async () => {
    renameSync(join(run, "samples"), join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), join(run, "samples"));
    expect(await said(command)).toContain(`${join(run, "samples")}: found "a symbolic link"`);
    rmSync(join(root, "elsewhere"), { recursive: true });
  });

  it.runIf(process.getuid?.() === 0 && process.platform === "linux")(
    "refuses a device by its name",
    async () => {
      execFileSync("mknod", [join(run, "report.html.part"), "c", "1", "5"]);
      expect(await said(command)).toContain(`${join(run, "report.html.part")}: found "a device"`);
    },
  );
});

it("kelvin export --out refuses a link, a pipe and a folder in the place of its file", async () => {
  symlinkSync(victim, join(root, "linked.csv"));
  execFileSync("mkfifo", [join(root, "pipe.csv")]);
  mkdirSync(join(root, "folder.csv"));
  const kinds = { "linked.csv": "a symbolic link", "pipe.csv": "a pipe", "folder.csv": "a folder" };
  for (const [name, kind] of Object.entries(kinds)) {
    const out = join(root, name);
    expect(await said(() => exportRun(run, { format: "csv", out }))).toContain(
      `${out}: found "${kind}"`,
    );
  }
});

describe("the folder of a fetched run", () => {
  const address = `s3://results/runs/${plan.runId}`;

  it.runIf(process.platform === "linux")(
    "is refused before any file is got where nothing can be written to it",
    async () => {
      const before = server.got.length;
      await expect(fetch(address, { out: "/proc/self/task/run" })).rejects.toThrow(
        'out: found "/proc/self/task/run"; allowed: a folder that can be written to (',
      );
      expect(server.got.length).toBe(before);
    },
  );

  it("is refused before any file is got where the run does not fit", async () => {
    const before = server.got.length;
    const keys = Array.from({ length: 5000 }, (_, n) => `runs/large/samples/cell/${n}.jsonl`);
    for (const key of keys) {
      s3.objects.set(key, "");
      s3.claimedBytes.set(key, 1e9);
    }
    const out = join(root, "large");
    await expect(fetch("s3://results/runs/large", { out })).rejects.toThrow(
      /^out: found ".*"; allowed: a folder with 4768372 MB free for 5000 files; it has \d+ MB$/,
    );
    for (const key of keys) s3.objects.delete(key);
    expect(server.got.length).toBe(before);
    expect(existsSync(out)).toBe(false);
  });
});
