import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { remoteFiles } from "../../lib/aws/fetch-run.ts";
import { validated } from "../../lib/contract/validate.ts";
import type { PlannedExperiment, PlannedRun } from "../../lib/run/messages.ts";
import type { EmulatedAccount } from "../support/emulated-account.ts";
import { type MiniStack, startMiniStack } from "../support/ministack/ministack.ts";
import { tagAsTheTemplateDoes } from "./support/bucket-tags.ts";
import { cdk } from "./support/command.ts";
import { type DeployedHandlers, deployedHandlers, invoked } from "./support/deployed-handlers.ts";
import { type Inventory, inventory } from "./support/inventory.ts";

/**
 * A second, independent engine. It does not evaluate our state machine (no JSONata in a distributed
 * Map) and prints no REPORT lines, so its handlers are invoked by hand; but it runs, where LocalEmu
 * does not, CDK's own function that empties the bucket.
 */

const matrix = ["-c", "architectures=x86_64", "-c", "memory=128,512"];
/** What the state machine says of itself, where there is one. */
const execution = "arn:aws:states:us-east-1:000000000000:execution:Kelvin:by-hand";
/** A cold build of the Rust functions is in it. */
const deployLimitMs = 40 * 60_000;

let emulator: MiniStack;
let account: EmulatedAccount;
let assembly: string;
let before: Inventory;
let bucket = "";
let handlers: DeployedHandlers;
let planned: PlannedRun;

beforeAll(async () => {
  emulator = await startMiniStack();
  ({ account } = emulator);
  assembly = join(emulator.folder, "cdk.out");
  await cdk(account, assembly, ["bootstrap"]);
  before = await inventory(account);
});
afterEach(({ task }) => {
  if (task.result?.state === "fail") process.stderr.write(`${emulator.process.logTail()}\n`);
});
afterAll(() => emulator?.stop());

const call = (state: string, event: object) =>
  invoked(account, handlers.functions.get(state), event);

describe("the stack on a second engine", () => {
  it("is deployed with one command", { timeout: deployLimitMs }, async () => {
    const printed = await cdk(account, assembly, [
      ...["deploy", "--require-approval", "never"],
      ...matrix,
    ]);
    bucket = /Kelvin\.ResultsBucket = (\S+)/.exec(printed)?.[1] ?? "";
    await tagAsTheTemplateDoes(account, bucket);
    handlers = await deployedHandlers(account);
  });

  it("plans and seeds", async () => {
    const { deployment } = handlers;
    const input = { cold: 1, warm: 0, variants: "rust", memoryMb: 128 };
    planned = (await call("Plan", { input, deployment, execution })) as PlannedRun;
    const [experiment] = planned.experiments;
    expect(experiment?.cells.map(({ cellId }) => cellId)).toEqual([
      ...["rust-x86-64-128", "rust-x86-64-128-replica"],
    ]);
    expect(await call("Seed", experiment?.seed ?? {})).toMatchObject({ written: 25 });
  });

  it("answers from each measured function by the contract", async () => {
    const measured = Object.values(handlers.deployment.experiments.dynamodb?.functions ?? {});
    expect(measured).toHaveLength(7);
    for (const name of measured) {
      const result = validated("result", await invoked(account, name, { operation: "query" }));
      expect(result).toMatchObject({ operation: "query", itemsCount: 25, coldStart: true });
    }
  });

  it("measures a trial, records another's failure, restores and reports", async () => {
    const { runId, experiments } = planned;
    const [{ folder, cells }] = experiments as [PlannedExperiment];
    const [first, second] = cells;
    await call("Try functions", { folder, cells });
    const measured = await call("Measure", { folder, block: 0, execution, ...first });
    expect(measured).toEqual({ cellId: first?.cellId, costUsd: expect.any(Number) });
    const failure = { error: "States.Timeout", cause: "it took too long" };
    await call("Record failure", { folder, block: 0, cellId: second?.cellId, ...failure });
    const functionNames = cells.map(({ functionName }) => functionName);
    expect(await call("Restore", { functionNames, execution })).toEqual({ restored: 1 });
    await call("Report", { folder, cells, failure: {}, look: {}, cap: {}, spentUsd: 0 });
    const told = { failures: [], warnings: [], fetchCommand: "kelvin fetch" };
    const report = await call("Overview", { runId, experiments, ...told });
    expect(report).toMatchObject({
      runId,
      files: { "report.md": expect.stringContaining(bucket) },
    });
    const files = await remoteFiles(new S3Client(account.client), bucket, runId);
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        `failures/${second?.cellId}/0000.json`,
        `samples/${first?.cellId}/0000.jsonl`,
        ...["plan.json", "manifest.json", "report.html"],
      ]),
    );
  });

  it("is destroyed with a bucket that is full, and leaves nothing of its own", async () => {
    await cdk(account, assembly, ["destroy", "--force", ...matrix]);
    expect(emulator.process.log()).toContain("CustomS3AutoDeleteObjects");
    expect(await inventory(account)).toEqual(before);
  });
});

it("the emulator leaves no process behind", async () => {
  expect(emulator.process.processes()).not.toEqual([]);
  await emulator.stop();
  expect(emulator.process.processes()).toEqual([]);
});
