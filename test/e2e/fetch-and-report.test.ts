import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FakeS3 } from "../support/fake-aws/fake-s3.ts";
import { type S3Server, serveS3 } from "../support/fake-aws/s3-server.ts";
import { finishedRun } from "../support/finished-run.ts";
import { smallPlan } from "../support/small-plan.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Ended, startKelvin } from "./support/kelvin-process.ts";

const whole = "20260101T0000Z-aaaaaa";
const stopped = "20260102T0000Z-bbbbbb";
const changed = "20260103T0000Z-cccccc";
const sample = "samples/rust-arm64-128/0000.jsonl";

const folder = temporaryFolder();
const s3 = new FakeS3();
let server: S3Server;
let beforeObject: (objectsGot: number) => Promise<void>;
let out: string;

beforeAll(async () => {
  for (const runId of [whole, stopped, changed]) {
    const plan = smallPlan({ runId, cold: 6, warm: 24 });
    const { directory } = await finishedRun(join(folder, "bucket", runId), plan);
    for (const path of filesIn(directory)) {
      s3.objects.set(`runs/${runId}/${path}`, readFileSync(join(directory, path), "utf8"));
    }
  }
  for (const path of ["SHA256SUMS", "manifest.json", "report.md", "report.html"]) {
    s3.objects.delete(`runs/${stopped}/${path}`);
  }
  s3.objects.set(`runs/${changed}/${sample}`, "{}\n");
  const waited = async (objectsGot: number) => await beforeObject(objectsGot);
  server = await serveS3(s3, { bucket: "results", beforeObject: waited });
});
beforeEach(() => {
  beforeObject = async () => {};
  out = mkdtempSync(join(folder, "out-"));
});
afterAll(async () => {
  await server.close();
});

async function kelvin(...words: readonly string[]): Promise<Ended> {
  return await startKelvin(words, server.environment).ended;
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1))
    .sort();
}

const filesOf = (runId: string) =>
  s3.keys(`runs/${runId}/`).map((key) => key.slice(`runs/${runId}/`.length));

describe("a run that is fetched", () => {
  const here = join(folder, "here");
  const words = ["fetch", `s3://results/runs/${whole}`, "--out", here];
  const count = () => filesOf(whole).length;

  it("comes whole, is verified, and says where its report is", async () => {
    const { code, stdout, stderr } = await kelvin(...words);
    expect(code, stderr).toBe(0);
    expect(filesIn(here)).toEqual(filesOf(whole));
    for (const path of filesOf(whole)) {
      expect(readFileSync(join(here, path), "utf8")).toBe(s3.objects.get(`runs/${whole}/${path}`));
    }
    expect(stderr).toContain(`${count()} of ${count()} files fetched`);
    expect(stderr).toMatch(/\d+ files verified against SHA256SUMS, the rest against S3's MD5/);
    expect(stdout).toMatch(/report\.html\n.*report\.md\n$/);
  });

  it("is not brought again, and scripts are told as JSON", async () => {
    const named = ["--bucket", "results", "--run", whole, "--out", here, "--json"];
    const { code, stdout } = await kelvin("fetch", ...named);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      bucket: "results",
      runId: whole,
      status: "complete",
      files: count(),
      brought: 0,
      verifiedBy: "sha256",
    });
  });

  it("is verified and rendered again to the same bytes, with no account", async () => {
    const before = readFileSync(join(here, "report.md"), "utf8");
    writeFileSync(join(here, "report.md"), "");
    const { code, stderr } = await startKelvin(["report", here]).ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^\d+ files verified against SHA256SUMS\n$/);
    expect(readFileSync(join(here, "report.md"), "utf8")).toBe(before);
  });

  it("is refused with a sample changed, which the next fetch mends", async () => {
    appendFileSync(join(here, sample), "{}\n");
    const { code, stdout, stderr } = await startKelvin(["report", here]).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`  ${sample}: found SHA-256 `);
    const mended = await kelvin(...words);
    expect(mended.code).toBe(0);
    expect(mended.stderr).toContain(`1 of ${count()} files fetched`);
  });
});

describe("kelvin fetch", () => {
  it("goes on after Ctrl-C with what is missing, and files are whole or not there", async () => {
    const words = ["fetch", `s3://results/runs/${whole}`, "--out", out];
    const before = server.got.length;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    beforeObject = async (objectsGot) => {
      if (objectsGot > before + 5) await held;
    };
    const { child, ended } = startKelvin(words, server.environment);
    while (server.got.length < before + 10 && child.exitCode === null) await delay(20);
    const half = await startKelvin(["report", out]).ended;
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    release();
    expect(code, stderr).toBe(130);
    expect(stderr).toContain("stopped; the same command fetches the rest");
    expect(filesIn(out).filter((path) => path.endsWith(".part"))).toEqual([]);
    expect(half.code).toBe(2);
    expect(half.stderr).toMatch(/samples\/.*: found nothing, expected SHA-256/);
    const came = filesIn(out).length;
    const earlier = server.got.length;
    expect((await kelvin(...words)).code).toBe(0);
    expect(server.got.length - earlier).toBe(filesOf(whole).length - came);
    expect(filesIn(out)).toEqual(filesOf(whole));
  });

  it("brings a run that was stopped and says that it is unfinished; report renders it", async () => {
    const fetched = await kelvin("fetch", `s3://results/runs/${stopped}/`, "--out", out);
    expect(fetched.code, fetched.stderr).toBe(3);
    expect(fetched.stderr).toContain("this run is unfinished");
    expect(fetched.stderr).toContain("verified against S3's MD5 (the run has no SHA256SUMS)");
    expect(fetched.stdout).toBe("");
    const rendered = await startKelvin(["report", out]).ended;
    expect(rendered.code, rendered.stderr).toBe(3);
    expect(rendered.stderr).toContain(
      "unfinished: the run has not ended, or was stopped before its end",
    );
    expect(rendered.stdout).toContain("This run is PARTIAL");
    expect(existsSync(join(out, "report.html"))).toBe(true);
    expect(existsSync(join(out, "manifest.json"))).toBe(false);
  });

  it("takes the latest run where none is named, and refuses what the bucket holds of it changed", async () => {
    const { code, stdout, stderr } = await kelvin("fetch", "s3://results", "--out", out);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      new RegExp(`${sample}: found SHA-256 \\w{64}, expected SHA-256 \\w{64}`),
    );
  });

  it("does not mix two runs in a folder", async () => {
    writeFileSync(join(out, "plan.json"), JSON.stringify(smallPlan({ runId: whole })));
    const { code, stderr } = await kelvin("fetch", `s3://results/runs/${stopped}`, "--out", out);
    expect(code).toBe(2);
    expect(stderr).toContain(`a folder that holds no other run; this one holds ${whole}`);
  });

  it.each([
    [
      ["s3://results/runs/nothing"],
      2,
      `run: found "nothing"; allowed: ${changed}, ${stopped}, ${whole}`,
    ],
    [["s3://elsewhere"], 2, 'bucket: found "elsewhere"; allowed: an existing bucket'],
    [["--bucket", "denied"], 5, "S3 denied access to denied: "],
  ])("ends with a clear error: %j", async (words, expected, message) => {
    const { code, stdout, stderr } = await kelvin("fetch", ...words, "--out", out);
    expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
    expect(filesIn(out)).toEqual([]);
  });

  it("says what to do without credentials, without a region, and where S3 cannot be reached", async () => {
    const nothing = { HOME: folder, AWS_EC2_METADATA_DISABLED: "true" };
    const words = ["fetch", "s3://results", "--out", out];
    const without = await startKelvin(words, nothing).ended;
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("no AWS credentials: ");
    expect(without.stderr).toContain("set AWS_PROFILE");
    const nowhere = { ...server.environment, AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9" };
    const unreachable = await startKelvin(words, nowhere).ended;
    expect(unreachable.code).toBe(5);
    expect(unreachable.stderr).toContain("S3 cannot be reached: ");
  });
});
