import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sample } from "../../../../lib/contract/types/contract.ts";
import { contractProblem } from "../../../../lib/contract/validate.ts";
import { kernelText } from "../../../../lib/files/kernel-files.ts";
import { dynoxideBinary } from "../../../../lib/toolchain/build-local.ts";
import { rustBinaryPath } from "../../../../lib/toolchain/rust-build.ts";
import { type Ended, startKelvin } from "../../../../test/e2e/support/kelvin-process.ts";
import { manifestIn, samplesIn } from "../../../../test/e2e/support/local-run.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { engineResultContract } from "../../contract.ts";
import { workload } from "../../definition.ts";
import type { EngineResult } from "../../types/contract.ts";
import { FakeLocalstack } from "../localstack/fake-localstack.ts";

const folder = temporaryFolder();

const words = (name: string, more: readonly string[]) => [
  ...["local", "--experiment", "emulators", "--out", join(folder, name)],
  ...more,
];
const resultOf = ({ result }: Sample) => result as EngineResult;

/** Processes whose command line has the words: engines, and drivers of them. */
function processes(...wanted: readonly string[]): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => wanted.every((word) => kernelText(`/proc/${pid}/cmdline`).includes(word)))
    .map(Number);
}

function allEngines(): readonly number[] {
  const own = ["serve", "drive"].flatMap((does) => processes("emulators-embedded", does));
  return own.concat(processes("dynalite", "cli.js"));
}

/** What runs here besides is someone else's. */
const others = new Set(allEngines());
const engines = () => allEngines().filter((pid) => !others.has(pid));

const samplesOf = (name: string) => samplesIn(join(folder, name));
const manifestOf = (name: string) => manifestIn(join(folder, name));

/** Waits for the engine that serves HTTP to have a sample in the run. */
async function engineAtWork(name: string, ended: Promise<Ended>): Promise<number> {
  const over = ended.then(({ stderr }) => {
    throw new Error(`it ended before its engine was at work: ${stderr}`);
  });
  const found = async (): Promise<number> => {
    for (;;) {
      const [pid] = processes("emulators-embedded", "serve").filter(
        (each) =>
          !others.has(each) && !kernelText(`/proc/${each}/cmdline`).includes("emulators-http"),
      );
      const isAsked = existsSync(join(folder, name, "samples"));
      if (pid !== undefined && isAsked) return pid;
      await delay(20);
    }
  };
  return await Promise.race([found(), over]);
}

describe("a comparison of engines on this machine", () => {
  const variants = "dynoxide-embedded,dynoxide-http,dynoxide-http-file,dynalite,localstack";
  let samples: readonly Sample[];
  const of = (engine: string, operation: string) =>
    samples.find((sample) => sample.cell.id === engine && sample.operation === operation);

  beforeAll(async () => {
    const { code, stderr } = await startKelvin(
      words("whole", ["--cold", "1", "--variants", variants]),
      { LOCALSTACK_AUTH_TOKEN: "" },
    ).ended;
    expect(code, stderr).toBe(0);
    samples = await samplesOf("whole");
  });

  it("keeps the contract in every sample, and every request's time", () => {
    for (const sample of samples) {
      expect(contractProblem("sample", sample)).toBeUndefined();
      expect(engineResultContract.problemOf(sample.result)).toBeUndefined();
    }
    const requests = workload.map((name) => resultOf(of("dynoxide-http", name) as Sample));
    expect(requests.map(({ latenciesMs }) => latenciesMs.length)).toEqual([
      ...[1, 400, 1000, 1000, 100, 100, 50, 1, 500, 50, 100, 500, 1],
    ]);
  });

  it("finds every answer of dynoxide right, embedded and over HTTP", () => {
    const own = samples.filter(({ cell }) => cell.id.startsWith("dynoxide"));
    expect(
      own.filter(({ rejected, error }) => rejected !== undefined || error !== undefined),
    ).toEqual([]);
  });

  it("finds dynalite wrong where it has no transactions, and right in the other steps", () => {
    const own = samples.filter(({ cell }) => cell.id === "dynalite");
    const rejected = own.filter((sample) => sample.rejected !== undefined);
    expect(rejected.map(({ operation }) => operation)).toEqual(["transact_write"]);
    expect(rejected[0]?.rejected?.reason).toBe("result-wrong");
  });

  it("tells a start-up of each engine, and the memory that its items take", () => {
    for (const engine of ["dynoxide-embedded", "dynoxide-http", "dynalite"]) {
      const cold = samples.find(({ cell, phase }) => cell.id === engine && phase === "cold");
      expect(cold?.telemetry?.initDurationMs).toBeGreaterThan(0);
      const [empty, full] = ["create_table", "batch_write"].map(
        (name) => resultOf(of(engine, name) as Sample).memoryUsedKb ?? Number.NaN,
      );
      // 10,000 items of about 1 KB.
      expect((full ?? Number.NaN) - (empty ?? Number.NaN)).toBeGreaterThan(10_000);
    }
  });

  it("tells what the tables take in files, and nothing of an engine without files", () => {
    const [empty, full] = ["create_table", "batch_write"].map(
      (name) => resultOf(of("dynoxide-http-file", name) as Sample).diskBytes,
    );
    expect(empty).toBeGreaterThan(0);
    expect(full).toBeGreaterThan(10_000_000);
    const others = samples.filter(({ cell }) => cell.id !== "dynoxide-http-file");
    expect(others.some((sample) => "diskBytes" in resultOf(sample))).toBe(false);
  });

  it("names the engine that cannot be had here, and renders the same report again", async () => {
    const report = join(folder, "whole", "report.md");
    const text = readFileSync(report, "utf8");
    expect(text).toContain("LocalStack: ");
    const { code, stderr } = await startKelvin(["report", join(folder, "whole")]).ended;
    expect(code, stderr).toBe(0);
    expect(readFileSync(report, "utf8")).toBe(text);
  });

  it("leaves no engine behind", () => expect(engines()).toEqual([]));
});

describe("LocalStack by its command line, with dynoxide in its container", () => {
  const token = "token-4711";
  const container = `${rustBinaryPath(dynoxideBinary)} serve --port PORT`;
  const fake = new FakeLocalstack(token, container);
  afterAll(() => fake.stopAll());

  it("is measured, is stopped each time, and its token is told nowhere", async () => {
    const variants = ["--cold", "1", "--variants", "localstack"];
    const { code, stdout, stderr } = await startKelvin(words("localstack", variants), {
      ...fake.environment,
    }).ended;
    expect(code, stdout + stderr).toBe(0);
    const called = fake.calls().map((call) => call.split(" on ")[0]);
    expect(called).toEqual(["start -d", "wait -t 600", "stop", "start", "stop"]);
    expect(fake.calls().every((call) => call.includes("on 127.0.0.1:PORT"))).toBe(true);
    expect(fake.running()).toEqual([]);
    const samples = await samplesOf("localstack");
    expect(samples.length).toBeGreaterThan(workload.length);
    expect(samples.every(({ error, rejected }) => !error && !rejected)).toBe(true);
    const run = join(folder, "localstack");
    const files = readdirSync(run, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    expect([stdout, stderr, ...files].some((text) => text.includes(token))).toBe(false);
  });
});

it("an engine that crashes in mid-run is recorded with its reason, and the next rounds are made", async () => {
  const variants = ["--cold", "2", "--variants", "dynoxide-http"];
  const { ended } = startKelvin(words("crashed", variants));
  process.kill(await engineAtWork("crashed", ended), "SIGKILL");
  const { code, stdout } = await ended;
  expect(code, stdout).toBe(3);
  const { status, cellFailures } = manifestOf("crashed");
  expect(status).toBe("partial");
  expect(cellFailures).toHaveLength(1);
  expect(cellFailures[0]?.message).toContain("the engine ended with signal: 9");
  const second = (await samplesOf("crashed")).filter(({ block }) => block === 1);
  expect(second.every(({ error }) => error === undefined)).toBe(true);
  expect(second.length).toBeGreaterThan(workload.length);
  expect(engines()).toEqual([]);
});

it("a comparison that is stopped by Ctrl-C leaves no engine behind, says how to go on, and goes on to its end", async () => {
  const variants = ["--cold", "2", "--variants", "dynoxide-http"];
  const { child, ended } = startKelvin(words("stopped", variants));
  await engineAtWork("stopped", ended);
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  expect(code, stderr).toBe(130);
  expect(engines()).toEqual([]);
  expect(stderr).toContain("continue with: npm run bench -- --resume ");
  const again = await startKelvin(["local", "--resume", join(folder, "stopped")]).ended;
  expect(again.code, again.stderr).toBe(0);
  expect(manifestOf("stopped").status).toBe("complete");
});
