import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { measure } from "../../bin/commands/measure.ts";
import { exitCodes } from "../../bin/exit-codes.ts";
import { measureDeployed } from "../../bin/run/measure-deployed.ts";
import { type ControlLambdaClient, controlLambdaClient } from "../../lib/aws/clients.ts";
import type { FunctionsFile } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { parseLimit } from "../../lib/plan/limits.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { type FakeAccount, fakeAccount } from "../support/fake-aws/fake-account.ts";
import { configFor, type FakeRequest, jsonError } from "../support/fake-aws/http.ts";
import { listed, priceList } from "../support/fake-aws/price-list.ts";
import { putRun } from "../support/finished-run.ts";
import { servedHttp } from "../support/http-server.ts";
import { makeZip } from "../support/make-zip.ts";
import { interrupt } from "../support/signals.ts";
import { smallPlan } from "../support/small-plan.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const content = 'def lambda_handler(event, context):\n    return {"statusCode": 200}\n';
const zip = makeZip([{ name: "lambda_function.py", content }]);
const address = servedHttp((_, response) => void response.end(zip));

const arn = "arn:aws:lambda:us-east-1:123456789012:function:Orders_API";
const runId = "20260101T0000Z-abcdef";
const pollMs = { first: 1, most: 1 };

let account: FakeAccount;
const folder = folderPerTest();
const output = capturedOutput();
/** What Lambda was asked for. */
let asked: string[];
/** What was run of the CDK's. */
let commands: (readonly string[])[];
let variables: Readonly<Record<string, string>>;
/** The configuration of a function, by its ARN, where it is not the usual one. */
let configurations: Readonly<Record<string, object>>;
/** The variables of the functions of the stack, by their names. */
const copies = new Map<string, Readonly<Record<string, string>>>();

beforeEach(() => {
  account = fakeAccount();
  [asked, commands, variables, configurations] = [[], [], {}, {}];
  copies.clear();
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_DEFAULT_REGION", "eu-west-1");
});

/** Lambda with the user's function, at the revision "1"; an update of any other is refused. */
function lambda(): ControlLambdaClient {
  const respond = ({ method, path, body }: FakeRequest) => {
    const of = decodeURIComponent(path).split("/functions/")[1] ?? "";
    asked.push(`${method} ${of} ${body}`.trim());
    const copy = of.replace("/configuration", "");
    if (copies.has(copy)) return answerOfCopy(copy, method === "PUT" ? body : undefined);
    if (method === "PUT") {
      const isCurrent = JSON.parse(body).RevisionId === "1";
      return isCurrent
        ? { status: 200, body: "{}" }
        : jsonError(412, "PreconditionFailedException", "");
    }
    const Configuration = {
      ...{
        FunctionName: "Orders_API",
        Runtime: "python3.13",
        Role: "arn:aws:iam::123456789012:role/orders",
      },
      ...{ Handler: "lambda_function.lambda_handler", MemorySize: 512, Timeout: 12 },
      ...{ PackageType: "Zip", Architectures: ["arm64"], RevisionId: "1" },
      CodeSha256: createHash("sha256").update(zip).digest("base64"),
      Environment: { Variables: variables },
      ...configurations[decodeURIComponent(path).split("/functions/")[1] ?? ""],
    };
    const Code = { RepositoryType: "S3", Location: address("/code") };
    return { status: 200, body: JSON.stringify({ Configuration, Code }) };
  };
  return controlLambdaClient(configFor({ respond }));
}

/** A function of the stack, whose update replaces its variables and is soon done. */
function answerOfCopy(name: string, update: string | undefined) {
  if (update !== undefined) copies.set(name, JSON.parse(update).Environment.Variables);
  const Environment = { Variables: copies.get(name) };
  const Configuration = { Environment, LastUpdateStatus: "Successful" };
  return { status: 200, body: JSON.stringify(update === undefined ? { Configuration } : {}) };
}

/** A CDK whose deploy makes the stack, and whose destroy takes it away; what it is to end with, by its word. */
function cdkEnding(codes: Readonly<Record<string, number>> = {}) {
  return async (_app: string, words: readonly string[]) => {
    commands.push(words);
    const [word = ""] = words;
    const name = words.find((each) => each.startsWith("stack="))?.slice("stack=".length) ?? "";
    const code = codes[word] ?? 0;
    const stack = account.cloudFormation.stacks.get("Kelvin");
    const resources = [...copies.keys()].map((each) => ["AWS::Lambda::Function", each] as const);
    if (word === "deploy" && code === 0 && stack)
      account.cloudFormation.stacks.set(name, { ...stack, resources });
    if (word === "bootstrap" && code === 0) account.ssm.versions.set("acme", "31");
    if (word === "destroy" && code === 0) account.cloudFormation.stacks.delete(name);
    return code;
  };
}

type Deployed = Pick<FunctionsFile, "memoryMb" | "events" | "functions">;

/** The same, which keeps the functions files that it is given. */
function cdkKeeping(files: Deployed[]) {
  return async (app: string, words: readonly string[]) => {
    const path = words.find((each) => each.startsWith("functions="))?.slice("functions=".length);
    if (path !== undefined) files.push(JSON.parse(readFileSync(path, "utf8")));
    return await cdkEnding()(app, words);
  };
}

/** The state machine ends at the first look, having measured. */
async function measures(): Promise<void> {
  await putRun(account.s3, folder("made"), smallPlan({ runId, target: "aws" }));
  account.stepFunctions.onLook = (execution) => {
    account.takeLock(execution, runId);
    account.stepFunctions.end(execution, { status: "SUCCEEDED" });
  };
}

/** Who is asked gives this answer. */
function asking(answer: string) {
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answer;
  };
  return { ask, questions };
}

type Words = Partial<Parameters<typeof measureDeployed>[1]>;

async function measured(words: Words = {}, more: object = {}, arns: readonly string[] = [arn]) {
  const surroundings = {
    ...{ ask: async () => undefined, cdk: cdkEnding(), lambda, pollMs },
    ...{ pricing: priceList([]), isTerminal: true },
    clients: async () => account.clients,
    ...more,
  };
  const given = { preset: "quick", out: folder("out"), ...words } as const;
  return await measureDeployed(arns, given, undefined, surroundings);
}

const words = () => commands.map(([word]) => word);
const stacks = () => [...account.cloudFormation.stacks.keys()];

describe("kelvin measure ARN", () => {
  it("deploys copies, runs, fetches, prints the answer and destroys the stack", async () => {
    await measures();
    expect(await measured({ yes: true, cold: 3 })).toBe(0);
    expect(words()).toEqual(["deploy", "destroy"]);
    expect(account.stepFunctions.inputs).toEqual([{ preset: "quick", cold: 3 }]);
    expect(output.stderr).toMatch(/^deploying Kelvin-Orders-API-[0-9a-f]{8}$/m);
    expect(output.stderr).toMatch(/cost +about \$\d/);
    expect(output.stdout).toContain("report.html");
    expect(stacks()).toEqual(["Kelvin"]);
  });

  it("only reads the function", async () => {
    await measures();
    await measured({ yes: true });
    expect(asked.every((request) => request.startsWith(`GET ${arn}`))).toBe(true);
  });

  it("hands its limits to the run, and judges them: no call of this one counts", async () => {
    await measures();
    const limit = [parseLimit("cold.p95 < 0.001 ms"), parseLimit("warm.mean < 0.8 s")];
    expect(await measured({ yes: true, limit })).toBe(exitCodes.notCompared);
    expect(account.stepFunctions.inputs).toEqual([
      { preset: "quick", limits: ["cold.p95 < 0.001 ms", "warm.mean < 800 ms"] },
    ]);
    expect(output.stdout.replaceAll(/\s+/g, " ")).toContain("cold start P95 < 0.001 ms");
    expect(words()).toEqual(["deploy", "destroy"]);
  });

  it("takes the prices of a file for its estimate, its state machine and its report", async () => {
    await measures();
    const path = folder("prices.json");
    const [, all] =
      Object.entries(publishedPrices.regions).find(([name]) => name === "us-east-1") ?? [];
    const regions = { "us-east-1": all };
    writeFileSync(path, JSON.stringify({ ...publishedPrices, date: "2031-02-03", regions }));
    expect(await measured({ yes: true, prices: path })).toBe(0);
    expect(commands[0]).toContain(`prices=${path}`);
    const summary = JSON.parse(readFileSync(folder("out", "summary.json"), "utf8"));
    expect(summary.cost.pricesDate).toBe("2031-02-03");
    const absent = folder("none.json");
    await expect(measured({ yes: true, prices: absent })).rejects.toThrow("prices");
    expect(words()).toEqual(["deploy", "destroy"]);
  });

  it("deploys the functions file of the copy, with the function's own size or those asked for", async () => {
    await measures();
    const files: Deployed[] = [];
    const cdk = cdkKeeping(files);
    await measured({ yes: true, event: ['get={"id":1}'] }, { cdk });
    await measured({ yes: true, memory: "auto", out: folder("auto") }, { cdk });
    expect(files).toMatchObject([
      { memoryMb: [512], events: [{ name: "get", payload: { id: 1 } }] },
      { memoryMb: [128, 256, 512, 1024, 1769, 3008] },
    ]);
  });

  it("asks before it deploys, for what the copies do: whatever is no yes ends it with nothing deployed", async () => {
    const put = { Effect: "Allow", Action: ["dynamodb:PutItem"], Resource: "*" };
    account.iam.roles.set("orders", { inline: { own: { Statement: put } } });
    const { ask, questions } = asking("n");
    await expect(measured({ cold: 3, warm: 6 }, { ask })).rejects.toThrow(
      'a yes: found "n"; allowed: y at the terminal, or --yes',
    );
    // In three blocks, the copy and its replica each get a cold, a second, four warm calls and perhaps another cold one.
    // Before them, each is called once.
    const [text, question] = questions[0]?.split("\n") ?? [];
    expect(text).toBe(
      "up to 44 calls of the plan do what Orders_API does, with its variables and layers, in account 123456789012, region us-east-1, as the role arn:aws:iam::123456789012:role/orders: besides reading and logging, its policies allow dynamodb:PutItem on *",
    );
    expect(question).toMatch(
      /^Deploy copies and measure them for about \$0\.\d+\? The stack is destroyed afterwards\. \[y\/N\] $/,
    );
    expect(commands).toEqual([]);
  });

  it("is not agreed to by --max-cost; what --yes agrees to is logged", async () => {
    await measures();
    await expect(measured({ maxCost: 1 })).rejects.toThrow("a yes: found nothing");
    expect(commands).toEqual([]);
    account.iam.denied = ["ListAttachedRolePolicies"];
    expect(await measured({ maxCost: 1, yes: true })).toBe(0);
    expect(output.stderr).toMatch(
      /up to \d+ calls of the plan do what Orders_API does, .*: which of its actions write is unknown \(User: \S+ is not authorized to perform: iam:ListAttachedRolePolicies\)\n/,
    );
  });

  it("takes a cap that the estimate is not above, and refuses a lower one", async () => {
    await measures();
    const refused = await measured({ maxCost: 0.000001 }).catch((error: Error) => error.message);
    const [, least] =
      /^max-cost: found 0.000001; allowed: at least (\S+), /.exec(`${refused}`) ?? [];
    expect(commands).toEqual([]);
    // Whoever takes the value that the refusal names is not refused again.
    const maxCostUsd = Number(least);
    expect(await measured({ maxCost: maxCostUsd, yes: true })).toBe(0);
    expect(account.stepFunctions.inputs).toEqual([{ preset: "quick", maxCostUsd }]);
  });

  it.each([
    ["Kelvin's own table", "us-east-1", priceList([])],
    ["the Price List API", "eu-central-1", priceList(listed)],
  ])("caps the cost by the prices of %s, which the stack has too", async (_, region, pricing) => {
    await measures();
    const tables: unknown[] = [];
    const cdk = async (app: string, words: readonly string[]) => {
      const path = words.find((each) => each.startsWith("prices="))?.slice("prices=".length);
      if (path !== undefined)
        tables.push(validated("prices", JSON.parse(readFileSync(path, "utf8"))));
      return await cdkEnding()(app, words);
    };
    const there = arn.replace("us-east-1", region);
    expect(await measured({ yes: true, maxCost: 1 }, { cdk, pricing }, [there])).toBe(0);
    expect(account.stepFunctions.inputs).toEqual([{ preset: "quick", maxCostUsd: 1 }]);
    expect(tables).toMatchObject(region === "us-east-1" ? [] : [{ regions: { [region]: {} } }]);
    expect(output.stderr).toMatch(new RegExp(`cost +about \\$.* in ${region}`));
  });

  it("refuses a cap by prices that neither has, before anything is asked or deployed", async () => {
    const { ask, questions } = asking("y");
    const there = [arn.replace("us-east-1", "eu-central-1")];
    await expect(measured({ maxCost: 1 }, { ask }, there)).rejects.toThrow(
      "max-cost: found 1; allowed: no value here, because it cannot be enforced: the estimate is without",
    );
    expect([...questions, ...commands]).toEqual([]);
  });

  it("keeps the stack with --keep, and says what runs and what deletes it", async () => {
    await measures();
    expect(await measured({ yes: true, keep: true })).toBe(0);
    expect(words()).toEqual(["deploy"]);
    expect(output.stderr).toMatch(
      /the stack (Kelvin-\S+) is kept: AWS_REGION=us-east-1 kelvin run --stack \1 measures/,
    );
    const again = measured({ yes: true });
    await expect(again).rejects.toThrow(
      /AWS_REGION=us-east-1 kelvin destroy --stack Kelvin-Orders-API/,
    );
  });

  it("destroys what a failed deploy has left, and shows what the CDK said", async () => {
    const cdk = async (
      app: string,
      given: readonly string[],
      options?: { readonly onLine: (line: string) => void },
    ) => {
      options?.onLine(`${given[0]}: said`);
      return await cdkEnding({ deploy: 1 })(app, given);
    };
    expect(await measured({ yes: true }, { cdk })).toBe(5);
    expect(words()).toEqual(["deploy", "destroy"]);
    expect(output.stderr).toContain("\ndeploy: said");
  });

  it("destroys the stack where the run fails, and ends as the run does", async () => {
    const end = { status: "FAILED", error: "InvalidInput", cause: "cold" };
    account.stepFunctions.onLook = (execution) => account.stepFunctions.end(execution, end);
    expect(await measured({ yes: true })).toBe(2);
    expect(words()).toEqual(["deploy", "destroy"]);
  });

  it("names the stack that could not be deleted", async () => {
    await measures();
    await expect(measured({ yes: true }, { cdk: cdkEnding({ destroy: 1 }) })).rejects.toThrow(
      /could not be deleted: AWS_REGION=us-east-1 kelvin destroy --stack Kelvin-Orders-API-\w+ --force tries again/,
    );
  });

  it("ends with the error before the destroy where both fail, and says the destroy's too", async () => {
    const cdk = async (app: string, given: readonly string[]) => {
      if (given[0] === "deploy") throw new Error("the CDK could not be fetched");
      return await cdkEnding({ destroy: 1 })(app, given);
    };
    await expect(measured({ yes: true }, { cdk })).rejects.toThrow("the CDK could not be fetched");
    expect(output.stderr).toMatch(/could not be deleted: AWS_REGION=us-east-1 kelvin destroy/);
  });

  it("compares two versions in one run, under names that tell them apart", async () => {
    await measures();
    const files: Deployed[] = [];
    await measured({ yes: true }, { cdk: cdkKeeping(files) }, [`${arn}:1`, `${arn}:live`]);
    const names = files.flatMap(({ functions }) => functions.map(({ name }) => name));
    expect(names).toEqual(["orders-api-1", "orders-api-live"]);
    for (const name of ["Orders_API:1", "Orders_API:live"])
      expect(output.stderr).toContain(`${name}: a copy on AWS takes the role arn:aws:iam:`);
  });

  describe("of two architectures", () => {
    const [x86, arm] = [`${arn}:1`, `${arn}:2`];
    beforeEach(() => {
      configurations = { [x86]: { Architectures: ["x86_64"], MemorySize: 256 } };
    });

    it("measures them as one function with a zip for each, if they differ in nothing else", async () => {
      await measures();
      const files: Deployed[] = [];
      expect(await measured({ yes: true }, { cdk: cdkKeeping(files) }, [x86, arm])).toBe(0);
      expect(files).toMatchObject([
        {
          architectures: ["x86_64", "arm64"],
          memoryMb: [256, 512],
          functions: [
            {
              name: "orders-api",
              artefact: expect.stringMatching(/^0\/.*zip$/),
              artefactByArchitecture: { arm64: expect.stringMatching(/^1\/.*zip$/) },
            },
          ],
        },
      ]);
    });

    it("refuses two that differ in more, with what it is and what can be done", async () => {
      configurations = {
        ...configurations,
        [arm]: { Runtime: "python3.12", Environment: { Variables: { LOG_LEVEL: "info" } } },
      };
      await expect(measured({ yes: true }, {}, [x86, arm])).rejects.toThrow(
        'functions that differ in: found "architecture, runtime, environment variable LOG_LEVEL"; allowed: zips that differ in the architecture alone, or the result could not be attributed to it; kelvin adopt writes',
      );
      expect(commands).toEqual([]);
    });

    it("asks for the base first, which is x86_64", async () => {
      await expect(measured({ yes: true }, {}, [arm, x86])).rejects.toThrow(
        "x86_64 first: arm64 is compared with x86_64, which is the base",
      );
    });
  });

  it("works in the function's region, whatever the caller's is", async () => {
    await measures();
    await measured({ yes: true });
    expect(process.env.AWS_REGION).toBe("us-east-1");
    expect(process.env.AWS_DEFAULT_REGION).toBe("us-east-1");
  });
});

describe("Ctrl-C during kelvin measure ARN", () => {
  it("while it is deployed, destroys what there is", async () => {
    const cdk = async (app: string, given: readonly string[]) => {
      if (given[0] === "deploy") interrupt();
      return await cdkEnding()(app, given);
    };
    expect(await measured({ yes: true }, { cdk })).toBe(130);
    expect(words()).toEqual(["deploy", "destroy"]);
    expect(account.stepFunctions.inputs).toEqual([]);
    expect(stacks()).toEqual(["Kelvin"]);
  });

  it("during the run, stops it, fetches what was measured, and destroys the stack", async () => {
    await measures();
    const { onLook } = account.stepFunctions;
    account.stepFunctions.onLook = (execution) => {
      onLook(execution);
      account.stepFunctions.end(execution, { status: "RUNNING" });
      interrupt();
    };
    expect(await measured({ yes: true })).toBe(130);
    expect([...account.stepFunctions.executions.values()]).toEqual(["ABORTED"]);
    expect(output.stdout).toContain("report.html");
    expect(words()).toEqual(["deploy", "destroy"]);
    expect(stacks()).toEqual(["Kelvin"]);
  });
});

describe("an account that is not bootstrapped", () => {
  beforeEach(() => account.ssm.versions.clear());

  it("is bootstrapped if the user agrees, who is told what that grants", async () => {
    await measures();
    const { ask, questions } = asking("y");
    const given = { yes: true, qualifier: "acme", toolkitStack: "AcmeToolkit" } as const;
    expect(await measured(given, { ask })).toBe(0);
    expect(questions[0]).toContain("Run cdk bootstrap aws://123456789012/us-east-1 now?");
    expect(questions[0]).toContain("the stack AcmeToolkit, which stays");
    expect(questions[0]).toContain("AdministratorAccess");
    expect(commands[0]).toEqual([
      ...["bootstrap", "aws://123456789012/us-east-1"],
      ...["-c", "@aws-cdk/core:bootstrapQualifier=acme", "--toolkit-stack-name", "AcmeToolkit"],
    ]);
  });

  it("is named otherwise, and nothing is done to it", async () => {
    await expect(measured({ yes: true })).rejects.toThrow("the CDK's bootstrap hnb659fds");
    expect(commands).toEqual([]);
  });

  it("is not offered a bootstrap if it has one of another name: that one is used", async () => {
    await measures();
    account.ssm.versions.set("acme", "21");
    const { ask, questions } = asking("y");
    expect(await measured({ yes: true }, { ask })).toBe(0);
    expect(questions).toEqual([]);
    for (const command of commands)
      expect(command).toContain("@aws-cdk/core:bootstrapQualifier=acme");
    expect(account.roles).toEqual([
      "arn:aws:iam::123456789012:role/cdk-acme-file-publishing-role-123456789012-us-east-1",
    ]);
  });
});

describe("what kelvin measure ARN leaves in the account", () => {
  it("is no upload of the CDK, even if the deploy failed", async () => {
    const kept = ["kelvin/Kelvin/a.zip", "v1"] as const;
    const cdk = async (app: string, given: readonly string[]) => {
      const name = given.find((each) => each.startsWith("stack="))?.slice("stack=".length);
      if (given[0] === "deploy")
        account.uploads.versions = [kept, [`kelvin/${name}/template.json`, "v2"]];
      return await cdkEnding({ deploy: 1 })(app, given);
    };
    expect(await measured({ yes: true }, { cdk })).toBe(5);
    expect(account.uploads.versions).toEqual([kept]);
  });

  it("is named if the uploads cannot be deleted", async () => {
    await measures();
    account.uploads.error = "AccessDenied";
    await expect(measured({ yes: true })).rejects.toThrow(
      /^s3:\/\/cdk-hnb659fds-assets-123456789012-us-east-1\/kelvin\/Kelvin-Orders-API-\w+\/, .* is not deleted/,
    );
    expect(stacks()).toEqual(["Kelvin"]);
  });

  it("is no secret in a template: the copies get it after the deploy", async () => {
    await measures();
    variables = { API_KEY: "abc", DB_PASSWORD: "abc", LOG_LEVEL: "info" };
    let deployed = "";
    const cdk = async (app: string, given: readonly string[]) => {
      const path = given.find((each) => each.startsWith("functions="))?.slice("functions=".length);
      if (path !== undefined) {
        deployed = readFileSync(path, "utf8");
        const [copy] = (JSON.parse(deployed) as Deployed).functions;
        copies.set("Kelvin-copy", { ...copy?.environment });
        copies.set("Kelvin-driver", { BUCKET_NAME: "results" });
      }
      return await cdkEnding()(app, given);
    };
    expect(await measured({ yes: true, copySecrets: true }, { cdk })).toBe(0);
    expect(deployed).not.toContain("abc");
    expect(copies.get("Kelvin-copy")).toEqual(variables);
    expect(asked.filter((each) => each.startsWith("PUT Kelvin-driver"))).toEqual([]);
  });
});

describe("an organisation's account", () => {
  const ofRoles = ["-c", "permissionsBoundary=Team", "-c", "rolePath=/team/"];

  it("has the roles that it demands", async () => {
    await measures();
    await measured({ yes: true, context: ofRoles });
    expect(commands[0]?.join(" ")).toContain(ofRoles.join(" "));
  });

  it("is not asked for roles that IAM does not know", async () => {
    await expect(measured({ yes: true, context: ["-c", "rolePath=team"] })).rejects.toThrow(
      "context rolePath",
    );
    expect(asked).toEqual([]);
  });

  it("is offered trustConditions=none if a service could not assume a role of the stack", async () => {
    const cdk = async (app: string, given: readonly string[]) => {
      const name = given.find((each) => each.startsWith("stack="))?.slice("stack=".length) ?? "";
      const events = [
        {
          ResourceStatusReason: "The role defined for the function cannot be assumed by Lambda.",
          ResourceProperties: '{"Role":"arn:aws:iam::123456789012:role/Kelvin-Role-1"}',
        },
        { ResourceType: "AWS::IAM::Role", PhysicalResourceId: "Kelvin-Role-1" },
      ];
      if (given[0] === "deploy") account.cloudFormation.stacks.set(name, { outputs: {}, events });
      return await cdkEnding({ deploy: 1 })(app, given);
    };
    expect(await measured({ yes: true }, { cdk })).toBe(5);
    expect(output.stderr).toContain("-c trustConditions=none");
  });
});

describe("kelvin measure ARN --apply", () => {
  const apply = { yes: true, apply: "balanced" } as const;

  it("measures the function's own size beside those that are named, and says so", async () => {
    await measures();
    const files: Deployed[] = [];
    await measured({ ...apply, memory: [1024, 128] }, { cdk: cdkKeeping(files) });
    expect(files).toMatchObject([{ memoryMb: [128, 512, 1024] }]);
    expect(output.stderr).toContain("512 MB, the present size, is measured beside: --apply");
  });

  it("is refused at once where nobody can be asked, though --yes is given", async () => {
    await expect(measured(apply, { isTerminal: false })).rejects.toThrow(
      'apply: found "balanced"; allowed: a terminal at which to ask before the size is set, or --apply-without-asking',
    );
    expect([...asked, ...commands]).toEqual([]);
  });

  it("leaves an undecided size, and ends with 0", async () => {
    await measures();
    const words = { ...apply, applyWithoutAsking: true } as const;
    expect(await measured(words, { isTerminal: false })).toBe(0);
    expect(output.stderr).toContain("Orders_API is left as it is: the run did not decide which");
    expect(asked.filter((each) => each.startsWith("PUT"))).toEqual([]);
  });
});

it.each<[string, Words, readonly string[], string]>([
  ["nothing to apply", { applyWithoutAsking: true }, [arn], "no value without --apply"],
  ["two functions", { apply: "balanced" }, [arn, `${arn}2`], "one function with --apply"],
  ["a version", { apply: "balanced" }, [`${arn}:7`], "which only sets the size of $LATEST"],
  ["an alias", { apply: "cheapest" }, [`${arn}:live`], "which only sets the size of $LATEST"],
])(
  "kelvin measure ARN --apply refuses %s before anything is read",
  async (_, given, arns, message) => {
    await expect(measured(given, {}, arns)).rejects.toThrow(message);
    expect(asked).toEqual([]);
  },
);

describe("what kelvin measure ARN refuses", () => {
  it.each<[readonly string[], object, string]>([
    [
      ["arn:aws:lambda:us-east-1:1:function:f"],
      {},
      "is not the ARN of a function: arn:aws:lambda:REGION:ACCOUNT",
    ],
    [[arn, arn, arn], {}, "one ARN, or two, which are compared"],
    [[arn, `${arn}:$LATEST`], {}, "two functions, or two versions of one"],
    [[arn, arn.replace("us-east-1", "eu-west-1")], {}, "one in the account and region of"],
    [[arn, "function.zip"], {}, "function.zip is not the ARN of a function"],
    [[arn], { layer: ["l.zip"] }, "layer: found"],
    [[arn], { margin: 0.1 }, "no value with a function's ARN"],
  ])("%j %j", async (arns, given, message) => {
    await expect(measure(arns, { preset: "quick", ...given })).rejects.toThrow(message);
  });

  it("copies no secret unasked, and says how to give it", async () => {
    variables = { API_KEY: "abc" };
    await expect(measured({ yes: true })).rejects.toThrow(
      'variables that look like secrets: found ["API_KEY"]; allowed: --env NAME=VALUE for each',
    );
    await measures();
    expect(await measured({ yes: true, env: ["API_KEY=test"] })).toBe(0);
  });

  it("is no function on this machine with options of an ARN", async () => {
    await expect(measure(["f.zip"], { preset: "quick", keep: true })).rejects.toThrow(
      "--keep goes with the ARN of a deployed function",
    );
  });
});
