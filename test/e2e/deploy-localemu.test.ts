import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { LambdaClient, ListFunctionsCommand } from "@aws-sdk/client-lambda";
import { S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { remoteFiles, remoteRuns } from "../../lib/aws/fetch-run.ts";
import { nonceVariable } from "../../lib/aws/lambda-target.ts";
import type { FunctionResult, Sample } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { experimentById, experiments } from "../../lib/experiments/catalogue.ts";
import { firstBlocks } from "../../lib/plan/blocks.ts";
import { plannedSamples } from "../../lib/plan/expand.ts";
import type { TwoRuns } from "../../lib/report/two-runs-document.ts";
import { parseChecksums } from "../../lib/sampler/checksums.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import type { EmulatedAccount } from "../support/emulated-account.ts";
import { functionsFolder } from "../support/functions-file.ts";
import { type LocalEmu, startLocalEmu } from "../support/localemu/localemu.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { kelvin } from "./support/command.ts";
import { deployedHandlers } from "./support/deployed-handlers.ts";
import {
  endOfExecution,
  runStateMachine,
  startExecution,
  stopExecution,
} from "./support/execution.ts";
import { type Inventory, inventory } from "./support/inventory.ts";
import {
  loggedInvocations,
  setTimeoutOf,
  variablesOfFunctions,
} from "./support/measured-functions.ts";
import { ReadmeClone } from "./support/readme-clone.ts";
import { type RemoteExperiment, type RemoteRun, readRun } from "./support/remote-run.ts";

/**
 * The tests are one story: each goes on from what those before it have left in the account. Its thread is the README:
 * its commands are run in their order, in a new clone.
 */

const quick = ["-c", "architectures=x86_64", "-c", "preset=quick"];
/** One with a pair of variants and its replica, and one of a single cell. */
const few = ["-c", "memory=1536", "-c", "variants=unwarmed,warmed,rust-interleaved"];
const two = [...quick, "-c", "experiments=first-request,multicore", ...few];
const { quick: quickSizes } = experimentById("first-request").presets;
const oneCell = { experiment: "first-request", variants: "warmed", cold: 1 };
const fewCalls = ["--cold", "2", "--warm", "8"];
const ids = experiments.map(({ id }) => id);
/** The replica would be a cell more; the breakdown speaks TLS itself, and functions find LocalEmu over HTTP. */
const isDeployed = (id: string, replica: string) => id !== replica && id !== "breakdown";
/** A variant of each experiment. */
const variants = experiments.map(({ variants: all, replicaVariant }) => {
  return all.find(({ id }) => isDeployed(id, replicaVariant))?.id ?? replicaVariant;
});
const every = [...quick, "-c", `experiments=${ids}`, "-c", `variants=${[...new Set(variants)]}`];
const everything = [...every, "-c", "memory=512,1536"];
/** A cold build of the Rust functions is in it. */
const deployLimitMs = 40 * 60_000;

let emulator: LocalEmu;
let account: EmulatedAccount;
let assembly: string;
let readme: ReadmeClone;
let before: Inventory;
/** What a deploy printed before the account was bootstrapped. */
let unbootstrapped = "";
let bucket = "";
/** The run with a stopping rule. */
let precise = "";

beforeAll(async () => {
  emulator = await startLocalEmu();
  ({ account } = emulator);
  assembly = join(emulator.folder, "cdk.out");
  unbootstrapped = await deploy([]).catch((error: Error) => error.message);
  readme = new ReadmeClone(temporaryFolder());
});
afterEach(({ task }) => {
  if (task.result?.state === "fail") process.stderr.write(`${emulator.process.logTail()}\n`);
});
afterAll(() => emulator?.stop());

const unasked = ["--require-approval", "never", "--no-notices"];

async function deploy(context: readonly string[]): Promise<string> {
  return await kelvin(account, "deploy", ...unasked, "--output", assembly, ...context);
}

/** The run of an input: everything of each experiment, and the report of all. */
async function runOf(input: object): Promise<RemoteRun> {
  const { status, output, cause } = await runStateMachine(account, input);
  expect(status, cause).toBe("SUCCEEDED");
  return await readRun(account, bucket, output?.runId ?? "");
}

/** The run's id, once something of it was measured. */
async function firstSamplesOf(find: (runs: readonly string[]) => string | undefined) {
  const client = new S3Client(account.client);
  for (;;) {
    const runId = find(await remoteRuns(client, bucket));
    const files = runId === undefined ? [] : await remoteFiles(client, bucket, runId);
    if (runId !== undefined && files.some(({ path }) => path.includes("samples/"))) return runId;
    await delay(300);
  }
}

/** What every run that was not stopped keeps, whatever its sizes. @param blocks absent: all that are planned */
function expectWhole(
  { plan: whole, manifest, samples, report, page }: RemoteExperiment,
  blocks = whole.blocks.length,
): void {
  const plan = firstBlocks(whole, blocks);
  expect(manifest.cellFailures).toEqual([]);
  expect(manifest).toMatchObject({ status: "complete", target: "aws", region: account.region });
  expect(samples).toHaveLength(plannedSamples(plan));
  expect(manifest.counts).toMatchObject({ planned: samples.length, recorded: samples.length });
  const rejected = samples.flatMap(({ rejected }) => rejected?.reason ?? []);
  for (const reason of rejected) expect(reason).toBe("warm-up");
  const bootIds = new Set(coldSamples(samples).map((sample) => resultOf(sample).bootId));
  expect(bootIds.size).toBe(plan.cells.length * plan.sizes.environments);
  expect(report).toContain(plan.runId);
  expect(page).toContain("<svg");
}

function coldSamples(samples: readonly Sample[]): readonly Sample[] {
  return samples.filter(({ phase }) => phase === "cold");
}

function samplesOf(run: RemoteRun): readonly Sample[] {
  return run.experiments.flatMap(({ samples }) => samples);
}

/** Which trial of its experiment's a sample is of. */
function trialOf({ experiment, cell, block }: Sample): string {
  return `${experiment}/${cell.id}/${block}`;
}

function resultOf(sample: Sample): FunctionResult {
  return validated("result", sample.result);
}

describe("a new clone", () => {
  it("measures the default experiment once npm has installed its packages", async () => {
    await readme.run(/^npm ci$/, ["--prefer-offline", "--no-audit", "--no-fund"]);
    const printed = await readme.run(/ bench$/, ["--", "--memory", "512", ...fewCalls]);
    expect(printed).toContain("How sure: n = ");
    expect(printed).toMatch(/^Report: runs\/\S+\/report\.html/m);
  });

  it("is tested in CI by the README's command", () => {
    const lines = readFileSync(join(projectPaths.root, ".ci", "run"), "utf8").split("\n");
    expect(lines).toContain(readme.find(/^npm test$/));
  });

  it("prepares an account for the CDK", async () => {
    await readme.run(/ setup$/);
    await readme.run(/ cdk bootstrap$/, ["--no-notices"], account.environment);
    before = await inventory(account);
  });
});

describe("two experiments, deployed with one command", () => {
  it("are not built for an account that is not bootstrapped", () => {
    expect(unbootstrapped).toContain("npx cdk bootstrap");
    expect(unbootstrapped).toContain("exit status 2");
  });

  it("says where to start a run and where its results are", {
    timeout: deployLimitMs,
  }, async () => {
    const printed = await readme.run(/ deploy$/, [...unasked, ...two], account.environment);
    expect(printed).toMatch(
      /Kelvin\.StateMachine = https:.*#\/statemachines\/view\/arn:aws:states:/,
    );
    bucket = /Kelvin\.ResultsBucket = (\S+)/.exec(printed)?.[1] ?? "";
    expect((await inventory(account)).buckets).toContain(bucket);
  });

  it("runs in an account that enforces IAM", async () => {
    const stranger = { accessKeyId: "AKIAI44QH8DHBEXAMPLE", secretAccessKey: "stranger" };
    const client = new LambdaClient({ ...account.client, credentials: stranger });
    await expect(client.send(new ListFunctionsCommand({}))).rejects.toThrow("is invalid");
  });

  it("are both measured by kelvin run, with the stack's preset", async () => {
    const printed = await readme.run(/ run$/, [], account.environment);
    const [, runId = ""] = /^Report: runs\/(\S+)\/report\.html/m.exec(printed) ?? [];
    const run = await readRun(account, bucket, runId);
    const names = run.experiments.map(({ plan }) => plan.experiment);
    expect(names).toEqual(["first-request", "multicore"]);
    expect(run.experiments.map(({ plan }) => plan.cells.length)).toEqual([3, 1]);
    for (const each of run.experiments) {
      const { environments } = experimentById(each.plan.experiment).presets.quick;
      expect(each.plan).toMatchObject({ preset: "quick", sizes: { environments } });
      expect(each.plan.estimate?.costUsd).toBeGreaterThan(0);
      expectWhole(each);
      expect(run.report).toContain(`\n## ${experimentById(each.plan.experiment).title}\n`);
    }
    const listed = parseChecksums(run.checksums);
    const measured = run.experiments.flatMap(({ samples }) => samples);
    // A slow machine stores a trial in several parts.
    const stored = [...listed.keys()].map((path) => path.replace(/_\d+(?=\.jsonl$)/, ""));
    expect(new Set(stored).size).toBe(2 * 2 + new Set(measured.map(trialOf)).size);
    const files = await remoteFiles(new S3Client(account.client), bucket, runId);
    const paths = files.map(({ path }) => `/${path}`).join("\n");
    const promised = readme.filesIn("On AWS");
    expect(promised.length).toBeGreaterThan(5);
    for (const name of promised) expect(paths).toContain(`/${name}`);
  });
});

describe("a driver whose time ends before its trial", () => {
  /** What a driver keeps back of its own time, and some seconds to measure in. */
  const driverTimeoutSeconds = 94;

  it("hands the trial over, and its samples are those of one environment", async () => {
    const measure = (await deployedHandlers(account)).functions.get("Measure") ?? "";
    await setTimeoutOf(account, measure, driverTimeoutSeconds);
    const input = { ...oneCell, warm: 240 };
    const { runId, experiments: measured } = await runOf(input);
    await setTimeoutOf(account, measure, 900);
    expectWhole(measured[0] as RemoteExperiment);
    const files = await remoteFiles(new S3Client(account.client), bucket, runId);
    const laterParts = files.filter(({ path }) => /\/0000_\d+\.jsonl$/.test(path));
    expect(laterParts.length).toBeGreaterThan(0);
  });
});

describe("a run that ends by its precision or its budget", () => {
  const least = quickSizes.environments;
  /** Three cells, two samples a trial; the last ones do not fill a block. */
  const maxSamples = 3 * 2 * (least + 1) + 5;

  it("looks after the least blocks, adds one, and ends where its samples are spent", async () => {
    const rule = { untilPrecision: "0.5%", maxSamples };
    const run = await runOf({ experiment: "first-request", warm: 0, ...rule });
    const [measured] = run.experiments as [RemoteExperiment];
    expectWhole(measured, least + 1);
    const { manifest, plan } = measured;
    expect(plan.sizes.environments).toBe(least);
    const { stopping } = manifest;
    expect(stopping).toMatchObject({ endedBy: "maxSamples", blocks: least + 1 });
    expect(stopping?.ratios).toBeGreaterThan(0);
    expect(stopping?.wide).toBeGreaterThan(0);
    expect(run.report).toContain(
      `**Stopped at the sample limit (${maxSamples}), before it was precise:**`,
    );
    precise = run.runId;
  });
});

describe("a stack on which a run is going", () => {
  let running: string;
  let runId: string;

  it("refuses a second run with the execution that is in its way", async () => {
    const earlier = await remoteRuns(new S3Client(account.client), bucket);
    running = await startExecution(account, {});
    runId = await firstSamplesOf((runs) => runs.find((run) => !earlier.includes(run)));
    const second = await runStateMachine(account, {});
    expect(second).toMatchObject({ status: "FAILED", error: "InvalidInput" });
    expect(second.cause).toContain(`execution: found "${running}"; allowed: one run at a time`);
  });

  it("takes the next run once that execution is stopped, and tells of what it left", async () => {
    await stopExecution(account, running);
    expect(await endOfExecution(account, running)).toMatchObject({ status: "ABORTED" });
    const [next] = (await runOf({ ...oneCell, warm: 0 })).experiments;
    expect(next?.plan.warnings).toContainEqual(
      expect.stringContaining(`${runId}, ended as ABORTED`),
    );
    const cold = next?.samples.filter(({ rejected }) => rejected === undefined);
    expect(cold?.length).toBeGreaterThan(0);
    for (const names of (await variablesOfFunctions(account)).values()) {
      expect(names).not.toHaveProperty(nonceVariable);
    }
  });

  it("keeps what the stopped run measured, for a report without an account", async () => {
    const out = join(emulator.folder, "stopped");
    const fetched = kelvin(account, "fetch", "--bucket", bucket, "--run", runId, "--out", out);
    await expect(fetched).rejects.toThrow("exit status 3");
    await expect(kelvin(account, "report", out)).rejects.toThrow("exit status 3");
    expect(readFileSync(join(out, "report-full.md"), "utf8")).toContain(runId);
  });
});

describe("a stack that is deployed again with every experiment", () => {
  let run: RemoteRun;

  it("keeps its results and has a function for each cell", { timeout: deployLimitMs }, async () => {
    const runs = await remoteRuns(new S3Client(account.client), bucket);
    const printed = await deploy(everything);
    expect(printed).toContain(`Kelvin.ResultsBucket = ${bucket}`);
    expect(await remoteRuns(new S3Client(account.client), bucket)).toEqual(runs);
  });

  it("is measured in the size that the input asks for, one experiment after another", async () => {
    run = await runOf({ memoryMb: 1536, cold: 1, warm: 4, seed: 7 });
    expect(run.experiments.map(({ plan }) => plan.experiment)).toEqual(ids);
    for (const each of run.experiments) {
      const { cells, sizes } = each.plan;
      expect(new Set(cells.map(({ memoryMb }) => memoryMb))).toEqual(new Set([1536]));
      expect(sizes).toMatchObject({ environments: 1, warmEnvironments: 1, warmCalls: 4 });
      expectWhole(each);
    }
  });

  it("invokes the real functions", () => {
    for (const sample of samplesOf(run)) {
      expect(resultOf(sample)).toMatchObject({ variant: sample.cell.variant });
    }
    for (const sample of run.experiments[0]?.samples ?? []) {
      const itemsCount = { get: 1, put: 1, query: 25, batch_write: 25 }[sample.operation];
      expect(resultOf(sample)).toMatchObject({ operation: sample.operation, itemsCount });
    }
  });

  it("reads Init and the memory size from Lambda's own REPORT line", () => {
    for (const { telemetry, cell, phase } of samplesOf(run)) {
      expect(telemetry?.memorySizeMb).toBe(cell.memoryMb);
      expect(telemetry?.initDurationMs !== undefined).toBe(phase === "cold");
    }
  });

  it("names in each manifest what was deployed of each variant", () => {
    for (const { manifest, plan } of run.experiments) {
      const measured = new Set(plan.cells.map(({ variant }) => variant));
      expect(new Set(manifest.artefacts.map(({ variant }) => variant))).toEqual(measured);
      for (const { sha256 } of manifest.artefacts) expect(sha256).toMatch(/^[\w+/]{43}=$/);
    }
  });

  it("gives the functions their environment back", async () => {
    const variables = await variablesOfFunctions(account);
    expect(variables.size).toBeGreaterThan(7);
    for (const names of variables.values()) expect(names).not.toHaveProperty(nonceVariable);
  });

  it("needs no permission that its roles do not have", () => {
    expect(emulator.process.log().match(/IAM DENY: User: .*Kelvin-.*/g) ?? []).toEqual([]);
  });

  it("logs to its own groups only", async () => {
    const { logGroups } = await inventory(account);
    expect(logGroups).not.toEqual([]);
    for (const name of logGroups) expect(name).toMatch(/^Kelvin-/);
  });

  it("gives its runs to `kelvin fetch`, every file with the bytes that are in S3", async () => {
    const { runId } = run;
    const out = join(emulator.folder, "fetched");
    const fetch = ["fetch", "--bucket", bucket, "--out", out];
    const printed = await kelvin(account, ...fetch, "--run", runId);
    expect(printed).toContain("report.html");
    expect(readFileSync(join(out, "report-full.md"), "utf8")).toBe(run.report);
    const files = await remoteFiles(new S3Client(account.client), bucket, runId);
    expect(printed).toContain(`${files.length} of ${files.length} files fetched`);
    expect(await kelvin(account, "report", out)).toContain("What was found");
    expect(readFileSync(join(out, "report-full.md"), "utf8")).toBe(run.report);
  });
});

describe("`kelvin compare` of a run with itself, by its address", () => {
  afterAll(() => {
    if (precise !== "") rmSync(join(projectPaths.runs, precise), { recursive: true, force: true });
  });

  it("brings it and finds nothing slower, and nothing faster", async () => {
    const address = `s3://${bucket}/runs/${precise}`;
    const printed = await kelvin(account, "compare", address, address, "--json");
    const json = printed.split("\n").find((line) => line.startsWith("{")) ?? "";
    const { changes, differences } = JSON.parse(json) as TwoRuns;
    expect(differences).toEqual([]);
    expect(changes.length).toBeGreaterThan(0);
    const verdicts = new Set(changes.map(({ verdict }) => verdict));
    for (const different of ["slower", "faster"]) expect(verdicts).not.toContain(different);
  });
});

describe("an input that cannot be run", () => {
  it.each([
    [[], "input: found []; allowed: an object with any of experiment, variants"],
    [{ memoryMb: [1769] }, "memoryMb: found 1769; allowed: one or several of those deployed: 512"],
    [{ maxCostUsd: 0.000001 }, "maxCostUsd: found 0.000001; allowed: at least 0."],
  ])("ends the execution with what was found and what is allowed: %j", async (input, message) => {
    const execution = await runStateMachine(account, input);
    expect(execution).toMatchObject({ status: "FAILED", error: "InvalidInput" });
    expect(execution.cause).toContain(message);
  });

  it("invokes no measured function and leaves nothing in the bucket", async () => {
    const client = new S3Client(account.client);
    const state = async () => ({
      runs: await remoteRuns(client, bucket),
      invocations: await loggedInvocations(account, "dynamodb"),
    });
    const earlier = await state();
    expect(earlier.invocations).toBeGreaterThan(0);
    await runStateMachine(account, { cold: "many" });
    expect(await state()).toEqual(earlier);
    expect(earlier.runs).toHaveLength(6);
  });
});

describe("a stack that is deployed again with a user's own functions", () => {
  const own = functionsFolder();
  let factorReport = "";

  it("has copies of them in the place of the experiments", { timeout: deployLimitMs }, async () => {
    const head = { artefact: "head" };
    const path = own.write({
      ...{ architectures: ["x86_64"], memoryMb: [512] },
      functions: [
        { name: "base", artefact: "base.zip", environment: { LOG_LEVEL: "error" } },
        { name: "head", ...head },
        { name: "quiet", ...head, environment: { LOG_LEVEL: "error" }, differsFrom: "head" },
      ],
    });
    const printed = await deploy(["-c", `functions=${path}`, "-c", "preset=quick"]);
    bucket = /Kelvin\.ResultsBucket = (\S+)/.exec(printed)?.[1] ?? "";
    expect(printed).toContain("python3.13, lambda_function.lambda_handler (found in the artefact)");
    const { functions } = await inventory(account);
    const measured = functions.filter((name) => /^Kelvin-functions/.test(name));
    expect(measured).toHaveLength(4);
  });

  it("measures them with their events, and proves cold by Init and log streams", async () => {
    const { experiments: measured } = await runOf({ cold: 3, warm: 24 });
    const [{ plan, manifest, samples, report }] = measured as [RemoteExperiment];
    expect(manifest).toMatchObject({ status: "complete", cellFailures: [] });
    expect(samples).toHaveLength(plannedSamples(plan));
    for (const { rejected } of samples) expect(rejected?.reason ?? "warm-up").toBe("warm-up");
    const streams = new Set(samples.map(({ environmentId }) => environmentId));
    expect(streams.size).toBe(plan.cells.length * plan.sizes.environments);
    expect(report).toContain("Functions: base, head, quiet");
    factorReport = report;
  });

  it("compares the two that differ in one variable, beside the baseline", () => {
    expect(factorReport).toContain("## One factor at a time");
    expect(factorReport).toContain("One factor, environment variable LOG_LEVEL:");
    expect(factorReport).toMatch(
      /Whether quiet is faster or slower than head is undecided: too few environments/,
    );
    expect(factorReport).toMatch(/\| environment variable LOG_LEVEL +\| quiet \/ head +\|/);
  });

  it("needs no permission that its roles do not have", () => {
    expect(emulator.process.log().match(/IAM DENY: User: .*Kelvin-.*/g) ?? []).toEqual([]);
  });
});

it("a stack that is destroyed leaves the account as it was before, with the runs' bucket gone too", async () => {
  const assets = /^cdk-|^CDKToolkit$/;
  for (const names of Object.values(before)) {
    for (const name of names) expect(name).toMatch(assets);
  }
  await readme.run(/ destroy$/, ["--force"], account.environment);
  expect(await inventory(account)).toEqual(before);
});

it("the clone measures the functions that are its examples, and packs what measures them anywhere", async () => {
  const oneSize = ["--memory", "1769", ...fewCalls];
  expect(await readme.run(/ -- measure /, oneSize)).toMatch(/^Functions: python, node$/m);
  await readme.run(/^npm pack$/, ["--loglevel", "error"]);
  expect(await readme.run(/^npx --yes /, oneSize)).toMatch(/^Functions: node$/m);
  expect(readme.remaining()).toEqual([]);
});

it("the emulator leaves no process behind", async () => {
  expect(emulator.process.processes()).not.toEqual([]);
  await emulator.stop();
  expect(emulator.process.processes()).toEqual([]);
});
