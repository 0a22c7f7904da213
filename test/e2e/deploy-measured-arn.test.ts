import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CloudFormationClient, GetTemplateCommand } from "@aws-sdk/client-cloudformation";
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from "@aws-sdk/client-iam";
import {
  CreateFunctionCommand,
  type FunctionConfiguration,
  GetFunctionCommand,
  LambdaClient,
} from "@aws-sdk/client-lambda";
import { ListStateMachinesCommand, SFNClient } from "@aws-sdk/client-sfn";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Manifest } from "../../lib/contract/types/contract.ts";
import { type EmulatedAccount, inRegion } from "../support/emulated-account.ts";
import { answerPrices, listed } from "../support/fake-aws/price-list.ts";
import { servedHttp } from "../support/http-server.ts";
import { type LocalEmu, startLocalEmu } from "../support/localemu/localemu.ts";
import { makeZip } from "../support/make-zip.ts";
import { cdk, kelvin } from "./support/command.ts";
import { startExecution, stopExecution } from "./support/execution.ts";
import { type Inventory, inventory, objectVersions } from "./support/inventory.ts";

/** The tests are one story: a function is measured by its ARN, its stack is kept, run again and destroyed. */

let emulator: LocalEmu;
let account: EmulatedAccount;
let before: Inventory;
let versionsBefore: readonly string[];
let arn: string;
/** The function that is measured. */
let original: FunctionConfiguration;
let stack = "";

/** The Price List API, which LocalEmu lacks. */
const priceListAddress = servedHttp(async (request, response) => {
  const { body } = answerPrices(listed, Buffer.concat(await request.toArray()).toString());
  response.end(body);
});

/** When the function and its copies were called, ms since 1970: each call adds a line to a file. */
const calledMs = () =>
  readFileSync(join(emulator.folder, "calls"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => 1000 * Number(line));

beforeAll(async () => {
  emulator = await startLocalEmu();
  // A region whose prices are not all in Kelvin's own table.
  const { environment, ...there } = inRegion(emulator.account, "eu-central-1");
  const pricing = { AWS_ENDPOINT_URL_PRICING: priceListAddress() };
  account = { ...there, environment: { ...environment, ...pricing } };
  await cdk(account, join(emulator.folder, "cdk.out"), ["bootstrap"]);
  arn = await createFunction(account);
  original = await configurationOf(arn);
  before = await inventory(account);
  versionsBefore = await objectVersions(account);
  mkdirSync(join(emulator.folder, "runs"));
});
afterEach(({ task }) => {
  if (task.result?.state === "fail") process.stderr.write(`${emulator.process.logTail()}\n`);
});
afterAll(() => emulator?.stop());

/** How long a call takes while this file exists. */
const slowSeconds = 8;
const slowFile = () => join(emulator.folder, "slow");

/** The function's secret, by which it knows whether it got it. */
const secret = "hunter-2b7e151628aed2a6";

/** A user's function, with a role that Lambda may assume. */
async function createFunction({ client }: EmulatedAccount): Promise<string> {
  const trust = {
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" },
    ],
  };
  const iam = new IAMClient(client);
  const role = await iam.send(
    new CreateRoleCommand({ RoleName: "orders", AssumeRolePolicyDocument: JSON.stringify(trust) }),
  );
  const Action = ["dynamodb:GetItem", "dynamodb:PutItem", "logs:PutLogEvents"];
  const PolicyDocument = JSON.stringify({
    ...{ Version: "2012-10-17", Statement: { Effect: "Allow", Action, Resource: "*" } },
  });
  await iam.send(
    new PutRolePolicyCommand({ RoleName: "orders", PolicyName: "own", PolicyDocument }),
  );
  const content = [
    "import os, time",
    "def lambda_handler(event, context):",
    `    time.sleep(${slowSeconds} if os.path.exists(${JSON.stringify(slowFile())}) else 0.02)`,
    `    with open(${JSON.stringify(join(emulator.folder, "calls"))}, "a") as calls:`,
    "        print(time.time(), file=calls)",
    `    return {"statusCode": 200 if os.environ["API_TOKEN"] == "${secret}" else 500}`,
    "",
  ].join("\n");
  const answer = await new LambdaClient(client).send(
    new CreateFunctionCommand({
      FunctionName: "Orders_API",
      Role: role.Role?.Arn,
      Runtime: "python3.13",
      Handler: "lambda_function.lambda_handler",
      Code: { ZipFile: makeZip([{ name: "lambda_function.py", content }]) },
      Environment: { Variables: { API_TOKEN: secret } },
      MemorySize: 512,
      Timeout: 10,
      Architectures: ["x86_64"],
    }),
  );
  return answer.FunctionArn ?? "";
}

async function configurationOf(name: string): Promise<FunctionConfiguration> {
  const lambda = new LambdaClient(account.client);
  for (;;) {
    const { Configuration } = await lambda.send(new GetFunctionCommand({ FunctionName: name }));
    if (Configuration?.State === "Active") return Configuration;
  }
}

const out = (name: string) => join(emulator.folder, "runs", name);
const least = ["--cold", "2", "--warm", "0"];

/** The text of the question, with the most calls of the plan. */
const acts =
  /^up to (\d+) calls of the plan do what .+, in account 000000000000, region eu-central-1, as the role arn:aws:iam::000000000000:role\/orders: besides reading and logging, its policies allow dynamodb:PutItem on \*$/m;

/** What is said of the cost before a run starts. */
const costs =
  /cost +about \$.*\nat most +about \$.* if every call took until its timeout; with a cap .*\nleft out .*\nAWS Config /;

describe("kelvin measure ARN", () => {
  it("deploys nothing where nobody agrees to what the copies do, whatever the cap", async () => {
    const capped = ["measure", arn, "--max-cost", "1", ...least, "--copy-secrets"];
    await expect(kelvin(account, ...capped)).rejects.toThrow(acts);
    await expect(kelvin(account, ...capped, "--yes", "--apply")).rejects.toThrow(
      "or --apply-without-asking",
    );
    await expect(kelvin(account, ...capped.with(3, "0.000001"))).rejects.toThrow(
      "max-cost: found 0.000001; allowed: at least 0.01",
    );
    expect(await inventory(account)).toEqual(before);
  });

  it("deploys copies, measures them and prints the answer, from one command", {
    // The stack of a first attempt would be in the way of a second one.
    retry: 0,
  }, async () => {
    const words = [
      "measure",
      arn,
      "--yes",
      "--keep",
      "--copy-secrets",
      "--max-cost",
      "1",
      // As many as decide that half of the memory costs less.
      ...["--cold", "6", "--warm", "60"],
    ];
    const sizes = ["--memory", "256", "--apply", "cheapest", "--apply-without-asking"];
    const more = ["--expect-status", "200", "--out", out("measured")];
    const printed = await kelvin(account, ...words, ...sizes, ...more);
    stack = /^the stack (\S+) is kept/m.exec(printed)?.[1] ?? "";
    expect(printed).toMatch(/^deploying Kelvin-Orders-API-[0-9a-f]{8}$/m);
    expect(printed).toContain("prices of eu-central-1: from the Price List API");
    expect(printed).toMatch(costs);
    expect(calledMs().length).toBeLessThanOrEqual(Number(acts.exec(printed)?.[1]));
    expect(printed).toContain("512 MB, the present size, is measured beside: --apply");
    expect(printed).toContain("- MemorySize: 512\n+ MemorySize: 256\n");
    expect(printed).toContain("Orders_API has 256 MB now");
    expect(printed.replaceAll(/\s+/g, " ")).toContain(`on AWS (${account.region})`);
    expect(printed).toContain("report.html");
    expect((await inventory(account)).stacks).toContain(stack);
  });

  it("has uploaded everything below a prefix of the stack, and the secret nowhere", async () => {
    const client = new CloudFormationClient(account.client);
    const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName: stack }));
    expect(TemplateBody).toContain("API_TOKEN");
    expect(TemplateBody).not.toContain(secret);
    const uploads = (await objectVersions(account)).filter((each) => each.startsWith("cdk-"));
    expect(uploads.length).toBeGreaterThan(2);
    for (const each of uploads)
      expect(each).toMatch(new RegExp(`^cdk-hnb659fds-assets-[^/]+/kelvin/${stack}/`));
  });

  it("has not invoked the function itself, and changed nothing but its memory size", async () => {
    const { RevisionId: _revision, LastModified: _modified, ...kept } = original;
    original = await configurationOf(arn);
    expect(original).toMatchObject({ ...kept, MemorySize: 256 });
    const { logGroups } = await inventory(account);
    expect(logGroups.filter((name) => name.includes("/aws/lambda/Orders_API"))).toEqual([]);
  });

  it("refuses to measure the same function beside it, and names the stack", async () => {
    await expect(kelvin(account, "measure", arn, "--yes", "--copy-secrets")).rejects.toThrow(
      `AWS_REGION=${account.region} kelvin destroy --stack ${stack} --force deletes it`,
    );
  });
});

describe("kelvin run", () => {
  it("measures the deployed copies again", async () => {
    const words = ["run", "-c", `stack=${stack}`, ...least, "--out", out("again"), "--json"];
    await expect(kelvin(account, ...words)).rejects.toThrow(acts);
    const printed = await kelvin(account, ...words, "--yes");
    expect(printed).toMatch(acts);
    expect(printed).toMatch(costs);
    expect(printed).toMatch(
      /^the run took \d+\.\d minutes and cost about \$[\d.]+; the estimate was \d/m,
    );
    const json = printed.split("\n").find((line) => line.startsWith("{")) ?? "";
    expect(JSON.parse(json)).toMatchObject({ manifest: { status: "complete", target: "aws" } });
  });

  it("ends with 2 on input that the state machine refuses", async () => {
    const refused = kelvin(account, "run", "--stack", stack, "--yes", "--max-cost", "0.001");
    await expect(refused).rejects.toThrow("maxCostUsd: found 0.001; allowed: at least 0.");
  });

  it("ends a run of calls that take longer than expected before it costs more than --max-cost", async () => {
    const [usd, folder] = [0.006, out("capped")];
    writeFileSync(slowFile(), "");
    const words = ["run", "--stack", stack, "--yes", "--cold", "6", "--warm", "0"];
    const capped = kelvin(account, ...words, "--max-cost", `${usd}`, "--out", folder);
    const printed = await capped.catch((error: Error) => error.message);
    rmSync(slowFile());
    expect(printed).toContain("exit status 3");
    expect(printed.replaceAll(/\s+/g, " ")).toMatch(
      /The cap of \$0\.006 \(maxCostUsd\) ended it after [1-5] of 6 blocks: another block could have passed it/,
    );
    const { status, costUsd = 0 } = JSON.parse(
      readFileSync(join(folder, "manifest.json"), "utf8"),
    ) as Manifest;
    expect(status).toBe("partial");
    expect(costUsd).toBeLessThan(usd);
    // Another block would have passed it.
    expect(costUsd).toBeGreaterThan(usd / 2);
  });

  it("follows a run that was started elsewhere, on which nothing is destroyed meanwhile", async () => {
    const { stateMachines = [] } = await new SFNClient(account.client).send(
      new ListStateMachinesCommand({}),
    );
    expect(stateMachines).toHaveLength(1);
    const execution = await startExecution(account, { cold: 4, warm: 0 });
    const destroyed = kelvin(account, "destroy", "--stack", stack);
    await expect(destroyed).rejects.toThrow("--force where there is no terminal");
    const words = ["run", "--stack", stack, "--attach", execution, "--out", out("attached")];
    expect(await kelvin(account, ...words)).toContain("report.html");
  });
});

/** Starts a run whose trials take a minute, and returns its execution once it has called functions. */
async function longRun(): Promise<string> {
  const startedMs = Date.now();
  const execution = await startExecution(account, { cold: 1, warm: 600 });
  while ((calledMs().at(-1) ?? 0) < startedMs + 5_000) await delay(500);
  return execution;
}

it("a run that is stopped in the console begins no call 15 s later", async () => {
  await stopExecution(account, await longRun());
  const stoppedMs = Date.now();
  await delay(25_000);
  const latestMs = (calledMs().at(-1) ?? 0) - stoppedMs;
  expect(latestMs).toBeGreaterThan(0);
  expect(latestMs).toBeLessThan(15_000);
});

it("kelvin destroy --stack stops a run under way and waits for its calls, and leaves the account as it was", async () => {
  await longRun();
  const destroyedMs = Date.now();
  const printed = await kelvin(account, "destroy", "--stack", stack, "--force");
  expect(printed).toContain("stopping the run arn:aws:states:");
  expect(printed).toMatch(
    /^waiting for 1\d s, until calls .* timeout of 10 s; no other call begins$/m,
  );
  expect(calledMs().at(-1)).toBeLessThan(destroyedMs + 15_000);
  expect(await inventory(account)).toEqual(before);
  expect(await objectVersions(account)).toEqual(versionsBefore);
  const again = kelvin(account, "destroy", "--stack", stack, "--force");
  await expect(again).rejects.toThrow(`no stack ${stack} in ${account.region}`);
  expect((await configurationOf(arn)).RevisionId).toBe(original.RevisionId);
});
