import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { destroy } from "../../bin/commands/destroy.ts";
import { Progress } from "../../bin/progress.ts";
import { lookAtStack, underWay } from "../../bin/run/stack-guard.ts";
import { deletedByHandText } from "../../lib/aws/deleted-by-hand.ts";
import { missingResources, requireWholeStack } from "../../lib/aws/missing-resources.ts";
import { capturedOutput } from "../support/captured-output.ts";
import {
  type FakeAccount,
  fakeAccount,
  stateMachineArn,
} from "../support/fake-aws/fake-account.ts";
import { s3Error } from "../support/fake-aws/fake-s3.ts";
import { configFor, type FakeRequest, jsonError } from "../support/fake-aws/http.ts";

const running = "arn:aws:states:us-east-1:123456789012:execution:Conductor:a";
const usual = ["-c", "@aws-cdk/core:bootstrapQualifier=hnb659fds"];
let account: FakeAccount;
const output = capturedOutput();
beforeEach(() => {
  account = fakeAccount();
});

type Named = Parameters<typeof destroy>[1];

/** Destroys with a CDK that succeeds, unless its question is answered with no. */
async function destroyed(
  words: readonly string[],
  isTerminal = true,
  named: Named = { stack: "Kelvin" },
  isDeclined = false,
) {
  const asked: (readonly string[])[] = [];
  const cdk = async (_app: string, given: readonly string[]) => {
    asked.push(given);
    const name = given.findLast((each) => each.startsWith("stack="))?.slice("stack=".length);
    if (!isDeclined) account.cloudFormation.stacks.delete(name ?? "");
    return 0;
  };
  const code = await destroy(words, named, { ...{ clients: account.clients, cdk, isTerminal } });
  return { code, asked };
}

describe("a stack on which a run is under way", () => {
  beforeEach(() => account.stepFunctions.executions.set(running, "RUNNING"));

  it("is not destroyed, and it is said how to follow or to stop the run", async () => {
    await expect(destroyed([])).rejects.toThrow(
      `a run under way: found "${running}"; allowed: none: a destroy takes the functions`,
    );
    expect(account.stepFunctions.executions.get(running)).toBe("RUNNING");
  });

  it("is destroyed with --force, after the run is stopped", async () => {
    const { code, asked } = await destroyed(["--force"]);
    expect(code).toBe(0);
    expect(asked).toEqual([["destroy", "--force", "-c", "stack=Kelvin", ...usual]]);
    expect(account.stepFunctions.executions.get(running)).toBe("ABORTED");
    expect(output.stderr).not.toContain("could not wait");
  });

  it("is destroyed with --force also where the run's calls cannot be waited for, which is said", async () => {
    account.takeLock("", "");
    account.s3.respond = () => s3Error(403, "AccessDenied", "denied");
    expect((await destroyed(["--force"])).code).toBe(0);
    expect(output.stderr).toMatch(
      /^could not wait for the run's calls: .*lock.json cannot be read/m,
    );
  });

  it("is found by a deploy, which says what would become of the run", async () => {
    const found = await lookAtStack(account.clients, "Kelvin", new Progress());
    expect(found).toMatchObject({ running, stack: { stateMachineArn } });
    const { message } = underWay("deploy", found as NonNullable<typeof found>);
    expect(message).toContain("changes the functions under the run, which fails");
    expect(message).toContain("AWS_REGION=us-east-1 kelvin run --attach follows it to its end");
    expect(message).toContain("or --force");
  });
});

describe("a stack without a run", () => {
  it("is destroyed after the CDK has asked; results that are kept are named with what deletes them", async () => {
    const stack = account.cloudFormation.stacks.get("Kelvin");
    const DeleteResults = "aws s3 rb s3://results --force --region us-east-1";
    account.cloudFormation.stacks.set("Kelvin", { outputs: { ...stack?.outputs, DeleteResults } });
    expect((await destroyed([])).asked).toEqual([["destroy", "-c", "stack=Kelvin", ...usual]]);
    expect(output.stderr).toContain("the results are kept in s3://results");
    expect(output.stderr).toContain(`to delete them: ${DeleteResults}`);
  });

  it("is destroyed by the name in its context too", async () => {
    account.cloudFormation.stacks.set("Mine", { outputs: {} });
    const { asked } = await destroyed(["--force", "-c", "stack=Mine"], true, {});
    expect(asked).toEqual([
      ["destroy", "--force", "-c", "stack=Mine", "-c", "stack=Mine", ...usual],
    ]);
  });

  it("says nothing of results that go with it", async () => {
    await destroyed(["--force"], false);
    expect(output.stderr).toBe("");
  });

  it("needs --force where there is no terminal", async () => {
    await expect(destroyed([], false)).rejects.toThrow(
      "--force: found nothing; allowed: --force where there is no terminal",
    );
  });

  it("is changed where the caller may not look, which is said", async () => {
    const denied = { name: "AccessDenied", message: "not authorized to perform: DescribeStacks" };
    vi.spyOn(account.clients.cloudFormation, "send").mockImplementation(async () => {
      throw Object.assign(new Error(denied.message), denied);
    });
    expect((await destroyed(["--force"])).code).toBe(0);
    expect(output.stderr).toContain("could not check whether a run is under way: not authorized");
  });
});

describe("what the CDK uploaded for a stack", () => {
  const others = [["kelvin/Kelvin-orders/a.zip", "v1"]] as const;
  beforeEach(() => {
    account.uploads.versions = [...others, ["kelvin/Kelvin/a.zip", "v2"]];
  });

  it("is deleted with the stack, from the bootstrap that it was deployed with", async () => {
    const parameters = { BootstrapVersion: "/cdk-bootstrap/acme/version" };
    const { outputs } = account.cloudFormation.stacks.get("Kelvin") ?? { outputs: {} };
    account.cloudFormation.stacks.set("Kelvin", { outputs, parameters });
    const { asked } = await destroyed(["--force"]);
    expect(asked[0]).toContain("@aws-cdk/core:bootstrapQualifier=acme");
    expect(account.roles[0]).toContain(":role/cdk-acme-file-publishing-role-");
    expect(account.uploads.versions).toEqual(others);
  });

  it("stays while the stack does: the CDK ends with 0 as well if its question is answered with no", async () => {
    expect((await destroyed([], true, {}, true)).code).toBe(0);
    expect(account.uploads.versions).toHaveLength(2);
  });

  it("stays if the caller may not look whether the stack is gone, which is said with what deletes it", async () => {
    account.cloudFormation.denied.add("DescribeStacks");
    expect((await destroyed([])).code).toBe(0);
    expect(account.uploads.versions).toHaveLength(2);
    expect(output.stderr).toContain(
      "whether Kelvin is gone is unknown, as cloudformation:DescribeStacks is denied; once it is, " +
        "AWS_REGION=us-east-1 kelvin destroy --force deletes what the CDK uploaded for it",
    );
  });

  it("is deleted after cdk destroy as well, by another call of kelvin destroy", async () => {
    account.cloudFormation.stacks.delete("Kelvin");
    const { code, asked } = await destroyed(["--force"]);
    expect([code, asked]).toEqual([0, []]);
    expect(output.stderr).toContain("what the CDK had uploaded for Kelvin is deleted");
    expect(account.uploads.versions).toEqual(others);
  });
});

describe("a stack that does not exist", () => {
  it("is refused by its region and account, with the stacks that are there", async () => {
    account.cloudFormation.stacks.set("Kelvin-orders", { outputs: {} });
    account.cloudFormation.stacks.set("Billing", { outputs: {} });
    await expect(destroyed(["--force"], true, { stack: "Kelvim" })).rejects.toThrow(
      /^no stack Kelvim in us-east-1 of 123456789012; there: Kelvin, Kelvin-orders$/,
    );
  });

  it("is refused without a list if the caller may list none", async () => {
    account.cloudFormation.denied.add("ListStacks");
    await expect(destroyed(["--force"], true, { stack: "Kelvim" })).rejects.toThrow(
      "no stack Kelvim in us-east-1 of 123456789012; there: unknown, as cloudformation:ListStacks",
    );
  });
});

describe("what was deleted by hand", () => {
  /** Lambda and DynamoDB that have all but one each. */
  const without = (names: readonly string[]) => ({
    respond: ({ path, body }: FakeRequest) => {
      const asked = decodeURIComponent(path) + body;
      const isGone = names.some((name) => asked.includes(name));
      return isGone
        ? jsonError(404, "ResourceNotFoundException", "not found")
        : { status: 200, body: "{}" };
    },
  });

  it("is found function by function and table by table, and named with step and remedy", async () => {
    const outputs = account.cloudFormation.stacks.get("Kelvin")?.outputs ?? {};
    account.cloudFormation.stacks.set("Kelvin", {
      outputs,
      resources: [
        ["AWS::Lambda::Function", "Kelvin-rust"],
        ["AWS::Lambda::Function", "Kelvin-python"],
        ["AWS::DynamoDB::Table", "Kelvin-items"],
        ["AWS::S3::Bucket", "results"],
      ],
    });
    const config = configFor(without(["Kelvin-python", "Kelvin-items"]));
    const clients = {
      cloudFormation: account.clients.cloudFormation,
      lambda: new LambdaClient(config),
      dynamodb: new DynamoDBClient(config),
    };
    const missing = await missingResources(clients, "Kelvin");
    expect(missing).toEqual([
      { kind: "table", name: "Kelvin-items" },
      { kind: "function", name: "Kelvin-python" },
    ]);
    const message = deletedByHandText(missing);
    expect(message).toContain("the table Kelvin-items (the step Seed writes its items");
    expect(message).toContain(
      "the function Kelvin-python (the steps Try functions, Measure and Restore need it)",
    );
    expect(message).toContain("kelvin deploy --revert-drift");
    await expect(requireWholeStack("Kelvin", clients)).rejects.toThrow(
      `the stack Kelvin is incomplete: ${message}`,
    );
  });
});
